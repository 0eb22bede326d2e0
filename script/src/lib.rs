//! Scripted games: the commands that clients send, and the events that they must receive.
//!
//! A script has two forms with the same content. The JSON [`Transcript`] is for programs. The text is for people, with the
//! names of the scenario, comments and includes ([`parse()`], [`print()`], [`format()`]). A [`Script`] can be read from either
//! form. A [`Recording`] turns a played game into a script. This crate opens no files and plays no script over a network; the
//! runner does.
//!
//! This crate contains no game. A game implements [`ScriptAdapter`]. All other code uses the type-erased [`ScriptedGame`], and
//! [`Games`] is the list of them. A game may also implement [`Wishes`]. A game whose clients
//! do not speak the common protocol has a [`Protocol`] and a [`Wire`].

mod adapter;
mod any;
mod call;
mod client;
mod erased;
mod format;
mod game;
mod header;
mod json;
mod local;
mod names;
mod parse;
mod partial;
mod pattern;
mod print;
mod random_game;
mod random_wishes;
mod received;
mod recorded;
mod recording;
mod script;
mod script_error;
mod spoken;
mod step;
mod stored;
mod token;
mod transcript;
mod wanted;
mod wire;
mod wishes;

pub use adapter::{CommandOf, EventOf, EventWords, ScriptAdapter, SetupOf, StoredOf, TimerOf};
pub use any::{AnyCommand, AnySetup};
pub use call::{EventReader, LineError};
pub use client::{Client, SeatEvents};
pub use erased::scripted;
pub use format::format;
pub use game::{Games, NoScripts, ScriptedGame};
pub use header::{UnknownEdition, check_edition};
pub use json::TranscriptError;
pub use local::LocalGame;
pub use names::{Names, NoName};
pub use parse::{FRAGMENT, SourceError, Sources, is_fragment, parse};
pub use partial::{is_open, narrowed};
pub use pattern::EventPattern;
pub use print::print;
pub use random_wishes::random_wishes;
pub use received::{EventReadError, ReceivedEvent, Words, event_arguments};
pub use recorded::RecordedGame;
pub use recording::{Act, Recorded, Recording};
pub use script::{Place, Script};
pub use script_error::{ScriptError, nearest, suggest};
pub use spoken::{Protocol, Spoken, Table, Unseen, stored_game};
pub use step::{ANY_VALUE, Call, Expected, Step, THE_SCENARIO, variable_name};
pub use stored::{RecordingError, Stored};
pub use token::{Line, Token, TokenKind, Unreadable};
pub use transcript::{AUTO, Ending, ScenarioText, Transcript, Unsayable};
pub use wanted::{GameError, Wanted};
pub use wire::{ServedGame, WantedGame, Wire, WireError, WireGame};
pub use wishes::{Progress, Searched, SeedSearch, WishError, Wishes};
