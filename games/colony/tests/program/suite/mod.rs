//! Whole games of colony.
//!
//! - `golden`: games of each edition, compared with files; `told`, `messages`: games for `protocol`
//! - `bots`: bots play any scenario to its end
//! - `laws`: the promises of the rulebook, over thousands of random games of every edition, with their coverage
//! - `coverage`: counts what occurred in those games; `chaos`: the commands of those games
//! - `commands`: the fast reader of JSON commands agrees with a simple one
//! - `chronicle`: the pictures of a game equal the state of the rules
//! - `seeds`: the games of the found seeds grant the wish

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
