//! The runner `systest` as people call it, on scripts of the games that have some.

#[path = "../../../games/colony/tests/program/systest/mod.rs"]
mod colony;
