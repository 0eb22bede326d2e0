//! The stores of the log.
//!
//! - `stores`: the guarantees of every store, as rows that run with each of them
//! - `cluster`: stores that several hosts share; `shared/membership.rs` has the rows
//! - `reading`: written games can be read, listed and recovered
//! - `released`: logs of released versions
//! - `removal`: games are removed and leave tombstones; names are redacted
//! - `files`: which files can be opened, and by which process
//! - `copying`: games are copied from store to store
//! - `crash`: acknowledged entries survive the end of the process, even if the file is cut
//! - `cuts`: connections to PostgreSQL that are lost or do not answer
//! - `eager`: entries are acknowledged before they are written (durability none)
//! - `encrypted`: encrypted connections to PostgreSQL
//! - `faults`: full disks, failing writes, writes that are held back
//! - `backup`: a log is copied while it is written
//! - `salvage`: games are copied from a file whose pages were destroyed
//! - `host_store`: what a host keeps beside its games
//! - `heads`: the ends of games, kept elsewhere, tell a log that was rewritten
//! - `tampering`: changes in a log are detected
//! - `support`: games without rules, and a receiver of their acknowledgements

mod backup;
mod cluster;
mod copying;
mod crash;
#[cfg(feature = "postgres")]
mod cuts;
mod eager;
#[cfg(feature = "postgres")]
mod encrypted;
mod faults;
mod files;
mod heads;
mod host_store;
#[path = "../shared/membership.rs"]
mod membership;
mod reading;
mod released;
mod removal;
mod salvage;
mod stores;
mod support;
mod tampering;
