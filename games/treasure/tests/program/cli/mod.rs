//! The treasure game on the command line and over the network.

mod commands;
mod live;
mod log;
