//! A person at a terminal: what is shown and what can be chosen, without a terminal.
//!
//! [`Session`] is what a person knows and where it is in its menus. It hears [`News`], which come from a server
//! ([`connection::keep_up`]) or from a game against bots in this process ([`practice::serve`]), and gives commands.
//! [`screen`] draws it, and [`plain`] tells it in lines.

pub mod connection;
pub mod menu;
pub mod plain;
pub mod practice;
pub mod screen;
pub mod session;
#[cfg(test)]
mod tests;

use colony_rules::{Edition, Event};

pub use session::Session;

/// What reaches a person.
#[derive(Clone, Debug)]
pub enum News {
    /// There is a place in a game. Its edition, where the server says it; else it is found from the scenario.
    Entered { game: String, edition: Option<Edition> },
    /// Something happened; the scenario's text goes with the event that announces it.
    Told { event: Event, text: Option<String> },
    /// Everything up to now has been told.
    Current,
    /// The server did not take a command.
    Refused(String),
    /// The connection is gone; it is tried again and again.
    Lost(String),
    /// Nothing more will come; for good: to nobody who comes back either.
    Ended { why: String, for_good: bool },
}
