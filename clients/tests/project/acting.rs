//! What players do with what they know.

use clients::project::{Costs, Strategy};
use project::{Action, Answer, Direction, Placed, Tested};

use crate::seat::{Seat, at, moved, nature, placed, stays, tested};

/// A player that would never test.
fn hasty() -> clients::project::Nature {
    let mut nature = nature(Strategy::Solo);
    nature.costs.actions.test = 1_000_000;
    nature
}

#[test]
fn it_follows_the_distance() {
    let mut seat = Seat::playing(nature(Strategy::Solo), 2, at(1, 1));
    seat.moves(Direction::Up, 2);
    // The piece is at (1, 4), (0, 3), (2, 3) or (3, 2): one way is right for more of these than any other.
    seat.moves(Direction::Up, 3);
    // So it was not up: at (3, 2), where nothing else fits.
    seat.goes_to(at(3, 3));
    seat.moves(Direction::Down, 0);
    seat.answers(Action::PickUp, Answer::PickedUp { success: true });
}

#[test]
fn it_tests_when_that_pays() {
    let check = |test: u64, expected: Action| {
        let mut nature = nature(Strategy::Solo);
        nature.costs.actions.test = test;
        let mut seat = Seat::playing(nature, 2, at(1, 1));
        seat.fetches();
        assert_eq!(seat.asks(), [expected], "{test} ms");
    };
    // One of four is a sham, and a sham wastes a step there and back, placing it and trying to take it on: 100 ms on average.
    check(99, Action::Test);
    check(100, Action::Move(Direction::Down));
}

#[test]
fn it_learns_how_many_are_shams() {
    let mut nature = nature(Strategy::Solo);
    nature.costs.actions.test = 150;
    let mut seat = Seat::playing(nature, 2, at(1, 1));
    seat.fetches();
    assert_eq!(seat.asks(), [Action::Move(Direction::Down)], "one of four wastes 100 ms");
    seat.goes_to(at(1, 1));
    assert_eq!(seat.asks(), [Action::Place, Action::PickUp]);
    seat.answer(Answer::PickedUp { success: false });
    seat.fetches();
    assert_eq!(seat.asks(), [Action::Test], "two of five waste 160 ms");
    seat.answers(Action::Test, tested(Tested::Sham));
    assert!(!seat.asks().contains(&Action::Place), "a sham that was found is gone");
}

#[test]
fn a_piece_is_taken_on_where_no_goal_is() {
    let mut seat = Seat::playing(hasty(), 2, at(1, 1));
    seat.fetches();
    seat.goes_to(at(1, 1));
    assert_eq!(seat.asks(), [Action::Place, Action::PickUp]);
    seat.answer(placed(Placed::Meaningless));
    seat.answer(Answer::PickedUp { success: true });
    // Now it is known to be no sham, and no tile is tried twice.
    let mut tried = vec![at(1, 1)];
    for _ in 1..8 {
        while let [Action::Move(direction)] = seat.asks()[..] {
            seat.moves(direction, 9);
        }
        assert!(!tried.contains(&seat.at) && seat.at.y <= 1, "{} after {tried:?}", seat.at);
        tried.push(seat.at);
        seat.answers(Action::Place, placed(Placed::Meaningless));
        seat.answers(Action::PickUp, Answer::PickedUp { success: true });
    }
    assert_eq!(tried.len(), 8, "all of the goal area");
}

#[test]
fn done_and_refused_tiles_are_left_alone() {
    for result in [Placed::Completed, Placed::Disallowed] {
        let mut seat = Seat::playing(hasty(), 2, at(1, 1));
        seat.fetches();
        seat.goes_to(at(1, 1));
        seat.answer(placed(result));
        seat.answer(Answer::PickedUp { success: false });
        if result == Placed::Completed {
            seat.fetches();
        }
        while let [Action::Move(direction)] = seat.asks()[..] {
            seat.moves(direction, 9);
        }
        assert_eq!(seat.asks().first(), Some(&Action::Place));
        assert_ne!(seat.at, at(1, 1), "{result:?}");
    }
}

