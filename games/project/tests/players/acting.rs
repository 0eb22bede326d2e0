//! The decisions of players.

use std::collections::BTreeSet;

use project::players::{Nature, Strategy};
use project_rules::{Action, Answer, Area, Placed, Position, Tested, Tile, TileObject, Zone};

use crate::seat::{HEIGHT, Seat, WIDTH, at, nature, placed, stays, tested};

/// A player that never tests a piece.
fn hasty() -> Nature {
    let mut nature = nature(Strategy::Solo);
    nature.costs.actions.test = 1_000_000;
    nature
}

/// A player at (1, 1) in the goal area, with a piece just above it.
fn seat(nature: Nature) -> Seat {
    let mut seat = Seat::new(nature);
    seat.piece = Some(at(1, 2));
    seat.join(2, at(1, 1));
    seat
}

const NEXT: Option<Position> = Some(Position { x: 2, y: 3 });

#[test]
fn it_follows_the_distance() {
    let tiles: Vec<Position> = Area { width: WIDTH, height: HEIGHT }.tiles(Zone::Task).collect();
    let mut detours = 0;
    for piece in &tiles {
        let mut seat = Seat::new(nature(Strategy::Solo));
        seat.piece = Some(*piece);
        seat.join(2, at(1, 1));
        let detour = seat.fetches(None) - at(1, 1).distance(*piece).unsigned_abs() as usize;
        assert!(detour <= 6, "{piece}: {detour} steps too many");
        detours += detour;
    }
    assert!(detours <= 2 * tiles.len(), "one step in the wrong direction, and back: {detours} for {}", tiles.len());
}

#[test]
fn it_tests_when_that_pays() {
    let check = |test: u64, expected: bool| {
        let mut nature = nature(Strategy::Solo);
        nature.costs.actions.test = test;
        let mut seat = seat(nature);
        seat.fetches(NEXT);
        assert_eq!(seat.asks() == [Action::Test], expected, "{test} ms");
    };
    // One in four pieces is a sham. A sham wastes a step there and back, placing it, and trying to pick it up again: 100 ms on
    // average.
    check(99, true);
    check(100, false);
}

#[test]
fn it_learns_how_many_are_shams() {
    let mut nature = nature(Strategy::Solo);
    nature.costs.actions.test = 150;
    let mut seat = seat(nature);
    seat.fetches(Some(at(1, 2)));
    assert_ne!(seat.asks(), [Action::Test], "one of four wastes 100 ms");
    assert_eq!(seat.goes(), at(1, 1));
    seat.silent_place();
    seat.fetches(NEXT);
    assert_eq!(seat.asks(), [Action::Test], "two of five waste 160 ms");
    seat.answer(tested(Tested::Sham));
    seat.fetches(None);
}

#[test]
fn a_piece_is_taken_on_where_no_goal_is() {
    let mut seat = seat(hasty());
    seat.fetches(NEXT);
    assert_eq!(seat.goes(), at(1, 1));
    assert_eq!(seat.asks(), [Action::Place, Action::PickUp]);
    seat.answer(placed(Placed::Meaningless));
    seat.answer(Answer::PickedUp { success: true });
    // The piece is now known to be valid. The player tries no tile twice.
    let mut tried = BTreeSet::from([at(1, 1)]);
    for _ in 1..8 {
        let tile = seat.goes();
        assert!(tried.insert(tile) && tile.y <= 1, "{tile} after {tried:?}");
        assert_eq!(seat.asks(), [Action::Place]);
        seat.answer(placed(Placed::Meaningless));
        assert_eq!(seat.asks(), [Action::PickUp]);
        seat.answer(Answer::PickedUp { success: true });
    }
    assert_eq!(tried.len(), 8, "all of the goal area");
}

#[test]
fn completed_and_refused_tiles_are_skipped() {
    for result in [Placed::Completed, Placed::Disallowed] {
        let mut seat = seat(hasty());
        seat.fetches(Some(at(1, 2)));
        assert_eq!(seat.goes(), at(1, 1));
        seat.answer(placed(result));
        seat.answer(Answer::PickedUp { success: false });
        if result == Placed::Completed {
            seat.fetches(NEXT);
        }
        assert_ne!(seat.goes(), at(1, 1), "{result:?}");
        assert_eq!(seat.asks().first(), Some(&Action::Place));
    }
}

#[test]
fn silence_after_a_place_is_never_taken_for_no_goal() {
    let mut seat = seat(hasty());
    seat.fetches(Some(at(1, 2)));
    assert_eq!(seat.goes(), at(1, 1));
    seat.silent_place();
    seat.fetches(NEXT);
    assert_eq!(seat.goes(), at(1, 1), "the same tile is tried once more");
    assert_eq!(seat.asks().first(), Some(&Action::Place));
}

