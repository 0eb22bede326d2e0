//! The interface that a game implements to have scripts.

use std::fmt::Debug;

use engine::{ArgumentError, Kind, Message, Rulebook, arguments, from_arguments};
use serde_json::Value;

use crate::{
    client::SeatEvents,
    names::Names,
    step::Call,
    stored::{RecordingError, Stored},
    wanted::{GameError, Wanted},
    wire::Wire,
    wishes::Wishes,
};

/// The commands of a scripted game.
pub type CommandOf<A> = <<A as ScriptAdapter>::Rules as Rulebook>::Command;
/// The events of a scripted game.
pub type EventOf<A> = <<A as ScriptAdapter>::Rules as Rulebook>::Event;
/// The setup of a scripted game.
pub type SetupOf<A> = <<A as ScriptAdapter>::Rules as Rulebook>::Setup;
/// The timers of a scripted game.
pub type TimerOf<A> = <<A as ScriptAdapter>::Rules as Rulebook>::Timer;

/// A game in a log, in the commands of its scripts.
pub type StoredOf<A> = Stored<SetupOf<A>, CommandOf<A>, TimerOf<A>>;

/// A game that scripts can be written for.
///
/// Implement it for a type without fields. Only the rules have no default. The defaults suit a game on the common wire:
/// messages have all their fields, numbers have no names, and there are no editions. [`scripted`](crate::scripted) turns the
/// type into a [`ScriptedGame`](crate::ScriptedGame) for the parser and the runner.
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
    /// The rules of the game.
    type Rules: Rulebook<
            Setup: Send + Sync + 'static,
            Command: Send + Sync + 'static,
            Event: Send + Sync + 'static,
            Timer: Send + Sync + 'static,
        > + Send
        + 'static;

    /// Whether the game's scripts have a line `rulebook: NAME`. Only scripts of a program's first game can omit it.
    const NAMED: bool = true;

    /// The editions that a script can name, besides `auto`.
    const EDITIONS: &'static [&'static str] = &[];

    /// The command whose first argument is the name of its client. It provides names for clients that have no name in a
    /// transcript.
    const NAMING: Option<&'static str> = None;

    /// The events that decide which clients `all` means in a script. `None` means all clients of the script.
    const SEATS: Option<SeatEvents> = None;

    /// Events that a script writes with a text instead of their fields, by the names of their kinds.
    const WORDED: &'static [(&'static str, EventWords)] = &[];

    /// Types of fields, as written in the source, whose values are single words like `CRISIS`. `None` means all types that are
    /// not a number, a text or a bool.
    const WORD_TYPES: Option<&'static [&'static str]> = None;

    /// The commands that a script can name.
    fn commands() -> &'static [Kind] {
        CommandOf::<Self>::KINDS
    }

    /// The events that a script can name.
    fn events() -> &'static [Kind] {
        EventOf::<Self>::KINDS
    }

    /// The setup of a script's game. By default the scenario is the JSON of a setup, and there is no timeout.
    ///
    /// # Errors
    ///
    /// If the scenario is refused. A script can expect this, and a part of the error's text.
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

    /// The text of the scenario, from which [`setup`](Self::setup) creates the same setup.
    fn scenario(setup: &SetupOf<Self>) -> String {
        serde_json::to_string(setup).unwrap_or_default()
    }

    /// How long a player may be silent, in milliseconds.
    fn timeout_ms(setup: &SetupOf<Self>) -> Option<u64> {
        let _no_timeout = setup;
        None
    }

    /// The text of a built-in scenario.
    fn built_in(name: &str) -> Option<&'static str> {
        let _none = name;
        None
    }

    /// The names of the built-in scenarios.
    fn scenario_names() -> Vec<&'static str> {
        Vec::new()
    }

    /// The names of the things in a scenario; empty if the text is not a scenario.
    fn names(scenario: &str) -> Names {
        let _no_names = scenario;
        Names::default()
    }

    /// The command with this name and these arguments. Like a server, it may accept more than [`engine::from_arguments`]; a
    /// script writes such a command with an exclamation mark.
    ///
    /// # Errors
    ///
    /// If a server would not accept it as a command.
    fn command(name: &str, arguments: &[Value]) -> Result<CommandOf<Self>, ArgumentError> {
        from_arguments(name, arguments)
    }

    /// The call that [`command`](Self::command) reads as this command.
    fn call(command: &CommandOf<Self>) -> Call {
        Call { name: command.kind().name.into(), arguments: arguments(command) }
    }

    /// The text of an [`EventWords::Own`] or [`EventWords::Rules`] event, as these rules write it.
    fn words(event: &EventOf<Self>) -> String {
        Value::from(arguments(event)).to_string()
    }

    /// The game's search for games with certain events; `None` if the game does not support it.
    fn wishes() -> Option<&'static dyn Wishes> {
        None
    }

    /// The game's own wire; `None` if its servers speak the common protocol.
    fn wire() -> Option<&'static dyn Wire> {
        None
    }

    /// The game in a log that has other commands than its scripts, because the game has a [`Protocol`](crate::Protocol) of its own:
    /// see [`stored_game`](crate::stored_game). `None` if they are the same.
    ///
    /// # Errors
    ///
    /// If the log does not belong to these rules.
    fn stored(
        header: &[u8],
        entries: &mut dyn Iterator<Item = &[u8]>,
    ) -> Result<Option<StoredOf<Self>>, RecordingError> {
        let _the_same = (header, entries);
        Ok(None)
    }
}

/// The kind of text that an event has in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventWords {
    /// The text of the scenario. A script leaves it out.
    Scenario,
    /// The server's own text, which differs between servers. If a script omits it, any text matches. A recorded script omits it.
    Own,
    /// The text that the rules write. If a script omits it, any text matches. A recorded script has it.
    Rules,
}

/// The kind of text of an event; `None` if a script writes its fields.
pub(crate) fn worded<A: ScriptAdapter>(event: &str) -> Option<EventWords> {
    A::WORDED.iter().find(|(name, _)| *name == event).map(|(_, words)| *words)
}
