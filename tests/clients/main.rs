//! Clients in other languages, each with its own tests against the real binary.
//!
//! - `java`: the client of clients/java, with the JDK that is installed
//! - `python`: the package of clients/python, by its unittest suite

#[cfg(feature = "colony")]
#[path = "../../games/colony/tests/program/clients/mod.rs"]
mod colony;
mod java;
#[cfg(feature = "project")]
#[path = "../../games/project/tests/program/clients/mod.rs"]
mod project;
mod python;
