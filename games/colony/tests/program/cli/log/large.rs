//! A log of many finished games: its size, and how long a host needs to start with it. `HOLDFAST_GAMES=100000 cargo test
//! --workspace --test cli -- --nocapture large_log` runs it with so many, and so do the long tests.
#![allow(clippy::print_stdout, reason = "a measurement is its output")]

use std::{fs, path::Path, sync::mpsc, time::Instant};

use colony_rules::{Game, Setup};
use engine::{Chain, CommId, Header};
use server::log::{Durability, Ending, EventLog, GameKey, NewGame, Options, Row, SqliteLog, StoredClient};

use super::file::{CREATED, FIRST_NIGHT, IgnoreAcknowledgement, Played, Scratch};
use crate::{
    host::HostProcess,
    stored::{open, wait},
};

const ENTRIES: u64 = 37;
/// Games that are written before the writer is waited for.
const AT_A_TIME: u64 = 500;
const STARTS: usize = 5;

/// A game of 37 entries takes fewer bytes, in a log of up to `MANY` games. In a larger log, keys are longer.
const MOST_BYTES: u64 = 4_096;
const MANY: u64 = 100_000;

#[test]
fn large_log() {
    let games = match std::env::var("HOLDFAST_GAMES") {
        Ok(games) => games.parse().expect("a number of games"),
        Err(_) if std::env::var_os("HOLDFAST_LONG").is_some() => 100_000,
        Err(_) => 1_000,
    };
    let scratch = Scratch::new("large");
    let first = Played { name: "first", scenario: "winter", players: 3, until: Some(ENTRIES), ..FIRST_NIGHT };
    let file = scratch.log("games.log", &[first]);
    let path = Path::new(&file);
    let reader = open(path).expect("a log");
    let key = wait(reader.find("first")).expect("a search").expect("a game").record.key;
    let entries: Vec<Vec<u8>> = wait(reader.rows(key, 1)).expect("entries").into_iter().map(|row| row.bytes).collect();
    assert_eq!(entries.len() as u64, ENTRIES);
    drop(reader);

    let (before, since) = (fs::metadata(path).expect("a file").len(), Instant::now());
    write(path, games, &entries);
    let grown = fs::metadata(path).expect("a file").len() - before;
    println!("{games} games of winter with {ENTRIES} entries: {:.1} bytes a game", grown as f64 / games as f64);
    println!("written in {:.1} s", since.elapsed().as_secs_f64());
    assert!(games > MANY || grown < games * MOST_BYTES, "{grown} bytes");
    println!("start with finished games and an older one that runs: {:.0} ms", start(&file));
    end(path, key);
    println!("start with finished games: {:.0} ms", start(&file));
}

/// Writes finished games with these entries.
fn write(path: &Path, games: u64, entries: &[Vec<u8>]) {
    let log = SqliteLog::open(path, Options { durability: Durability::None, ..Options::default() }).expect("a log");
    let setup = Setup::new(colony::scenario("winter").expect("it is built in"), None, None).expect("it is good");
    let (done, ended) = mpsc::channel();
    for game in 1..=games {
        let name = format!("game{game:06}");
        let header = Header::new::<Game>(&name, CREATED, setup.clone(), game.cast_signed());
        let mut chain = Chain::new(&header.encode());
        let new = NewGame::new(&name, &header, Some(setup.text.to_string()), CREATED);
        let key = log.create(new, std::sync::Arc::new(IgnoreAcknowledgement));
        for client in 1..=3 {
            let name = format!("bot {client}");
            let client = StoredClient { client: CommId(client), token_hash: [7; 32], name, joined: CREATED };
            log.add_client(key, client, Box::new(|stored| stored.expect("a client")));
        }
        for (bytes, sequence) in entries.iter().zip(1..) {
            let digest = chain.copy(bytes);
            log.append(key, Row { sequence, bytes: bytes.clone(), digest }, Vec::new());
        }
        let players = (1..=3).map(|bot| format!("bot {bot}")).collect();
        let ending = Ending { outcome: "won".into(), at: CREATED + 60_000, players, results: Vec::new() };
        let done = done.clone();
        log.finish(key, ending, Box::new(move |stored| done.send(stored.is_ok()).expect("the test waits")));
        if game % AT_A_TIME == 0 {
            (0..AT_A_TIME).for_each(|_| assert!(ended.recv().expect("an end")));
        }
    }
    log.close().expect("everything is stored");
}

/// Ends a game that runs.
fn end(path: &Path, game: GameKey) {
    let log = SqliteLog::open(path, Options::default()).expect("a log");
    log.resume(game, ENTRIES + 1, std::sync::Arc::new(IgnoreAcknowledgement));
    let ending = Ending { outcome: "won".into(), at: CREATED + 60_000, players: Vec::new(), results: Vec::new() };
    let (done, ended) = mpsc::channel();
    log.finish(game, ending, Box::new(move |stored| done.send(stored.is_ok()).expect("the test waits")));
    assert!(ended.recv().expect("an end"));
    log.close().expect("everything is stored");
}

/// Milliseconds from the start of the process until it is ready, the best of several times.
fn start(log: &str) -> f64 {
    let times = (0..STARTS).map(|_| {
        let since = Instant::now();
        let host = HostProcess::start(&["--log", log]);
        let took = since.elapsed().as_secs_f64() * 1000.0;
        host.stop();
        took
    });
    times.fold(f64::INFINITY, f64::min)
}
