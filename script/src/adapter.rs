//! What scripts need of a game.

use std::fmt::Debug;

use engine::{ArgumentError, Kind, Message, Rulebook, arguments, from_arguments};
use serde_json::Value;

use crate::{
    client::SeatEvents,
    names::Names,
    step::Call,
    wanted::{GameError, Wanted},
    wishes::Wishes,
};

/// The commands of a scripted game.
pub type CommandOf<A> = <<A as ScriptAdapter>::Rules as Rulebook>::Command;
/// The events of a scripted game.
pub type EventOf<A> = <<A as ScriptAdapter>::Rules as Rulebook>::Event;
/// What a scripted game is played with.
pub type SetupOf<A> = <<A as ScriptAdapter>::Rules as Rulebook>::Setup;
/// The timers of a scripted game.
pub type TimerOf<A> = <<A as ScriptAdapter>::Rules as Rulebook>::Timer;

/// A game that scripts can be written for.
///
/// Implement it for a type of your own, which has no fields. Only the rules have no default; what has one is what a game on the
/// common wire does: all its messages with all their fields, numbers without names, no editions. [`scripted`](crate::scripted)
/// makes a [`ScriptedGame`](crate::ScriptedGame) of it, which is what the parser and the runner work on.
///
/// ```
/// # use engine::{CommId, Input, Outbox, Projection, Rulebook, Waiting, messages};
/// # messages! { pub enum Say { /** Says a number. */ Number { number: i32 } } }
/// # messages! { pub enum Heard { /** A number was said. */ Said { number: i32 } } }
/// # #[derive(Clone, Debug, PartialEq, Eq)] pub struct Game;
/// # impl Projection<Game> for Game { fn new(_: &u8) -> Self { Self } fn apply(&mut self, _: &Heard) {} }
/// # impl Rulebook for Game {
/// #     const NAME: &'static str = "echo"; const RULES_VERSION: u32 = 1;
/// #     type Setup = u8; type Command = Say; type Event = Heard; type Timer = (); type Outcome = bool;
/// #     type Board = Game; type View = Game;
/// #     fn edition(_: &u8) -> &'static str { "standard" }
/// #     fn start(_: &u8, _: i64, _: &mut Outbox<Heard, ()>) -> Self { Self }
/// #     fn fold(&mut self, _: &Input<Say, ()>, _: &mut Outbox<Heard, ()>) {}
/// #     fn waiting_for(&self) -> Waiting { Waiting::Anyone }
/// #     fn outcome(&self) -> Option<bool> { None }
/// #     fn board(&self) -> Game { Game } fn view(&self, _: CommId) -> Game { Game }
/// #     fn is_refusal(_: &Heard) -> bool { false }
/// # }
/// #[derive(Clone, Copy, Debug)]
/// struct Echo;
///
/// impl script::ScriptAdapter for Echo {
///     type Rules = Game;
/// }
///
/// let games = script::Games::new([script::scripted::<Echo>()]);
/// assert_eq!(games.first().map(|game| game.name()), Some("echo"));
/// ```
pub trait ScriptAdapter: Copy + Debug + Send + Sync + 'static {
    /// The rules that play it.
    type Rules: Rulebook<
            Setup: Send + Sync + 'static,
            Command: Send + Sync + 'static,
            Event: Send + Sync + 'static,
            Timer: Send + Sync + 'static,
        > + Send
        + 'static;

    /// Whether its scripts say which game they are for, in a line `rulebook: NAME`. Only the first game of a program can do without.
    const NAMED: bool = true;

    /// The editions that a script can name, besides `auto`.
    const EDITIONS: &'static [&'static str] = &[];

    /// The command with which a client says, in its first argument, what it is called. Clients that a transcript has no names for are
    /// called by it.
    const NAMING: Option<&'static str> = None;

    /// The events that say who plays, and so whom `all` means in a script; `None`: all clients of the script.
    const SEATS: Option<SeatEvents> = None;

    /// Events that have words in a script in place of their fields, by the names of their kinds.
    const WORDED: &'static [(&'static str, EventWords)] = &[];

    /// Types of fields, as the code writes them, whose values are single words like `CRISIS`; `None`: whatever is no number, text or
    /// truth value.
    const WORD_TYPES: Option<&'static [&'static str]> = None;

    /// The commands that a script can name.
    fn commands() -> &'static [Kind] {
        CommandOf::<Self>::KINDS
    }

    /// The events that a script can name.
    fn events() -> &'static [Kind] {
        EventOf::<Self>::KINDS
    }

    /// What a script's game is played with. By default the scenario is the JSON of a setup, and there is no timeout.
    ///
    /// # Errors
    ///
    /// When there is no such game. A script can expect that, and some of the error's words.
    fn setup(wanted: &Wanted<'_>) -> Result<SetupOf<Self>, GameError> {
        let setup = serde_json::from_str(wanted.scenario)?;
        let edition = Self::Rules::edition(&setup);
        match wanted {
            Wanted { timeout_ms: Some(_), .. } => Err("scripts of this game have no timeout".into()),
            Wanted { edition: Some(other), .. } if *other != edition => {
                Err(format!("the scenario is for the edition {edition}").into())
            }
            Wanted { .. } => Ok(setup),
        }
    }

    /// The text of the scenario that [`setup`](Self::setup) makes the same setup of.
    fn scenario(setup: &SetupOf<Self>) -> String {
        serde_json::to_string(setup).unwrap_or_default()
    }

    /// How long a player may be silent.
    fn timeout_ms(setup: &SetupOf<Self>) -> Option<u64> {
        let _no_timeout = setup;
        None
    }

    /// The text of a scenario that is built in.
    fn built_in(name: &str) -> Option<&'static str> {
        let _none = name;
        None
    }

    /// The names of the scenarios that are built in.
    fn scenario_names() -> Vec<&'static str> {
        Vec::new()
    }

    /// What the things of a scenario are called; nothing where the text is no scenario.
    fn names(scenario: &str) -> Names {
        let _no_names = scenario;
        Names::default()
    }

    /// The command of this name with these arguments. It may take more than [`engine::from_arguments`] does, as a server would: such a
    /// command is written behind an exclamation mark.
    ///
    /// # Errors
    ///
    /// When it is no command at all.
    fn command(name: &str, arguments: &[Value]) -> Result<CommandOf<Self>, ArgumentError> {
        from_arguments(name, arguments)
    }

    /// The call that [`command`](Self::command) reads as this command.
    fn call(command: &CommandOf<Self>) -> Call {
        Call { name: command.kind().name.into(), arguments: arguments(command) }
    }

    /// The words of an event of [`EventWords::Own`], as these rules say them.
    fn words(event: &EventOf<Self>) -> String {
        Value::from(arguments(event)).to_string()
    }

    /// Finds and shortens games that show what an author wants to see.
    fn wishes() -> Option<&'static dyn Wishes> {
        None
    }
}

/// What the words of an event are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventWords {
    /// The text of the scenario. A script leaves it out.
    Scenario,
    /// The server's own. A script may leave them out, and then any will do.
    Own,
}

/// What the words of an event are, if it has words in place of its fields.
pub(crate) fn worded<A: ScriptAdapter>(event: &str) -> Option<EventWords> {
    A::WORDED.iter().find(|(name, _)| *name == event).map(|(_, words)| *words)
}
