//! Clients in other languages, each with its own tests against the real binary.
//!
//! - `languages`: bots of all languages in the same games, by offers
//! - `java`: the client of clients/java and the classes of games, with the installed JDK
//! - `packages`: the wheels and npm packages, installed and used
//! - `python`: the packages of clients/python and of games, with their unittest suites
//! - `typescript`: the packages of clients/typescript and of games, with Node's own test runner
#![allow(dead_code, reason = "what the tests of games share, whichever games there are")]

#[path = "../support/typescript.rs"]
mod built_typescript;
#[cfg(feature = "colony")]
#[path = "../../games/colony/tests/program/clients/mod.rs"]
mod colony;
mod java;
mod languages;
#[cfg(feature = "colony")]
mod packages;
#[cfg(feature = "project")]
#[path = "../../games/project/tests/program/clients/mod.rs"]
mod project;
mod python;
mod typescript;
