//! Tests of the program `systest`, with scripts of the games.

#[path = "../../../games/colony/tests/program/systest/mod.rs"]
mod colony;
