//! A game as the parser and the runner see it, and the table of games.

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
    problem::suggest,
    recorded::RecordedGame,
    recording::RecordingError,
    step::Call,
    told::ReceivedEvent,
    wanted::{GameError, Wanted},
    wishes::Wishes,
};

/// A game that scripts can be written for, without its types: [`scripted`](crate::scripted) makes it of a
/// [`ScriptAdapter`](crate::ScriptAdapter).
pub trait ScriptedGame: Sync {
    /// The rulebook's name.
    fn name(&self) -> &'static str;

    /// Whether its scripts say which game they are for.
    fn is_named(&self) -> bool;

    /// The editions that a script can name, besides `auto`.
    fn editions(&self) -> &'static [&'static str];

    /// The command with which a client says what it is called.
    fn naming(&self) -> Option<&'static str>;

    /// The events that say who plays.
    fn seats(&self) -> Option<SeatEvents>;

    /// The commands that a script can name.
    fn commands(&self) -> &'static [Kind];

    /// The events that a script can name.
    fn events(&self) -> &'static [Kind];

    /// What the words of an event are, if it has words in place of its fields.
    fn worded(&self, event: &str) -> Option<EventWords>;

    /// Types of fields whose values are single words; `None`: whatever is no number, text or truth value.
    fn word_types(&self) -> Option<&'static [&'static str]>;

    /// Whether a call is a command in its plain form.
    ///
    /// # Errors
    ///
    /// When it is not.
    fn check_command(&self, call: &Call) -> Result<(), ArgumentError>;

    /// Whether a call is an event.
    ///
    /// # Errors
    ///
    /// When it is not.
    fn check_event(&self, call: &Call) -> Result<(), ArgumentError>;

    /// What the things of a scenario are called.
    fn names(&self, scenario: &str) -> Names;

    /// The text of a scenario that is built in.
    fn built_in(&self, name: &str) -> Option<&'static str>;

    /// The names of the scenarios that are built in.
    fn scenario_names(&self) -> Vec<&'static str>;

    /// What a script's game is played with.
    ///
    /// # Errors
    ///
    /// When there is no such game.
    fn setup(&self, wanted: &Wanted<'_>) -> Result<AnySetup, GameError>;

    /// The command that a server makes of a call.
    ///
    /// # Errors
    ///
    /// When it is no command at all.
    fn command(&self, call: &Call) -> Result<AnyCommand, ArgumentError>;

    /// What an event must be like to be the one that a script expects.
    fn pattern(&self, expected: &Call) -> Box<dyn EventPattern>;

    /// An event of a server, in JSON, and the words that came with it.
    ///
    /// # Errors
    ///
    /// When the game has no such event.
    fn read_event(&self, event: &Value, words: Option<String>) -> Result<ReceivedEvent, serde_json::Error>;

    /// Starts a game in this process for these clients.
    ///
    /// # Panics
    ///
    /// When the setup is another game's.
    fn start(&self, setup: &AnySetup, seed: i64, clients: &[u32]) -> Box<dyn LocalGame>;

    /// Folds the log of a game again: its header and its entries as they are stored.
    ///
    /// # Errors
    ///
    /// When the log is not one of these rules.
    fn record(
        &self,
        header: &[u8],
        entries: &mut dyn Iterator<Item = &[u8]>,
    ) -> Result<Box<dyn RecordedGame>, RecordingError>;

    /// Finds and shortens games that show what an author wants to see.
    fn wishes(&self) -> Option<&'static dyn Wishes>;
}

/// The games that a program has scripts for. The first one is meant where a script names none.
#[derive(Clone, Debug)]
pub struct Games {
    games: Vec<&'static dyn ScriptedGame>,
}

impl Games {
    /// These games, in this order.
    pub fn new(games: impl IntoIterator<Item = &'static dyn ScriptedGame>) -> Self {
        Self { games: games.into_iter().collect() }
    }

    /// The game that is meant where a script names none.
    pub fn first(&self) -> Option<&'static dyn ScriptedGame> {
        self.games.first().copied()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn ScriptedGame> {
        self.games.iter().copied()
    }

    /// The game of this name, or the first one.
    ///
    /// # Errors
    ///
    /// When there is none.
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

/// No scripts are known of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoScripts {
    /// `None`: there are no games at all.
    pub rulebook: Option<String>,
    /// What there is.
    pub help: String,
}

impl fmt::Display for NoScripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.rulebook {
            Some(rulebook) => write!(f, "there are no scripts of a rulebook {rulebook}"),
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
