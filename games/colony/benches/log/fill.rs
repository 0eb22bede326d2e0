//! Bots play games into a store, many at the same time, as on a host.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use colony::{strategy, table::Table};
use colony_rules::{Game, Setup, Timer};
use engine::{Cause, Chain, Header, Input, Rulebook};
use server::log::{
    Acknowledge, Durability, Ending, EventLog, GameKey, LogReader, NewGame, Options, Row, SqliteLog, StoreError,
};

/// The number of games that each thread plays at the same time. Their entries are interleaved in the file.
const AT_A_TIME: usize = 50;
/// 2026-11-16 10:09:06
const CREATED: i64 = 1_794_823_746_000;
/// The time of each command, in milliseconds.
const PACE: u64 = 700;

pub(crate) fn name(game: u64) -> String {
    format!("winter{game:05}")
}

/// Writes this many finished games. Returns the number of their entries.
pub(crate) fn fill(path: &Path, games: u64) -> u64 {
    let log = SqliteLog::open(path, Options { durability: Durability::None, ..Options::default() }).expect("a log");
    let text = colony::scenario("winter").expect("winter is built in");
    let setup = Setup::new(text, None, None).expect("winter is sound");
    let (next, entries) = (AtomicU64::new(1), AtomicU64::new(0));
    let play = || {
        let begin = || Some(next.fetch_add(1, Relaxed)).filter(|&game| game <= games);
        let begin = || begin().map(|game| Played::new(&log, &setup, game));
        let mut open: Vec<Played> = std::iter::from_fn(begin).take(AT_A_TIME).collect();
        while !open.is_empty() {
            open.retain_mut(|game| game.step(&log));
            open.extend(std::iter::from_fn(begin).take(AT_A_TIME - open.len()));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(play);
        }
    });
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    for record in runtime.block_on(log.list()).expect("games") {
        entries.fetch_add(record.tail.entries, Relaxed);
    }
    log.close().expect("everything is stored");
    entries.into_inner()
}

struct Played {
    table: Table,
    key: GameKey,
    chain: Chain,
    players: usize,
    created: i64,
}

impl Played {
    fn new(log: &SqliteLog, setup: &Setup, game: u64) -> Self {
        let (name, seed) = (name(game), game.cast_signed());
        let created = CREATED + seed * 60_000;
        let header = Header::new::<Game>(&name, created, setup.clone(), seed);
        let chain = Chain::new(&header.encode());
        let key = log.create(
            NewGame::new(&name, &header, Some(setup.text.to_string()), created),
            Arc::new(IgnoreAcknowledgement),
        );
        let players = 2 + game as usize % 4;
        let bot = strategy(if game.is_multiple_of(3) { "random" } else { "sensible" }).expect("there is one").bot;
        Self { table: Table::new(setup, seed, &vec![bot; players]), key, chain, players, created }
    }

    /// Plays one command. Returns false if the game is over.
    fn step(&mut self, log: &SqliteLog) -> bool {
        let elapsed = PACE * (self.chain.sequence() + 1);
        let at = self.created + elapsed.cast_signed();
        if let Some((client, command)) = self.table.next_command() {
            let input: Input<_, Timer> =
                Input { elapsed_ms: elapsed, cause: Cause::Command { client, command: command.clone() } };
            self.table.play(client, command);
            let link = self.chain.append(at, &input, self.table.outbox().emissions());
            let row = Row { sequence: link.sequence, bytes: link.bytes.to_vec(), digest: link.digest };
            log.append(self.key, row, Vec::new());
            return true;
        }
        let outcome = self.table.game().outcome().expect("no command is awaited because the game is over").to_string();
        let players = (1..=self.players).map(|bot| format!("bot {bot}")).collect();
        let ending = Ending { outcome, at, players, results: self.table.game().results() };
        log.finish(self.key, ending, Box::new(|stored| stored.expect("the end")));
        false
    }
}

struct IgnoreAcknowledgement;

impl Acknowledge for IgnoreAcknowledgement {
    fn durable(&self, _: u64) {}

    fn failed(&self, error: Arc<StoreError>) {
        panic!("{error}");
    }
}
