//! The state of a person at a terminal: the shown texts and the possible choices. It needs no terminal.
//!
//! [`Session`] holds the view of a person and the open menu. It takes [`News`] from a server ([`connection::keep_up`]) or from
//! a game with bots in this process ([`practice::serve`]), and returns commands. [`screen`] draws it, and [`plain`] prints it
//! as lines.

pub(crate) mod connection;
pub(crate) mod plain;
pub(crate) mod practice;
pub(crate) mod screen;
pub(crate) mod session;
#[cfg(test)]
mod tests;

use colony_rules::{Command, Edition, Event};

pub(crate) use session::Session;

/// A message from a person to the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// A command of the rules.
    Command(Command),
    /// A line of chat.
    Chat(String),
}

/// A message from the game to a person.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// The person has taken a place in a game.
    Entered {
        /// The name of the game.
        game: String,
        /// The edition, if the server sends it. Otherwise it follows from the scenario.
        edition: Option<Edition>,
    },
    /// An event of the game.
    Event {
        /// The event.
        event: Event,
        /// The text of the scenario, for the event `Config`.
        text: Option<String>,
    },
    /// All events up to now have been sent.
    Current,
    /// The server refused a command.
    Refused(String),
    /// Presence or chat, as lines.
    Notice(Vec<String>),
    /// The connection was lost. It is being re-established.
    Lost(String),
    /// The game sends nothing more.
    Ended {
        /// The reason, as text for people.
        why: String,
        /// Whether the seat can no longer be resumed.
        for_good: bool,
    },
}
