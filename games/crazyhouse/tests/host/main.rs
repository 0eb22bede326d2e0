//! Crazyhouse on a host in this process.
//!
//! - `analysis`: finished games are analysed and exported, and questions that cannot be answered get clear answers
//! - `pages`: the pages are served, and run no scripts of other origins
//! - `strangers`: a client without a seat cannot change a game
//! - `support`: the host, and a WebSocket client

mod analysis;
mod pages;
mod strangers;
mod support;
