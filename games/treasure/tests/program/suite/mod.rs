//! Whole games of treasure.
//!
//! - `golden`: a game of each year, compared with files; `told`: games for `protocol`
//! - `scripts`: recorded games as scripts, and their mistakes
//! - `explorers`: players that know all secrets and go straight to their goals

mod explorers;
mod golden;
mod scripts;
mod told;

use crate::rulebooks::{Tested, tested};

pub(crate) const RULEBOOK: Tested = tested!(
    treasure_rules in "treasure",
    page "treasure.md",
    told told::events,
    refusal Refused,
    setup Setup,
    play |_| ()
);
