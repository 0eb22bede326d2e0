//! Crazyhouse on a host in this process.
//!
//! - `pages`: the pages are served, and run no scripts of other origins
//! - `strangers`: a client without a seat cannot change a game
//! - `support`: the host, and a WebSocket client

mod pages;
mod strangers;
mod support;
