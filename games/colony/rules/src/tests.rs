//! Tests of the rules as rows: a scene, a command, and all emissions that it causes. There is one file for each topic.
//!
//! [`scene`](scene::scene) builds a game in the middle of a turn from a line of text. [`check`] sends a command and compares
//! all emissions. [`holds`] checks changes of the state that no event tells.

use alloc::{format, string::String, vec::Vec};

use engine::{Audience, Emission, Input, Outbox, Rulebook, TimerChange};

use crate::{
    Game, Refusal,
    event::Event,
    game::{Stage, Timer},
};

mod abilities;
mod cards;
mod colony_phase;
mod death;
mod determinize;
mod edges;
mod editions;
mod equipment;
mod fate;
mod fight;
mod infection;
mod leaving;
mod listening;
mod movement;
mod offers;
mod opening;
mod page;
mod preparation;
mod refusals;
mod registration;
mod results;
mod rounds;
mod scene;
mod search;
mod votes;
mod waste;
mod words;
mod world;

use scene::{scene, with};
use world::TIMEOUT;

/// Sends a command, compares all emissions in their order, and returns the game after the command.
///
/// `1: Leave` comes from client 1, which is player 1. Without a number, the awaited player sends the command. `TimeOut` is
/// the deadline. In the expected text, an event for all players has no mark, an event for one client is written as
/// `1> ActNow`, an event for the board in parentheses, and a refusal to the sender as `refused: ..`. `[1 in]` and `[1 out]`
/// mean that client 1 takes or loses its seat: only seated clients receive the events for all players.
#[track_caller]
fn check(game: &Game, command: &str, expected: &str) -> Game {
    let (after, said) = send(game, command);
    assert_eq!(said, words::one_line(expected), "{command}");
    after
}

/// Like [`check`], for several commands one after the other.
#[track_caller]
fn play(game: &Game, steps: &[(&str, &str)]) -> Game {
    steps.iter().fold(game.clone(), |game, (command, expected)| check(&game, command, expected))
}

/// Compares the state of a place, a character, a player (by its number), the `stock`, the `unused` characters, or the `choice`
/// of the current vote.
#[track_caller]
fn holds(game: &Game, what: &str, expected: &str) {
    assert_eq!(words::state(game, what), expected, "{what}");
}

/// Sends a command and returns the game after it and all emissions. Also checks the properties that hold for every command.
#[track_caller]
fn send(game: &Game, command: &str) -> (Game, String) {
    let (sender, cause) = words::cause(game, command);
    let mut after = game.clone();
    let mut outbox = Outbox::new();
    after.fold(&Input { elapsed_ms: 0, cause }, &mut outbox);

    let refused = outbox.events().any(|(_, event)| Game::is_refusal(event));
    assert!(!refused || after == *game, "a refused command changes nothing: {command}");
    check_deadline(game, &after, &outbox);
    check_projections(game, &after, &outbox, command);
    let said: Vec<String> = outbox.emissions().iter().map(|emission| say(&after, sender, emission)).collect();
    (after, said.join("; "))
}

/// Checks that the board and the view of every client follow from the emitted events.
#[track_caller]
fn check_projections(before: &Game, after: &Game, outbox: &Outbox<Event, Timer>, command: &str) {
    let mut board = before.board();
    let mut views: Vec<_> = after.clients.iter().map(|&client| (client, before.view(client))).collect();
    for (audience, event) in outbox.events() {
        let only = if let Audience::Only(client) = audience { Some(client) } else { None };
        if only.is_none() {
            board.apply(event);
        }
        let told = views.iter_mut().filter(|(client, _)| only.is_none_or(|only| only == *client));
        told.for_each(|(_, view)| view.apply(event));
    }
    assert_eq!(board, after.board(), "the board follows from the events: {command}");
    for (client, view) in views {
        assert_eq!(view, after.view(client), "the view of client {client} follows from the events: {command}");
    }
}

/// The refusal of a command; `None` if the command is accepted.
fn refusal(game: &Game, command: &str) -> Option<Refusal> {
    let mut outbox = Outbox::new();
    game.clone().fold(&Input { elapsed_ms: 0, cause: words::cause(game, command).1 }, &mut outbox);
    outbox
        .events()
        .find_map(|(_, event)| if let Event::CommandFailed { refusal } = event { Some(*refusal) } else { None })
}

/// Checks that every question and every registration starts a deadline, and that the end of the game cancels it.
#[track_caller]
fn check_deadline(before: &Game, after: &Game, outbox: &Outbox<Event, Timer>) {
    let asks = |event: &Event| matches!(event, Event::ActNow {} | Event::VoteNow {} | Event::Characters { .. });
    let asked = outbox.events().filter(|(_, event)| asks(event)).count();
    let registered = after.stage == Stage::Registration && after.clients.len() > before.clients.len();
    let mut expected = Vec::new();
    expected.resize(asked + usize::from(registered), TimerChange::Set { timer: Timer::Deadline, after_ms: TIMEOUT });
    if after.outcome().is_some() && before.outcome().is_none() {
        expected.push(TimerChange::Cancelled { timer: Timer::Deadline });
    }
    assert_eq!(outbox.timers(), expected, "deadlines");
}

fn say(game: &Game, sender: Option<engine::CommId>, emission: &Emission<Event>) -> String {
    match emission {
        Emission::Seated { client } => format!("[{client} in]"),
        Emission::Unseated { client } => format!("[{client} out]"),
        Emission::Event { audience: Audience::All, event } => words::event(game, event),
        Emission::Event { audience: Audience::Board, event } => format!("({})", words::event(game, event)),
        Emission::Event { audience: Audience::Only(client), event } => {
            if let Event::CommandFailed { refusal } = event
                && sender == Some(*client)
            {
                return format!("refused: {refusal}");
            }
            format!("{client}> {}", words::event(game, event))
        }
    }
}
