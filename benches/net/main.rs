//! What the host does over real sockets and on a real disk, each figure beside the limit measured in the same run.
//!
//! Run it with `cargo xtask bench net [PART]`. Host, echo server and load generators are processes of their own: the last two
//! are this program again, with a role.
//!
//! - `pingpong`: one client, beside a bare echo server
//! - `durable`: many games with every commit on the disk, beside a bare SQLite writer for the same producers
//! - `open`: memory and processor time of a host with 10,000 games that nobody plays
//! - `watch`: a game with 500 watchers in the browser's way, beside the same game without
//! - `recovery`: a log of 10,000 unfinished games, beside a bare scan of its rows
//! - `treasure`: the status of treasure games, beside a bare axum handler with an answer of the same size
//! - `relay`: the Communication Server of the project game, beside a bare relay of frames
//! - `agents`: the project game with 16 players on slow links, with 64 players, and 50 games at once
#![allow(clippy::print_stdout, reason = "a benchmark is its output")]

mod agents;
mod bare;
mod drive;
mod durable;
mod echo;
mod open;
mod pingpong;
mod process;
mod recovery;
mod relay;
mod table;
mod treasure;
mod watch;

type Part = (&'static str, fn());

const PARTS: &[Part] = &[
    ("pingpong", pingpong::run),
    ("durable", durable::run),
    ("open", open::run),
    ("watch", watch::run),
    ("recovery", recovery::run),
    ("treasure", treasure::run),
    ("relay", relay::run),
    ("agents", agents::run),
];

fn main() {
    // Cargo says `--bench` to every benchmark.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["role", "echo"] => echo::serve(),
        ["role", "bare", path, row] => bare::serve(path, row),
        ["role", "drive", address, whom, connections, seconds] => drive::run(address, whom, connections, seconds),
        ["role", "hold", address, games] => open::hold(address, games),
        ["role", "watch", http, game, watchers] => watch::watch(http, game, watchers),
        ["role", "recover", log] => recovery::recover(log),
        ["role", "relay"] => relay::relay(),
        ["role", "messages", address, whom, seconds] => relay::messages(address, whom, seconds),
        ["role", "constant", size] => treasure::constant(size),
        ["role", "poll", address, path, connections, seconds] => treasure::poll(address, path, connections, seconds),
        [] => PARTS.iter().for_each(|(_, run)| run()),
        [name] => match PARTS.iter().find(|(known, _)| *known == name) {
            Some((_, run)) => run(),
            None => unknown(name),
        },
        [_, word, ..] => unknown(word),
    }
}

fn unknown(word: &str) {
    let names: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
    panic!("no part {word}; there are {}", names.join(", "));
}
