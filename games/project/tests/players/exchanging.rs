//! Exchanges between players.

use project::players::{ExchangeStep, Strategy};
use project_rules::{
    Action, Answer, Placed, Position, Tile, TileObject,
    knowledge::{PURSUIT_MS, Say, Shared},
};

use crate::seat::{BEGINNING, Seat, at, nature, placed, shared};

/// The players whose requests for an exchange a player of Blue allows.
fn allows(strategy: Strategy, player: u32) -> Vec<u32> {
    let mut seat = Seat::playing(nature(strategy), player, at(1, 1));
    let mut allowed = Vec::new();
    for asker in (1..=5).filter(|asker| *asker != player) {
        match seat.exchange(asker, "x", ExchangeStep::Request) {
            Some(Say::Response { to, context, allow }) => {
                assert_eq!((to, context.as_ref()), (asker, "x"));
                allowed.extend(allow.then_some(asker));
            }
            other => panic!("{other:?}"),
        }
    }
    allowed
}

#[test]
fn required_exchanges_are_allowed_with_every_strategy() {
    for strategy in [Strategy::Random, Strategy::Solo] {
        assert_eq!(allows(strategy, 1), [2, 3], "a leader his own team");
        assert_eq!(allows(strategy, 2), [1], "a member his leader");
    }
    assert_eq!(allows(Strategy::Team, 1), [2, 3]);
    assert_eq!(allows(Strategy::Team, 2), [1, 3], "all of the own team, and none of the other");
}

#[test]
fn the_asker_sends_first_and_then_the_other() {
    let mut seat = Seat::playing(nature(Strategy::Solo), 1, at(1, 1));
    assert!(matches!(seat.exchange(2, "x", ExchangeStep::Request), Some(Say::Response { allow: true, .. })));
    let news = vec![shared(at(2, 1), TileObject::NonGoal, BEGINNING)];
    assert_eq!(seat.exchange(2, "y", ExchangeStep::Data { tiles: news.clone() }), None, "of no exchange");
    assert_eq!(seat.exchange(3, "x", ExchangeStep::Data { tiles: news.clone() }), None, "of another player's");
    let Some(Say::Data { to: 2, context, tiles }) = seat.exchange(2, "x", ExchangeStep::Data { tiles: news }) else {
        panic!()
    };
    assert_eq!(context.as_ref(), "x");
    assert_eq!(
        tiles.iter().map(|shared| shared.tile.position).collect::<Vec<_>>(),
        [at(1, 1)],
        "at least the own tile"
    );
}

/// A player with the strategy `team` that has looked everywhere and found no piece.
fn idle() -> Seat {
    let mut seat = Seat::playing(nature(Strategy::Team), 2, at(1, 1));
    seat.moves();
    seat
}

#[test]
fn an_exchange_takes_time_of_the_asker() {
    let mut seat = idle();
    let Some(Say::Request { to, id }) = seat.tells.pop() else { panic!("{:?}", seat.tells) };
    assert!([1, 3].contains(&to), "a player of its team: {to}");
    assert_eq!(seat.asks(), [], "it does nothing else");
    seat.pass(10);
    let Some(Say::Data { to: partner, context, tiles }) =
        seat.exchange(to, &id, ExchangeStep::Response { allow: true })
    else {
        panic!()
    };
    assert_eq!((partner, &context), (to, &id));
    assert!(!tiles.is_empty());
    assert_eq!(
        seat.exchange(to, &id, ExchangeStep::Data { tiles: vec![shared(at(3, 3), TileObject::Nothing, 1)] }),
        None
    );
    seat.pass(1189);
    assert_eq!(seat.asks(), [], "1199 ms are not enough");
    seat.pass(1);
    assert!(!seat.asks().is_empty() || !seat.tells.is_empty(), "now it goes on");
}

#[test]
fn a_partner_that_is_silent_or_declines_blocks_no_player() {
    let mut seat = idle();
    let Some(Say::Request { to, id }) = seat.tells.pop() else { panic!() };
    assert_eq!(seat.exchange(to, &id, ExchangeStep::Response { allow: false }), None);
    seat.pass(1200);
    let Some(Say::Request { to: next, .. }) = seat.tells.pop() else { panic!("it asks the next one") };
    assert_ne!(next, to);
    seat.pass(1200);
    assert_eq!(seat.asks().len(), 1, "and goes on");
}

