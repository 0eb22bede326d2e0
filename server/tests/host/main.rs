//! The host over real sockets, with a rulebook of its own, since nothing in `server` is about one game.
//!
//! - `playing`: games are created, listed, joined and watched in both forms; who is told what, with which number
//! - `welcoming`: what a welcome says, in each version of the protocol
//! - `resuming`: what was missed comes, once; finished games; tokens and numbers that are not there
//! - `recovering`: a host that stopped, or was cut off, goes on where it was
//! - `forking`: a game that begins at an entry of another; its seats wait to be claimed
//! - `backup`: a copy of the log while the host writes it
//! - `timers`: time enters a game without any message
//! - `durability`: nothing leaves before it is durable; a store that fails
//! - `guards`: a client that breaks a limit gets the reason and is disconnected; no other is affected
//! - `http`: metrics and health, and the tables of docs/operations.md
//! - `looking`: games over HTTP, finished and as they are played; what a running one does not tell; who may change something
//! - `websocket`: playing over the HTTP port; its limits are those of TCP
//! - `panics`: rules that break a promise stop their own game only
//! - `handle`: gateways with a protocol of their own: durable answers, following, games that are over
//! - `counter`: the rulebook
//! - `support`: a host on a port, and players in few words

mod backup;
#[path = "../shared/clock.rs"]
mod clock;
mod counter;
mod durability;
mod forking;
mod guards;
mod handle;
mod http;
mod looking;
mod panics;
mod playing;
mod recovering;
mod resuming;
mod support;
mod timers;
mod websocket;
mod welcoming;
