//! Crazyhouse on the command line and over the network.

mod commands;
mod host;
mod live;
mod offers;
#[path = "../tickets.rs"]
mod tickets;
mod tournament;
