//! Scripted games: what clients send, and what they expect to be told.
//!
//! In two forms that say the same: the JSON transcript ([`Transcript`]) for programs, and the script for people, with the
//! names of the scenario, comments and includes ([`parse()`], [`print()`], [`format()`]). A [`Script`] comes from either.
//! A [`Recording`] turns a game that was played into a script. A [`Wish`] is what somebody wants to see in a game. Nothing
//! here opens a file or plays a script; that is the runner's work.

mod call;
mod client;
mod colony;
mod format;
mod header;
mod names;
mod parse;
mod print;
mod problem;
mod recording;
mod script;
mod token;
mod transcript;
mod wish;

pub use client::{Client, default_names};
pub use colony::{command, event_arguments, json_command};
pub use format::format;
pub use names::Names;
pub use parse::{FRAGMENT, Sources, is_fragment, parse};
pub use print::print;
pub use problem::{Problem, suggest};
pub use recording::{Act, Recorded, Recording};
pub use script::{Place, Script};
pub use transcript::{
    ANY_VALUE, Call, Ending, Expected, ScenarioText, Step, THE_SCENARIO, Transcript, TranscriptError,
};
pub use wish::{CardWish, Happening, Which, Wish};
