//! A game as the parser and the runner use it, and the list of games.

use std::fmt;

use engine::{ArgumentError, Kind};
use serde_json::Value;

use crate::{
    adapter::EventWords,
    any::{AnyCommand, AnySetup},
    client::SeatEvents,
    local::LocalGame,
    names::Names,
    pattern::EventPattern,
    received::{EventReadError, ReceivedEvent},
    recorded::RecordedGame,
    script_error::suggest,
    step::Call,
    stored::RecordingError,
    transcript::Transcript,
    wanted::{GameError, Wanted},
    wire::Wire,
    wishes::Wishes,
};

/// A type-erased game with scripts. [`scripted`](crate::scripted) creates it from a [`ScriptAdapter`](crate::ScriptAdapter).
pub trait ScriptedGame: Sync {
    /// The rulebook's name.
    fn name(&self) -> &'static str;

    /// Whether the game's scripts have a line `rulebook: NAME`.
    fn is_named(&self) -> bool;

    /// The editions that a script can name, besides `auto`.
    fn editions(&self) -> &'static [&'static str];

    /// The command whose first argument is the name of its client.
    fn naming(&self) -> Option<&'static str>;

    /// The events that decide which clients are in the game.
    fn seats(&self) -> Option<SeatEvents>;

    /// The commands that a script can name.
    fn commands(&self) -> &'static [Kind];

    /// The events that a script can name.
    fn events(&self) -> &'static [Kind];

    /// The kind of text of an event; `None` if a script writes its fields.
    fn worded(&self, event: &str) -> Option<EventWords>;

    /// Types of fields whose values are single words. `None` means all types that are not a number, a text or a bool.
    fn word_types(&self) -> Option<&'static [&'static str]>;

    /// Checks that a call is a command in its plain form.
    ///
    /// # Errors
    ///
    /// If the call is not a command in its plain form.
    fn check_command(&self, call: &Call) -> Result<(), ArgumentError>;

    /// Checks that a call is an event.
    ///
    /// # Errors
    ///
    /// If the call is not an event.
    fn check_event(&self, call: &Call) -> Result<(), ArgumentError>;

    /// The names of the things in a scenario.
    fn names(&self, scenario: &str) -> Names;

    /// The text of a built-in scenario.
    fn built_in(&self, name: &str) -> Option<&'static str>;

    /// The names of the built-in scenarios.
    fn scenario_names(&self) -> Vec<&'static str>;

    /// The setup of a script's game.
    ///
    /// # Errors
    ///
    /// If the scenario is refused.
    fn setup(&self, wanted: &Wanted<'_>) -> Result<AnySetup, GameError>;

    /// Reads a call as a server does.
    ///
    /// # Errors
    ///
    /// If a server would not accept it as a command.
    fn command(&self, call: &Call) -> Result<AnyCommand, ArgumentError>;

    /// The pattern of an expected event.
    fn pattern(&self, expected: &Call) -> Box<dyn EventPattern>;

    /// Reads an event of a server from JSON; `words` is the text that the server sent with it.
    ///
    /// # Errors
    ///
    /// If the game has no event of this form.
    fn read_event(&self, event: &Value, words: Option<String>) -> Result<ReceivedEvent, EventReadError>;

    /// Starts a game in this process for these clients.
    ///
    /// # Panics
    ///
    /// If the setup belongs to another game.
    fn start(&self, setup: &AnySetup, seed: i64, clients: &[u32]) -> Box<dyn LocalGame>;

    /// Replays the stored header and entries of a game.
    ///
    /// # Errors
    ///
    /// If the log does not belong to these rules.
    fn record(
        &self,
        header: &[u8],
        entries: &mut dyn Iterator<Item = &[u8]>,
    ) -> Result<Box<dyn RecordedGame>, RecordingError>;

    /// Plays a game of random players to its end.
    ///
    /// # Panics
    ///
    /// If the setup belongs to another game.
    fn random_game(&self, name: &str, setup: &AnySetup, seed: i64, players: usize) -> Box<dyn RecordedGame>;

    /// Plays the commands and silences of a script by these rules. What the script expects does not matter.
    ///
    /// # Errors
    ///
    /// If the scenario is refused, or a command cannot be read.
    fn replay(&self, transcript: &Transcript, scenario: &str) -> Result<Box<dyn RecordedGame>, GameError>;

    /// The game's own wire; `None` if its servers speak the common protocol.
    fn wire(&self) -> Option<&'static dyn Wire>;

    /// The game's search for games with certain events; `None` if the game does not support it.
    fn wishes(&self) -> Option<&'static dyn Wishes>;
}

/// The games of a program that have scripts. A script that names no game belongs to the first one.
#[derive(Clone, Debug)]
pub struct Games {
    games: Vec<&'static dyn ScriptedGame>,
}

impl Games {
    /// A list of these games, in this order.
    pub fn new(games: impl IntoIterator<Item = &'static dyn ScriptedGame>) -> Self {
        Self { games: games.into_iter().collect() }
    }

    /// The game of scripts that do not name a game.
    pub fn first(&self) -> Option<&'static dyn ScriptedGame> {
        self.games.first().copied()
    }

    /// All games.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn ScriptedGame> {
        self.games.iter().copied()
    }

    /// The game with this name, or the first game if there is no name.
    ///
    /// # Errors
    ///
    /// If no game has this name.
    pub fn find(&self, name: Option<&str>) -> Result<&'static dyn ScriptedGame, NoScripts> {
        let found = match name {
            Some(name) => self.iter().find(|game| game.name() == name),
            None => self.first(),
        };
        found.ok_or_else(|| NoScripts {
            rulebook: name.map(str::to_owned),
            help: suggest(name.unwrap_or_default(), self.games.iter().map(|game| game.name())),
        })
    }
}

/// No game with this rulebook has scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoScripts {
    /// The name of the rulebook; `None` if the program has no games at all.
    pub rulebook: Option<String>,
    /// A similar name, or the rulebooks with scripts.
    pub help: String,
}

impl fmt::Display for NoScripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.rulebook {
            Some(rulebook) => write!(f, "there are no scripts for a rulebook {rulebook}"),
            None => f.write_str("there are no rulebooks with scripts"),
        }
    }
}

impl std::error::Error for NoScripts {}

impl fmt::Debug for dyn ScriptedGame + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
