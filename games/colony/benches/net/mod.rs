//! Benchmarks of the host with games of colony.
//!
//! - `pingpong`: one client, beside a bare echo server
//! - `durable`: many games with every commit on the disk, beside a bare SQLite writer
//! - `open`: memory and processor time of a host with 10,000 open games that are not played
//! - `watch`: a game with 500 spectators as browsers, beside the same game without them
//! - `recovery`: a log of 10,000 unfinished games, beside a bare scan of its rows
//! - `drive`: the load generator

mod drive;
mod durable;
mod open;
mod pingpong;
mod recovery;
mod watch;

use crate::Measured;

pub(crate) const MEASURED: Measured = Measured {
    parts: &[
        ("pingpong", pingpong::run),
        ("durable", durable::run),
        ("open", open::run),
        ("watch", watch::run),
        ("recovery", recovery::run),
    ],
    role,
};

fn role(words: &[&str]) -> bool {
    match *words {
        ["drive", address, whom, connections, seconds] => drive::run(address, whom, connections, seconds),
        ["hold", address, games] => open::hold(address, games),
        ["watch", http, game, watchers] => watch::watch(http, game, watchers),
        ["recover", log] => recovery::recover(log),
        _ => return false,
    }
    true
}
