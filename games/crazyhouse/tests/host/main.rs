//! Crazyhouse on a host in this process.
//!
//! - `analysis`: finished games are analysed and exported, and questions that cannot be answered get clear answers
//! - `claiming`: the win is claimed only while the opponent has been away for a minute
//! - `pages`: the pages are served, and run no scripts of other origins
//! - `strangers`: a client without a seat cannot change a game
//! - `support`: the host, and a WebSocket client

mod analysis;
mod claiming;
mod pages;
mod strangers;
mod support;
