//! Whole games of the project game.
//!
//! - `golden`: a game with its timers, compared with a file; `told`: games for `protocol`
//! - `scripts`: a recorded game as a script
//! - `agents`: players that see the whole state

mod agents;
mod golden;
mod scripts;
mod told;

use crate::rulebooks::{Tested, tested};

pub(crate) const RULEBOOK: Tested = tested!(
    project_rules in "project",
    page "project/messages.md",
    told told::events,
    refusal Refused,
    setup Setup,
    play |_| ()
);
