//! Crazyhouse on a host in this process.
//!
//! - `pages`: its pages are there, and run nothing that is not theirs
//! - `strangers`: a client without a seat changes nothing, whatever it tries
//! - `support`: the host, and a WebSocket from the other end

mod pages;
mod strangers;
mod support;
