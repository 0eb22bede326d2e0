//! The interface between a game and the host: everything that a hosted game needs besides its rules.

use std::{borrow::Cow, error::Error, pin::Pin};

use commlib::{Create, Raw, Refused};
use engine::{CommId, Emission, Input, JavaRandom, Message, Rulebook, Shown};
use serde_json::Value;

use crate::{
    log::{LogReader, Record, Table},
    presence::CommandSender,
};

/// Rules that a host can fold in a separate task.
pub trait HostedRules:
    Shown
    + Rulebook<
        Setup: Send + Sync,
        Command: Send + Sync,
        Event: Send + Sync,
        Timer: Send + Sync,
        Board: Send + Sync,
        View: Send,
    > + Send
    + Sync
    + 'static
{
}

impl<R> HostedRules for R where
    R: Shown
        + Rulebook<
            Setup: Send + Sync,
            Command: Send + Sync,
            Event: Send + Sync,
            Timer: Send + Sync,
            Board: Send + Sync,
            View: Send,
        > + Send
        + Sync
        + 'static
{
}

/// The setup of a game.
pub type SetupOf<A> = <<A as Adapter>::Rules as Rulebook>::Setup;
/// The commands of a game.
pub type CommandOf<A> = <<A as Adapter>::Rules as Rulebook>::Command;
/// The events of a game.
pub type EventOf<A> = <<A as Adapter>::Rules as Rulebook>::Event;
/// The timers of a game.
pub type TimerOf<A> = <<A as Adapter>::Rules as Rulebook>::Timer;
/// The state of a game that every player may know.
pub type BoardOf<A> = <<A as Adapter>::Rules as Rulebook>::Board;
/// The inputs of a game.
pub type InputOf<A> = Input<CommandOf<A>, TimerOf<A>>;

/// A file of a game's pages: its path below the game's name, and its content.
pub type WebFile = (&'static str, &'static [u8]);

