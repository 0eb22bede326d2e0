//! The host over real sockets, with a rulebook of its own, because `server` does not depend on any game.
//!
//! - `playing`: games are created, listed, joined and watched in both wire forms; each client receives its own numbered events
//! - `welcoming`: the content of a welcome, in each version of the protocol
//! - `resuming`: missed events are sent once; finished games; unknown tokens and event numbers
//! - `recovering`: a host that stopped or was cut off continues its games
//! - `forking`: a fork starts at an entry of another game, and players can claim its seats
//! - `access`: who may come into a game, and who may change that
//! - `accounts`: registering, signing in, tokens, names, standings, bans, reports; who may use which of it
//! - `adding_bots`: bots that a player adds to a game
//! - `web_files`: files of pages from outside, and those that must not be served
//! - `backup`: backs up the log while the host writes to it
//! - `timers`: timers change a game without any message
//! - `durability`: nothing is sent before it is durable, and games end if the store fails
//! - `creating`: a game is durable before a client is told its name, over every route that creates one
//! - `guards`: a client that breaks a limit gets the reason and is disconnected; no other is affected
//! - `crowding`: one address cannot take what belongs to all; others keep their latency
//! - `pace`: a client that waits for answers is slowed down and stays; a flood is disconnected
//! - `http`: metrics and health, and the tables of docs/operations.md
//! - `notices`: presence and chat, for clients that ask
//! - `offers`: a client is told what it can do, behind the events that this depends on
//! - `origins`: pages of other sites get no answer
//! - `looking`: games over HTTP, finished and live; secrets of running games; who may change something
//! - `managing`: the creator of a game manages it over the wire
//! - `websocket`: playing over the HTTP port, with the same limits as over TCP
//! - `panics`: rules that panic stop only their own game
//! - `housekeeping`: finished games are removed, archived and redacted
//! - `who_may`: every route and message, tried by each person
//! - `handle`: gateways with another protocol: durable answers, following, games that are over
//! - `cluster`: several hosts on one store: takeover, burial, draining, names and lists
//! - `forwarding`: any host takes any client: over TCP, WebSockets and HTTP; dead owners, limits, and the cluster port itself
//! - `counter`: the rulebook
//! - `support`: a host on a port, and players with short methods

mod access;
mod accounts;
mod adding_bots;
mod backup;
#[path = "../shared/clock.rs"]
mod clock;
mod cluster;
mod counter;
mod creating;
mod crowding;
mod durability;
mod forking;
mod forwarding;
mod guards;
mod handle;
mod housekeeping;
mod http;
mod looking;
mod managing;
mod notices;
mod offers;
mod origins;
mod pace;
mod panics;
mod playing;
mod recovering;
mod resuming;
mod support;
mod timers;
mod web_files;
mod websocket;
mod welcoming;
mod who_may;
