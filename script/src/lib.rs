//! Scripted games: what clients send, and what they expect to be told.
//!
//! So far in one form, the JSON transcript ([`Transcript`]). Nothing here plays a game; that is the runner's work.

mod colony;
mod transcript;

pub use colony::{command, event_arguments, named_command};
pub use transcript::{Ending, Expected, ScenarioText, Step, Transcript, TranscriptError};
