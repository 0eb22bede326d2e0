//! Tests over whole games of every rulebook, in one binary.
//!
//! - `rulebooks`: the table of tested rulebooks
//! - `golden`: whole games and the bytes of all messages, compared with files
//! - `own_scripts`: the scripts of every game, in process
//! - `fuzz`: the fuzz targets with the committed inputs
//! - `protocol`: the description of all messages
#![allow(dead_code, reason = "what the tests of games share, whichever games there are")]

#[cfg(feature = "colony")]
#[path = "../../games/colony/tests/program/suite/mod.rs"]
mod colony;
#[cfg(feature = "crazyhouse")]
#[path = "../../games/crazyhouse/tests/program/suite/mod.rs"]
mod crazyhouse;
mod fuzz;
mod golden;
mod own_scripts;
#[cfg(feature = "project")]
#[path = "../../games/project/tests/program/suite/mod.rs"]
mod project;
mod protocol;
mod rulebooks;
#[cfg(feature = "treasure")]
#[path = "../../games/treasure/tests/program/suite/mod.rs"]
mod treasure;
