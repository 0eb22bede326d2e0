//! Crazyhouse on the command line and over the network.

mod commands;
mod host;
mod live;
#[path = "../tickets.rs"]
mod tickets;
mod tournament;
