//! What a rulebook brings besides its rules to be hosted.

use std::borrow::Cow;

use commlib::{Create, Raw, Refused};
use engine::{CommId, Emission, Input, Rulebook, Shown};
use serde_json::Value;

use crate::log::{EventLog, Record};

/// What reaches a game of a rulebook.
pub type InputOf<R> = Input<<R as Rulebook>::Command, <R as Rulebook>::Timer>;

/// A rulebook that can be hosted: how its games are asked for, and how its messages look on the wire.
pub trait Hosted:
    Shown
    + Rulebook<Setup: Send + Sync, Command: Send, Event: Send + Sync, Timer: Send + Sync, Board: Send + Sync>
    + Send
    + Sync
    + 'static
{
    /// Whether a gateway of its own plays its games at a [`Desk`](crate::Desk).
    const DESK: bool = false;

    /// How many letters and digits the name of a game has, if it is not given.
    const NAME_LENGTH: usize = crate::host::NAME_LENGTH;

    /// The setup that a client asks for; otherwise everything that is wrong with it.
    fn setup(create: &Create) -> Result<Self::Setup, String>;

    /// Reads a command in either form. What is no command at all is the gateway's to answer, with these words.
    fn command(raw: &Raw<'_>) -> Result<Self::Command, String>;

    /// The words that go with an event on the wire: texts that the log does not repeat, or that are made from facts.
    fn words<'a>(setup: &'a Self::Setup, event: &'a Self::Event) -> Option<Cow<'a, str>>;

    /// The text that the setup was made from, for those who watch and people who look into the store.
    fn scenario(setup: &Self::Setup) -> Option<&str>;

    /// What a scenario is called, for lists of games.
    fn title(scenario: Option<&str>) -> String;

    /// Scenarios that need no more than their name.
    fn scenarios() -> Vec<&'static str>;

    /// The script that plays a game again, of its header and the entries of its log, or why there is none; `None` where the
    /// rulebook has no scripts.
    fn script(header: &[u8], entries: &mut dyn Iterator<Item = &[u8]>) -> Option<Result<String, String>> {
        let _no_scripts = (header, entries);
        None
    }

    /// What an entry changes in tables of the rulebook, for people who ask in SQL: the game as it is after the input, what was
    /// said, and when, in milliseconds since 1970.
    fn records(&self, input: &InputOf<Self>, said: &[Emission<Self::Event>], at: i64) -> Vec<Record> {
        let _no_tables = (input, said, at);
        Vec::new()
    }

    /// The clients of a game that are bots of the host, with the names of the bots. Nobody else can be these clients.
    fn bots(setup: &Self::Setup) -> Vec<(CommId, &str)> {
        let _no_bots = setup;
        Vec::new()
    }

    /// The game to play after this one, if the client has played in it and the rulebook knows of rematches.
    fn rematch(&self, client: CommId) -> Option<Create> {
        let _no_rematches = client;
        None
    }

    /// Answers a question about the rules for a page, or says what is wrong with it; `None` where there is no such question.
    fn explain(question: &str, about: &str) -> Option<Result<Value, String>> {
        let _no_questions = (question, about);
        None
    }

    /// Answers a question of a page about games that were played, out of the log; `None` where there is no such question. What
    /// is secret in a running game is no part of an answer. Reads the disk.
    fn recall(log: &dyn EventLog, question: &str, about: &str) -> Option<Result<Value, Refused>> {
        let _no_questions = (log, question, about);
        None
    }
}