#[test]
fn silence_after_a_place_is_never_taken_for_no_goal() {
    let mut seat = Seat::playing(hasty(), 2, at(1, 1));
    seat.fetches();
    seat.goes_to(at(1, 1));
    assert_eq!(seat.asks(), [Action::Place, Action::PickUp]);
    // The second is answered and the first is not: it was a sham.
    seat.answer(Answer::PickedUp { success: false });
    seat.open.clear();
    seat.pass(1);
    let again = seat.asks();
    assert_eq!(again, [], "it has gone on before");

    let mut seat = Seat::playing(hasty(), 2, at(1, 1));
    seat.fetches();
    seat.goes_to(at(1, 1));
    let (place, _) = seat.open[0].clone();
    seat.answer(Answer::PickedUp { success: false });
    seat.open.retain(|(id, _)| *id != place);
    seat.fetches();
    seat.goes_to(at(1, 1));
    assert_eq!(seat.asks().first(), Some(&Action::Place), "the same tile is tried once more");
}

#[test]
fn who_is_not_sure_whether_it_carries_something_finds_out() {
    let mut nature = hasty();
    nature.returns = true;
    let mut seat = Seat::playing(nature, 2, at(1, 1));
    seat.moves(Direction::Up, 0);
    seat.answers(Action::PickUp, Answer::PickedUp { success: false });
    assert_eq!(seat.asks(), [Action::Test, Action::Discover], "it may carry a piece");
    seat.answer(tested(Tested::Piece));
    seat.answer(Answer::Discovered { tiles: [].into() });
    seat.goes_to(at(1, 1));
    seat.answers(Action::Place, placed(Placed::Completed));
}

#[test]
fn somebody_in_the_way_is_walked_around() {
    let mut seat = Seat::playing(nature(Strategy::Solo), 2, at(1, 1));
    // Nothing but straight up is nearer.
    seat.moves(Direction::Up, 3);
    let [Action::Move(first)] = seat.asks()[..] else { panic!("{:?}", seat.asks()) };
    let (stood, blocked) = (seat.at, seat.at.toward(first));
    seat.answers(Action::Move(first), stays(stood));
    for _ in 0..3 {
        let [Action::Move(other)] = seat.asks()[..] else { panic!("{:?}", seat.asks()) };
        assert_ne!(seat.at.toward(other), blocked, "it does not push");
        seat.answer(stays(stood));
    }
    // All four are taken: it waits, and tries again when they may have gone.
    assert_eq!(seat.asks(), []);
    seat.pass(500);
    assert_eq!(seat.asks().len(), 1);
}

#[test]
fn when_no_piece_is_left_it_waits_in_the_middle_and_looks() {
    let mut seat = Seat::playing(nature(Strategy::Solo), 2, at(1, 1));
    seat.moves(Direction::Up, -1);
    while let [Action::Move(direction)] = seat.asks()[..] {
        seat.moves(direction, -1);
    }
    assert_eq!(seat.asks(), [Action::Discover]);
    assert!((2..6).contains(&seat.at.y), "{}", seat.at);
    let tile = |x, y, distance| project::Tile {
        position: at(x, y),
        distance,
        player: None,
        object: project::TileObject::Nothing,
    };
    let here = seat.at;
    let tiles = [tile(here.x, here.y + 1, 1), tile(here.x, here.y - 1, 3)].into();
    seat.answers(Action::Discover, Answer::Discovered { tiles });
    assert!(matches!(seat.asks()[..], [Action::Move(_)]), "a new piece: {:?}", seat.asks());
}

#[test]
fn where_steps_are_as_dear_as_looks_it_looks_around() {
    let mut nature = nature(Strategy::Solo);
    nature.costs = Costs { actions: project::Costs::default(), ..nature.costs };
    let mut seat = Seat::playing(nature, 2, at(1, 1));
    seat.moves(Direction::Up, 0);
    seat.answers(Action::PickUp, Answer::PickedUp { success: false });
    assert!(matches!(seat.asks()[..], [Action::Move(_)]));
    let [Action::Move(way)] = seat.asks()[..] else { panic!() };
    seat.answer(moved(seat.at.toward(way), 1));
    // The piece may be in any of the ways that are left.
    assert!(matches!(seat.asks()[..], [Action::Move(_) | Action::Discover]), "{:?}", seat.asks());
}

#[test]
fn random_players_do_only_what_looks_possible() {
    let mut seat = Seat::playing(nature(Strategy::Random), 2, at(0, 0));
    let mut kinds = std::collections::BTreeSet::new();
    for step in 0..500 {
        let [action] = seat.asks()[..] else { panic!("{:?}", seat.asks()) };
        kinds.insert(action.name());
        match action {
            Action::Move(direction) => {
                let to = seat.at.toward(direction);
                assert!((0..4).contains(&to.x) && (0..6).contains(&to.y), "{to}");
                seat.moves(direction, if to.y == 3 { 0 } else { 1 });
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