#[test]
fn tiles_that_a_mate_has_tried_are_not_tried_again() {
    let mut seat = Seat::new(nature(Strategy::Team));
    seat.piece = Some(at(1, 2));
    seat.join(1, at(1, 1));
    seat.exchange(2, "x", ExchangeStep::Request);
    let all = (0..4).flat_map(|x| (0..2).map(move |y| at(x, y))).filter(|tile| *tile != at(3, 0));
    let news = all.map(|tile| shared(tile, TileObject::NonGoal, BEGINNING - 1)).collect();
    seat.exchange(2, "x", ExchangeStep::Data { tiles: news });
    seat.fetches(None);
    assert_eq!(seat.goes(), at(3, 0));
    assert_eq!(seat.asks().first(), Some(&Action::Place));
}

/// The next step of a leader that stands beside a piece. `after` milliseconds earlier, a mate shared a piece at (0, 2);
/// `pursued` says whether the mate is on its way to it.
fn step(pursued: bool, after: u64) -> Position {
    let mut seat = Seat::playing(nature(Strategy::Team), 1, at(1, 1));
    seat.exchange(2, "x", ExchangeStep::Request);
    let piece = shared(at(0, 2), TileObject::Piece, BEGINNING - 5);
    let tile = Tile { distance: 0, ..piece.tile };
    seat.exchange(2, "x", ExchangeStep::Data { tiles: vec![Shared { tile, pursued, ..piece }] });
    // Seen from (1, 2), the piece can be at (0, 2), which was shared, at (2, 2) or at (1, 3).
    seat.piece = Some(at(2, 2));
    seat.now += after - 100;
    seat.moves();
    assert_eq!(seat.at, at(1, 2));
    let [Action::Move(way)] = seat.asks()[..] else { panic!("{:?}", seat.asks()) };
    seat.at.toward(way)
}

#[test]
fn a_piece_that_a_mate_is_on_its_way_to_is_left_alone_for_ten_seconds() {
    let told = at(0, 2);
    for after in [100, PURSUIT_MS - 1, PURSUIT_MS] {
        assert_eq!(step(false, after), told, "a piece that was seen is fetched");
    }
    assert_ne!(step(true, 100), told, "another one is looked for");
    assert_ne!(step(true, PURSUIT_MS - 1), told);
    assert_eq!(step(true, PURSUIT_MS), told);
}

#[test]
fn a_player_does_something_else_if_mates_pursue_all_known_tiles() {
    let asks = |pursued: bool| {
        let mut seat = Seat::playing(nature(Strategy::Team), 1, at(1, 1));
        seat.exchange(2, "x", ExchangeStep::Request);
        let all = [at(0, 2), at(2, 2), at(1, 3)].map(|tile| shared(tile, TileObject::Piece, BEGINNING - 5));
        let all = all.map(|piece| Shared { tile: Tile { distance: 0, ..piece.tile }, pursued, ..piece });
        seat.exchange(2, "x", ExchangeStep::Data { tiles: all.into() });
        seat.piece = Some(at(2, 2));
        seat.moves();
        assert_eq!(seat.at, at(1, 2), "one of them is next to it");
        (seat.asks().len(), seat.tells.len())
    };
    assert_eq!(asks(false), (1, 0), "it fetches one");
    assert_eq!(asks(true), (0, 1), "it asks another player for news");
}

#[test]
fn findings_are_shared_with_the_pursued_tile() {
    let mut nature = nature(Strategy::Team);
    nature.costs.actions.test = 1_000_000;
    let mut seat = Seat::new(nature);
    seat.piece = Some(at(1, 2));
    seat.join(1, at(1, 1));
    seat.fetches(None);
    let tried = seat.goes();
    seat.answer(placed(Placed::Meaningless));
    seat.answer(Answer::PickedUp { success: true });
    seat.exchange(2, "x", ExchangeStep::Request);
    let own = vec![shared(at(2, 6), TileObject::Nothing, 1)];
    let Some(Say::Data { tiles, .. }) = seat.exchange(2, "x", ExchangeStep::Data { tiles: own }) else { panic!() };
    let told = tiles.iter().find(|shared| shared.tile.position == tried).expect("it tells of what it tried");
    assert_eq!((told.tile.object, told.pursued), (TileObject::NonGoal, false));
    assert!(tiles.iter().all(|shared| shared.timestamp >= BEGINNING), "nothing is told as older than it is");
}
