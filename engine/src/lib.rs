//! The kernel: what a game is to Holdfast, whatever its rules.
//!
//! A game is a [`Rulebook`] that folds [`Input`]s into its state and says what happened through an [`Outbox`]. Each input
//! with what it caused is an [`Entry`] of the game's log; entries are chained by a [`Digest`], and [`replay`] folds a log
//! again and reports the first difference. [`laws`] are the promises that every rulebook keeps, as a kit for tests.
//!
//! Nothing here reads a clock, a file or a socket, and nothing here is random but [`JavaRandom`], which lives in a state.
#![no_std]

extern crate alloc;

mod client;
pub mod laws;
mod log;
mod message;
#[cfg(feature = "mutants")]
pub mod mutants;
mod outbox;
mod random;
mod replay;
mod results;
mod rulebook;
mod seats;
mod shown;

pub use client::CommId;
pub use log::{BrokenChain, Chain, Digest, Entry, FORMAT, Header, Link, Parent, Undecodable, decode_setup};
pub use message::{ArgumentError, Field, JsonError, Kind, Message, arguments, from_arguments, from_json, from_json_by};
pub use outbox::{Audience, Emission, Outbox, TimerChange};
pub use random::JavaRandom;
pub use replay::{Difference, EntryOf, Replay};
pub use results::{SeatResult, Verdict};
pub use rulebook::{Cause, Input, Projection, Rulebook, Waiting};
pub use seats::Seats;
pub use shown::{Moment, Shown};

/// What the macros of this crate need from others, whatever the calling crate depends on.
#[doc(hidden)]
pub mod macros {
    pub use serde;
}
