//! Whole games of colony.
//!
//! - `golden`: games of each edition, compared with files; `told`, `messages`: games for `protocol`
//! - `bots`: they play any scenario to its end
//! - `laws`: what the rulebook promises, over thousands of random games of every edition, with their coverage
//! - `coverage`: what those games have shown; `chaos`: who sends what in them
//! - `commands`: commands in JSON are read as values say
//! - `chronicle`: what people are shown of a game is what the rules have
//! - `seeds`: what is found is what was wished for

mod bots;
mod chaos;
mod chronicle;
mod commands;
mod coverage;
mod golden;
mod laws;
mod messages;
mod seeds;
mod told;

use crate::rulebooks::{Tested, tested};

pub(crate) const RULEBOOK: Tested = tested!(
    colony_rules in "colony",
    page "colony.md",
    told told::events,
    refusal CommandFailed,
    setup Edition,
    play messages::play_all
);