/// How a game is hosted: how clients create its games, how its messages look on the wire, and which pages it has.
///
/// An adapter is a separate type, so that rules stay free of everything that a host needs.
pub trait Adapter: Send + Sync + 'static {
    /// The rules.
    type Rules: HostedRules;

    /// Whether the rulebook has its own gateway, which plays its games through a [`GameHandle`](crate::GameHandle).
    const HANDLE: bool = false;

    /// The number of letters and digits in a generated game name.
    const NAME_LENGTH: usize = crate::names::NAME_LENGTH;

    /// Tables of the rulebook in the store, for people who query the database. The host creates missing tables. A released
    /// table never changes. [`records`](Self::records) fills them.
    const TABLES: &'static [&'static Table] = &[];

    /// Makes the setup that a client requests. The default reads the scenario as the JSON form of the setup; an empty one is
    /// `null`.
    ///
    /// # Errors
    /// If the setup is wrong. The error lists every mistake; the host shows it to the client.
    fn setup(create: &Create) -> Result<SetupOf<Self>, AdapterError> {
        let text = create.scenario.trim();
        Ok(serde_json::from_str(if text.is_empty() { "null" } else { text })?)
    }

    /// Reads a command in either wire form. The default takes every command of the rules.
    ///
    /// # Errors
    /// If it is not a command. The host shows the error to the client; the rules never see the message.
    fn command(raw: &Raw<'_>) -> Result<CommandOf<Self>, AdapterError> {
        read_command(raw)
    }

    /// Whether a host gives a command to the rules. The default admits every command. It is for what depends on facts that rules do
    /// not have: who has no seat, and who is away. A command that is not admitted is not in the log. A server for one game never
    /// asks. `game` is the game before the command.
    ///
    /// # Errors
    /// If the command is not admitted. The host shows the error to the client.
    fn admits(game: &Self::Rules, command: &CommandOf<Self>, sender: &CommandSender<'_>) -> Result<(), AdapterError> {
        let _admits_all = (game, command, sender);
        Ok(())
    }

    /// The text that goes with an event on the wire: text that the log does not repeat, or that is made from facts.
    fn words<'a>(setup: &'a SetupOf<Self>, event: &'a EventOf<Self>) -> Option<Cow<'a, str>> {
        let _no_words = (setup, event);
        None
    }

    /// The text that the setup was made from, for spectators and people who look into the store.
    fn scenario(setup: &SetupOf<Self>) -> Option<&str> {
        let _no_text = setup;
        None
    }

    /// The title of a scenario, for lists of games.
    fn title(scenario: Option<&str>) -> String {
        scenario.map_or("standard", |_| "custom").into()
    }

    /// The rulebook in a sentence, for people who choose a game.
    fn about() -> &'static str {
        ""
    }

    /// The scenarios that a client can select by name, the easiest first.
    fn scenarios() -> Vec<&'static str> {
        Vec::new()
    }

    /// A scenario in a sentence, for people who choose one.
    fn about_scenario(name: &str) -> &'static str {
        let _no_words = name;
        ""
    }

    /// The files of the rulebook's pages and drawings.
    fn web() -> &'static [WebFile] {
        &[]
    }

    /// The script that plays a game again, from the header and the entries of its log; `None` if the rulebook has no scripts.
    fn script(header: &[u8], entries: &mut dyn Iterator<Item = &[u8]>) -> Option<Result<String, AdapterError>> {
        let _no_scripts = (header, entries);
        None
    }

    /// The changes that an entry makes in the [tables of the rulebook](Self::TABLES). `game` is the state after the input,
    /// `said` has its emissions, and `at` is the time in milliseconds since 1970.
    fn records(game: &Self::Rules, input: &InputOf<Self>, said: &[Emission<EventOf<Self>>], at: i64) -> Vec<Record> {
        let _no_tables = (game, input, said, at);
        Vec::new()
    }

    /// The bots that can play in this process, for simulations.
    fn local_bots() -> Vec<&'static str> {
        Vec::new()
    }

    /// The command of one of the [local bots](Self::local_bots); `None` if any possible one will do.
    fn choose(bot: &str, view: &<Self::Rules as Rulebook>::View, random: &mut JavaRandom) -> Option<CommandOf<Self>> {
        let _does_anything = (bot, view, random);
        None
    }

    /// The clients of a game that are bots of the host, with the names of the bots. No other client can take their seats.
    fn bots(setup: &SetupOf<Self>) -> Vec<(CommId, &str)> {
        let _no_bots = setup;
        Vec::new()
    }

    /// The setup of a rematch, if the client has played in this game and the rulebook supports rematches.
    fn rematch(game: &Self::Rules, client: CommId) -> Option<Create> {
        let _no_rematches = (game, client);
        None
    }

    /// Answers a page's question about the rules; `None` if the rulebook does not support the question.
    fn query_rules(question: &str, about: &str) -> Option<Result<Value, AdapterError>> {
        let _no_questions = (question, about);
        None
    }

    /// Answers a page's question about stored games from the log; `None` if the rulebook does not support the question. An
    /// answer never holds secrets of a running game.
    fn query_log<'a>(log: &'a dyn LogReader, question: &'a str, about: &'a str) -> Option<Answering<'a>> {
        let _no_questions = (log, question, about);
        None
    }
}

/// Reads a command in either wire form, for adapters that check commands before the rules see them.
///
/// # Errors
/// If it is not a command.
pub fn read_command<C: Message>(raw: &Raw<'_>) -> Result<C, AdapterError> {
    match raw.json() {
        Some(text) => Ok(engine::from_json(text)?),
        None => raw.decode().map_err(|refused| refused.message.into()),
    }
}

/// An error of a game, of any type. The host only shows it.
pub type AdapterError = Box<dyn Error + Send + Sync>;

/// The pending answer to [`Adapter::query_log`].
pub type Answering<'a> = Pin<Box<dyn Future<Output = Result<Value, Refused>> + Send + 'a>>;

/// The files of a game's pages: `web_files!("index.html", "draw.js")` embeds them from the folder `web` of the crate.
#[macro_export]
macro_rules! web_files {
    ($($path:literal),* $(,)?) => {
        {
            const FILES: &[$crate::WebFile] =
                &[$(($path, include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/web/", $path)).as_slice())),*];
            FILES
        }
    };
}
