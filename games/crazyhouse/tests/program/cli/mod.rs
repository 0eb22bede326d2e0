//! Crazyhouse on the command line and over the network.

mod commands;
mod host;
#[path = "../tickets.rs"]
mod tickets;
mod tournament;
