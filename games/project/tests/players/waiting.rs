//! Missing answers and lost connections.

use project::players::{AgentInput, Strategy};
use project_rules::{Action, Answer, Placed, Position, Team};

use crate::seat::{Seat, at, moved, nature, placed, tested};

#[test]
fn a_team_is_asked_for_until_it_is_given() {
    let mut seat = Seat::new(nature(Strategy::Solo));
    seat.pass(10_000);
    assert!(seat.setups.is_empty(), "it is not connected yet");
    seat.input(AgentInput::Confirmed { player: 2 });
    assert_eq!(seat.setups.len(), 1);
    seat.pass(2999);
    assert_eq!(seat.setups.len(), 1);
    seat.pass(1);
    assert_eq!(seat.setups.len(), 2, "after 3 s");
    assert_eq!(seat.setups[0], seat.setups[1], "with the same id");
    seat.input(AgentInput::TeamGiven { team: Team::Red, leader: false });
    seat.pass(60_000);
    assert_eq!(seat.setups.len(), 2, "for the start it waits as long as it takes");
    assert!(seat.asks().is_empty());
}

/// A restarted Game Master sends a known player its team. If it does not, it runs another game in which the player has the same
/// number.
#[test]
fn a_confirmed_player_without_a_team_asks_for_one() {
    let mut seat = Seat::playing(nature(Strategy::Solo), 2, at(1, 1));
    seat.setups.clear();
    seat.input(AgentInput::Lost);
    seat.join(2, at(1, 1));
    seat.pass(60_000);
    assert!(seat.setups.is_empty(), "it plays on");
    seat.input(AgentInput::Lost);
    seat.input(AgentInput::Confirmed { player: 2 });
    seat.pass(2999);
    assert!(seat.setups.is_empty());
    seat.pass(1);
    assert_eq!((seat.setups.len(), seat.agent.position()), (1, None), "what it knew is of another game");
    seat.open.clear();
    seat.input(AgentInput::TeamGiven { team: Team::Blue, leader: false });
    seat.start(at(3, 0));
    assert_eq!((seat.agent.position(), seat.asks().len()), (Some(at(3, 0)), 1));
}

#[test]
fn a_request_is_repeated_with_the_same_id() {
    let mut seat = Seat::playing(nature(Strategy::Solo), 2, at(1, 1));
    let first = seat.open[0].clone();
    seat.pass(3099);
    assert_eq!(seat.open.len(), 1);
    seat.pass(1);
    assert_eq!(seat.open, [first.clone(), first.clone()], "after 3 s and what a move costs");
    seat.pass(3100 * 5);
    assert_eq!(seat.open.len(), 7, "for as long as it takes");
    seat.open.truncate(1);
    seat.moves();
    let next = seat.open.clone();
    seat.input(AgentInput::Answered { context: first.0, answer: moved(at(3, 3), 0) });
    assert_eq!((seat.open, seat.agent.position()), (next, Some(at(1, 2))), "a second answer changes nothing");
}

/// A player that has just placed a piece that may be a sham.
fn carrying() -> Seat {
    let mut nature = nature(Strategy::Solo);
    nature.costs.actions.test = 1_000_000;
    let mut seat = Seat::new(nature);
    seat.piece = Some(at(1, 2));
    seat.join(2, at(1, 1));
    seat.fetches(Some(at(2, 3)));
    seat.goes();
    assert_eq!(seat.asks(), [Action::Place, Action::PickUp]);
    seat
}

#[test]
fn a_place_without_an_answer_is_repeated_once() {
    let mut seat = carrying();
    seat.answer(placed(Placed::Meaningless));
    seat.answer(Answer::PickedUp { success: true });
    seat.goes();
    assert_eq!(seat.asks(), [Action::Place]);
    seat.pass(3100);
    assert_eq!(seat.asks(), [Action::Place, Action::Place]);
    assert_eq!(seat.open[0], seat.open[1]);
    seat.pass(3099);
    assert_eq!(seat.asks().len(), 2);
    seat.pass(1);
    assert!(matches!(seat.asks()[2..], [Action::Move(_)]), "it goes on with what it is sure of: {:?}", seat.asks());
}

#[test]
fn after_a_repetition_an_answer_out_of_order_proves_nothing() {
    let mut seat = carrying();
    seat.input(AgentInput::Lost);
    seat.input(AgentInput::Confirmed { player: 2 });
    let ids: Vec<_> = seat.open.drain(..).collect();
    assert_eq!(ids[..2], ids[2..], "both again");
    seat.open.extend(ids.into_iter().take(2));
    // The answer to the request to place may have been lost with the connection.
    seat.answer(Answer::PickedUp { success: false });
    assert_eq!(seat.asks(), [Action::Place], "it still waits for that");
    seat.answer(placed(Placed::Completed));
    assert!(matches!(seat.asks()[..], [Action::Move(_)]));
}

#[test]
fn nothing_is_sent_without_a_connection() {
    let mut seat = Seat::playing(nature(Strategy::Solo), 2, at(1, 1));
    let open = seat.open.clone();
    seat.input(AgentInput::Lost);
    seat.pass(60_000);
    assert_eq!(seat.open, open);
    assert_eq!(seat.agent.wakes_at(), None);
    seat.input(AgentInput::Confirmed { player: 2 });
    assert_eq!(seat.open, [open[0].clone(), open[0].clone()], "the same again");
    assert!(seat.setups.len() <= 1, "it has a team");
    // The Game Master sends the position of the player.
    seat.start(at(1, 2));
    assert_eq!(seat.agent.position(), Some(Position { x: 1, y: 2 }));
}

#[test]
fn with_another_number_it_starts_over() {
    let mut seat = Seat::playing(nature(Strategy::Solo), 2, at(1, 1));
    seat.input(AgentInput::Lost);
    seat.input(AgentInput::Confirmed { player: 3 });
    assert_eq!(seat.setups.len(), 2, "it needs a team");
    assert_eq!(seat.agent.position(), None);
}

#[test]
fn answers_that_do_not_fit_are_ignored() {
    let mut seat = Seat::playing(nature(Strategy::Solo), 2, at(1, 1));
    let (context, _) = seat.open[0].clone();
    seat.input(AgentInput::Answered { context: context.clone(), answer: tested(project_rules::Tested::Piece) });
    seat.input(AgentInput::Answered { context: "another player's".into(), answer: moved(at(3, 3), 0) });
    assert_eq!((seat.open.len(), seat.agent.position()), (1, Some(at(1, 1))));
    let upper = context.to_uppercase().into();
    seat.input(AgentInput::Answered { context: upper, answer: moved(at(1, 2), 3) });
    assert_eq!(seat.agent.position(), Some(at(1, 2)), "ids are the same in either case");
}

#[test]
fn after_the_end_it_is_quiet() {
    let mut seat = Seat::playing(nature(Strategy::Solo), 2, at(1, 1));
    let end = project::players::End { reason: project_rules::EndReason::Success, winner: Team::Red, goals: [1, 2] };
    seat.input(AgentInput::Ended(end));
    let open = seat.open.len();
    seat.pass(60_000);
    assert_eq!((seat.open.len(), seat.agent.end(), seat.agent.wakes_at()), (open, Some(end), None));
    assert_eq!(end.to_string(), "Success: Red wins, Blue 1, Red 2");
}
