//! The kernel of Holdfast: the interface between a game's rules, its log and its host.
//!
//! A game is a [`Rulebook`]: it folds [`Input`]s into its state and emits events through an [`Outbox`]. An [`Entry`] of the
//! game's log holds an input and its emissions. A [`Chain`] links the entries by their [`Digest`]s. A [`Replay`] folds a log
//! again and reports the first difference. [`laws`] is a test kit for the promises that every rulebook keeps. [`Rulebook`] has
//! the example of a whole game.
//!
//! This crate reads no clock, file or socket. Its only source of randomness is [`JavaRandom`], which is part of a game's state.
#![no_std]

extern crate alloc;

mod client;
mod json_diff;
pub mod laws;
mod log;
mod message;
#[cfg(feature = "mutants")]
pub mod mutants;
mod offers;
mod outbox;
mod random;
mod replay;
mod results;
mod rulebook;
mod seats;
mod shown;

pub use client::CommId;
pub use json_diff::json_differences;
pub use log::{BrokenChain, Chain, Digest, Entry, FORMAT, Header, Link, Parent, Undecodable, decode_setup};
pub use message::{ArgumentError, Field, JsonError, Kind, Message, arguments, from_arguments, from_json, from_json_by};
pub use offers::{
    Answer, Argument, ArgumentForm, FillError, Leaf, Leaves, Offer, Offers, Template, Then, command_label,
    fill as fill_json, json_words,
};
pub use outbox::{Audience, Emission, Outbox, TimerChange};
pub use random::JavaRandom;
pub use replay::{Difference, EntryOf, Replay};
pub use results::{SeatResult, Verdict};
pub use rulebook::{
    Cause, Imagined, Input, OfferOf, OffersOf, Projection, Rulebook, Waiting, random_command, sample_candidates,
    with_name,
};
pub use seats::Seats;
pub use shown::{Missing, Moment, Shown};

/// Crates that the macros use. The calling crate does not have to depend on them.
#[doc(hidden)]
pub mod macros {
    pub use serde;
}
