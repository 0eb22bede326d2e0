//! What players tell each other.

use clients::project::{Strategy, Told};
use project::{
    Action, Answer, Direction, Placed, TileObject,
    knowledge::{PURSUIT, Say, Shared},
};

use crate::seat::{BEGINNING, Seat, at, nature, placed, shared};

/// Whether a player of Blue allows each other's request.
fn allows(strategy: Strategy, player: u32) -> Vec<u32> {
    let mut seat = Seat::playing(nature(strategy), player, at(1, 1));
    let mut allowed = Vec::new();
    for asker in (1..=5).filter(|asker| *asker != player) {
        match seat.told(asker, "x", Told::Request) {
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
fn who_has_to_allow_does_whatever_it_plays() {
    for strategy in [Strategy::Random, Strategy::Solo] {
        assert_eq!(allows(strategy, 1), [2, 3], "a leader his own team");
        assert_eq!(allows(strategy, 2), [1], "a member his leader");
    }
    assert_eq!(allows(Strategy::Team, 1), [2, 3]);
    assert_eq!(allows(Strategy::Team, 2), [1, 3], "all of the own team, and nobody of the other");
}

#[test]
fn the_asker_tells_first_and_then_the_other() {
    let mut seat = Seat::playing(nature(Strategy::Solo), 1, at(1, 1));
    assert!(matches!(seat.told(2, "x", Told::Request), Some(Say::Response { allow: true, .. })));
    let news = vec![shared(at(2, 1), TileObject::NonGoal, BEGINNING)];
    assert_eq!(seat.told(2, "y", Told::Data { tiles: news.clone() }), None, "of no exchange");
    assert_eq!(seat.told(3, "x", Told::Data { tiles: news.clone() }), None, "of another player's");
    let Some(Say::Data { to: 2, context, tiles }) = seat.told(2, "x", Told::Data { tiles: news }) else { panic!() };
    assert_eq!(context.as_ref(), "x");
    assert_eq!(tiles.iter().map(|shared| shared.tile.position).collect::<Vec<_>>(), [at(1, 1)], "at least the own tile");
}

/// A team player that has looked everywhere: there is no piece.
fn idle() -> Seat {
    let mut seat = Seat::playing(nature(Strategy::Team), 2, at(1, 1));
    seat.moves(Direction::Up, -1);
    seat
}

#[test]
fn an_exchange_takes_its_time_of_the_one_who_asks() {
    let mut seat = idle();
    let Some(Say::Request { to, id }) = seat.tells.pop() else { panic!("{:?}", seat.tells) };
    assert!([1, 3].contains(&to), "somebody of its team: {to}");
    assert_eq!(seat.asks(), [], "it does nothing else");
    seat.pass(10);
    let Some(Say::Data { to: partner, context, tiles }) = seat.told(to, &id, Told::Response { allow: true }) else {
        panic!()
    };
    assert_eq!((partner, &context), (to, &id));
    assert!(!tiles.is_empty());
    assert_eq!(seat.told(to, &id, Told::Data { tiles: vec![shared(at(3, 3), TileObject::Nothing, 1)] }), None);
    seat.pass(1189);
    assert_eq!(seat.asks(), [], "1199 ms are not enough");
    seat.pass(1);
    assert!(!seat.asks().is_empty() || !seat.tells.is_empty(), "now it goes on");
}

#[test]
fn a_partner_that_is_silent_or_declines_keeps_nobody() {
    let mut seat = idle();
    let Some(Say::Request { to, id }) = seat.tells.pop() else { panic!() };
    assert_eq!(seat.told(to, &id, Told::Response { allow: false }), None);
    seat.pass(1200);
    let Some(Say::Request { to: next, .. }) = seat.tells.pop() else { panic!("it asks the next one") };
    assert_ne!(next, to);
    seat.pass(1200);
    assert_eq!(seat.asks().len(), 1, "and goes on");
}

#[test]
fn what_a_mate_has_tried_is_not_tried_again() {
    let mut seat = Seat::playing(nature(Strategy::Team), 1, at(1, 1));
    seat.told(2, "x", Told::Request);
    let all = (0..4).flat_map(|x| (0..2).map(move |y| at(x, y))).filter(|tile| *tile != at(3, 0));
    let news = all.map(|tile| shared(tile, TileObject::NonGoal, BEGINNING - 1)).collect();
    seat.told(2, "x", Told::Data { tiles: news });
    seat.fetches();
    if seat.asks() == [Action::Test] {
        seat.answer(crate::seat::tested(project::Tested::Piece));
    }
    seat.goes_to(at(3, 0));
    assert_eq!(seat.asks().first(), Some(&Action::Place));
}

/// A player at (1, 3) that knows of a piece in two places at the same distance, of which a mate pursues one.
fn tempted(wait: u64) -> Vec<Action> {
    let mut seat = Seat::playing(nature(Strategy::Team), 1, at(1, 1));
    seat.told(2, "x", Told::Request);
    let pursued = Shared { pursued: true, ..shared(at(0, 3), TileObject::Piece, BEGINNING - 5) };
    let pursued = Shared { tile: project::Tile { distance: 0, ..pursued.tile }, ..pursued };
    seat.told(2, "x", Told::Data { tiles: vec![pursued] });
    seat.open.clear();
    let mut seat = seat;
    seat.now += wait;
    seat.at = at(1, 2);
    // The distance of 2 from (1, 2) fits (0, 3), (2, 3), (1, 4) and (3, 2).
    let (context, _) = first_request(&mut seat);
    seat.hear(clients::project::Heard::Answered { context, answer: crate::seat::moved(at(1, 2), 2) });
    seat.asks()
}

fn first_request(seat: &mut Seat) -> (std::sync::Arc<str>, Action) {
    seat.hear(clients::project::Heard::Lost);
    seat.hear(clients::project::Heard::Confirmed { player: 1 });
    seat.open.pop_front().expect("it asks again")
}

#[test]
fn a_piece_that_a_mate_is_on_its_way_to_is_left_alone_for_ten_seconds() {
    // What is told of (0, 3) is a strong sign of a piece there, so all go left or up for it but who leaves it alone.
    assert_ne!(tempted(0), [Action::Move(Direction::Left)]);
    assert_ne!(tempted(PURSUIT - 200), [Action::Move(Direction::Left)]);
    let later = tempted(PURSUIT + 200);
    assert!(
        matches!(later[..], [Action::Move(Direction::Left | Direction::Up)]),
        "then it may be fetched: {later:?}"
    );
}

#[test]
fn what_it_found_is_told_with_what_it_is_on_its_way_to() {
    let mut nature = nature(Strategy::Team);
    nature.costs.actions.test = 1_000_000;
    let mut seat = Seat::playing(nature, 1, at(1, 1));
    seat.fetches();
    while let [Action::Move(direction)] = seat.asks()[..] {
        seat.moves(direction, 9);
    }
    let tried = seat.at;
    seat.answer(placed(Placed::Meaningless));
    seat.answer(Answer::PickedUp { success: true });
    seat.told(2, "x", Told::Request);
    let own = vec![shared(at(2, 6), TileObject::Nothing, 1)];
    let Some(Say::Data { tiles, .. }) = seat.told(2, "x", Told::Data { tiles: own }) else { panic!() };
    let told = tiles.iter().find(|shared| shared.tile.position == tried).expect("it tells of what it tried");
    assert_eq!((told.tile.object, told.pursued), (TileObject::NonGoal, false));
    assert!(tiles.iter().all(|shared| shared.timestamp >= BEGINNING), "nothing is told as older than it is");
}