#[test]
fn a_player_that_may_hold_a_piece_finds_out() {
    for (carries, silent) in [(true, false), (false, true)] {
        let mut seat = seat(Nature { returns: true, ..hasty() });
        seat.moves();
        assert_eq!(seat.asks(), [Action::PickUp]);
        seat.answer(Answer::PickedUp { success: false });
        assert_eq!(seat.asks(), [Action::Test, Action::Discover], "it may carry a piece");
        if silent {
            seat.open.pop_front();
        } else {
            seat.answer(tested(Tested::Piece));
        }
        seat.answer(Answer::Discovered { tiles: [].into() });
        if carries {
            assert_eq!(seat.goes(), at(1, 1));
            assert_eq!(seat.asks(), [Action::Place]);
        } else {
            seat.piece = Some(at(1, 3));
            seat.fetches(None);
        }
    }
}

#[test]
fn a_player_walks_around_another() {
    let mut seat = seat(nature(Strategy::Solo));
    seat.piece = Some(at(1, 5));
    seat.moves();
    let stood = seat.at;
    let mut blocked = BTreeSet::new();
    for _ in 0..4 {
        let [Action::Move(way)] = seat.asks()[..] else { panic!("{:?}", seat.asks()) };
        assert!(blocked.insert(stood.toward(way)), "it does not push");
        seat.now -= 90;
        seat.answer(stays(stood));
    }
    assert_eq!(seat.asks(), [], "all four are taken: it waits");
    seat.pass(700);
    assert_eq!(seat.asks().len(), 1, "and tries again when they may have gone");
}

#[test]
fn a_corridor_is_left_by_the_side() {
    let mut seat = seat(hasty());
    seat.fetches(None);
    // Another player stands on the only near tile of the goal area.
    let [Action::Move(way)] = seat.asks()[..] else { panic!("{:?}", seat.asks()) };
    let blocked = seat.at.toward(way);
    seat.answer(stays(seat.at));
    let goal = seat.goes();
    assert_ne!(goal, blocked);
    assert!(goal.y <= 1 && seat.asks().first() == Some(&Action::Place), "it tries another tile: {goal}");
}

#[test]
fn when_no_piece_is_left_it_waits_in_the_middle_and_looks() {
    let mut seat = seat(nature(Strategy::Solo));
    seat.piece = None;
    let here = seat.goes();
    assert_eq!(seat.asks(), [Action::Discover]);
    assert!((2..6).contains(&here.y), "{here}");
    let tile = |y, distance| Tile { position: at(here.x, y), distance, player: None, object: TileObject::Nothing };
    seat.answer(Answer::Discovered { tiles: [tile(here.y + 1, -1), tile(here.y - 1, -1)].into() });
    assert_eq!(seat.asks(), [Action::Discover], "still none");
    seat.piece = Some(at(here.x, here.y - 1));
    seat.answer(Answer::Discovered { tiles: [tile(here.y + 1, 2), tile(here.y - 1, 0)].into() });
    assert_eq!(seat.fetches(None), 1, "a new one");
}

#[test]
fn it_looks_around_only_where_that_pays() {
    let looks = |discover: u64| {
        let mut nature = nature(Strategy::Solo);
        nature.costs.actions.discover = discover;
        let mut seat = Seat::new(nature);
        // The piece is next to the player: to the left, to the right or above.
        seat.piece = Some(at(1, 2));
        seat.join(2, at(2, 1));
        seat.moves();
        seat.asks() == [Action::Discover]
    };
    // Two of three steps are wrong, and the player has to take them back: 133 ms on average.
    assert!(looks(133));
    assert!(!looks(134));
}

#[test]
fn random_players_do_only_what_looks_possible() {
    let mut seat = Seat::playing(nature(Strategy::Random), 2, at(0, 0));
    let mut kinds = BTreeSet::new();
    for step in 0..500 {
        let [action] = seat.asks()[..] else { panic!("{:?}", seat.asks()) };
        kinds.insert(action.name());
        match action {
            Action::Move(direction) => {
                let to = seat.at.toward(direction);
                assert!((0..4).contains(&to.x) && (0..6).contains(&to.y), "{to}");
                seat.piece = Some(at(to.x, 3));
                seat.moves();
            }
            Action::Discover => seat.answer(Answer::Discovered { tiles: [].into() }),
            Action::PickUp => seat.answer(Answer::PickedUp { success: true }),
            Action::Test => seat.answer(tested(if step % 2 == 0 { Tested::Piece } else { Tested::Sham })),
            Action::Place => {
                assert!(seat.at.y <= 1);
                seat.answer(placed(Placed::Completed));
            }
        }
    }
    assert_eq!(kinds.len(), 5, "{kinds:?}");
}
