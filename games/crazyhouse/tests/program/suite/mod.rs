//! Whole games of crazyhouse.
//!
//! - `golden`: a game of bots, compared with a file; `told`: one for `protocol`
//! - `scripts`: scripts of a game that provides little more than its types

mod golden;
mod scripts;
mod told;

use crate::rulebooks::{Tested, tested};

pub(crate) const RULEBOOK: Tested = tested!(
    crazyhouse_rules in "crazyhouse",
    page "crazyhouse.md",
    told told::events,
    refusal Refused,
    setup Setup,
    play |_| ()
);
