//! Crazyhouse from outside.

mod commands;
mod host;
#[path = "../tickets.rs"]
mod tickets;
mod tournament;
