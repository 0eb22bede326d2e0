//! Scripted games: what clients send, and what they expect to be told.
//!
//! In two forms that say the same: the JSON transcript ([`Transcript`]) for programs, and the script for people, with the
//! names of the scenario, comments and includes ([`parse()`], [`print()`], [`format()`]). A [`Script`] comes from either.
//! A [`Recording`] turns a game that was played into a script. Nothing here opens a file or plays a script over a network; that
//! is the runner's work.
//!
//! No game is named here. What a script needs of a game comes by [`ScriptAdapter`], which a game implements; everything else works on
//! its form without types, [`ScriptedGame`], and [`Games`] is the table of them. [`Wishes`] are what a game may bring
//! besides.
#![warn(missing_docs)]

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
mod pattern;
mod print;
mod problem;
mod recorded;
mod recording;
mod script;
mod step;
mod token;
mod told;
mod transcript;
mod wanted;
mod wishes;

pub use adapter::{CommandOf, EventOf, EventWords, ScriptAdapter, SetupOf, TimerOf};
pub use any::{AnyCommand, AnySetup};
pub use call::{EventReader, Fault};
pub use client::{Client, SeatEvents};
pub use erased::scripted;
pub use format::format;
pub use game::{Games, NoScripts, ScriptedGame};
pub use header::{UnknownEdition, check_edition};
pub use json::TranscriptError;
pub use local::LocalGame;
pub use names::{Names, NoName};
pub use parse::{FRAGMENT, Sources, is_fragment, parse};
pub use pattern::EventPattern;
pub use print::print;
pub use problem::{Problem, suggest};
pub use recorded::RecordedGame;
pub use recording::{Act, Recorded, Recording, RecordingError};
pub use script::{Place, Script};
pub use step::{ANY_VALUE, Call, Expected, Step, THE_SCENARIO};
pub use token::{Line, Token, TokenKind, Unreadable};
pub use told::{ReceivedEvent, Words, event_arguments};
pub use transcript::{AUTO, Ending, ScenarioText, Transcript, Unsayable};
pub use wanted::{GameError, Wanted};
pub use wishes::{Progress, Searched, SeedSearch, WishError, Wishes};
