//! Clients in other languages, each with its own tests against the real binary.
//!
//! - `java`: the client of clients/java and the classes of games, with the installed JDK
//! - `python`: the packages of clients/python and of games, with their unittest suites
#![allow(dead_code, reason = "what the tests of games share, whichever games there are")]

#[cfg(feature = "colony")]
#[path = "../../games/colony/tests/program/clients/mod.rs"]
mod colony;
mod java;
#[cfg(feature = "project")]
#[path = "../../games/project/tests/program/clients/mod.rs"]
mod project;
mod python;
