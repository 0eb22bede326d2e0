//! Opens a log of 10,000 unfinished games: every entry is read, verified, folded again and compared.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use colony::{strategy, table::Table};
use colony_rules::{Game, Setup};
use engine::{Cause, Chain, CommId, Header, Input, Rulebook};
use rusqlite::{Connection, OpenFlags};
use server::{
    Host, Options,
    log::{Acknowledge, Durability, EventLog, GameKey, NewGame, Row, SqliteLog, StoreError, StoredClient},
};
use slog::{Logger, o};

use crate::{
    process::{Folder, Process},
    table::{Line, Target, median, print},
};

const GAMES: usize = 10_000;
const ENTRIES: usize = 100;
const PLAYERS: usize = 5;
const RUNS: usize = 5;

pub(crate) fn run() {
    let folder = Folder::new();
    let log = folder.file("recovery.log");
    write(&log);
    let entries = (GAMES * ENTRIES) as f64;
    let mut runs = Vec::new();
    for _ in 0..RUNS {
        let mut recovering = Process::role(&["recover", log.to_str().expect("a path in UTF-8")]);
        let seconds: f64 = recovering.line().parse().expect("seconds");
        runs.push((entries / seconds, entries / scan(&log).as_secs_f64()));
    }
    let of = |figure: fn(&(f64, f64)) -> f64| median(runs.iter().map(figure).collect());
    let ours = of(|(ours, _)| *ours);
    print(
        &format!("recovery: {GAMES} unfinished games, {entries} entries; medians of {RUNS} runs, limit: a bare scan"),
        &[Line {
            what: "Host::open",
            unit: "entries/s",
            ours,
            limit: Some(of(|(_, scanned)| *scanned)),
            found: ours,
            target: Target::AtLeast(500_000.0),
        }],
    );
}

/// The role: opens a host on a log and prints the seconds that it took.
pub(crate) fn recover(log: &str) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let log = Arc::new(SqliteLog::open(Path::new(log), Default::default()).expect("a log"));
    let logger = Logger::root(slog::Discard, o!());
    let start = Instant::now();
    let options = Options::new(holdfast::game_table(), log, logger);
    let host = runtime.block_on(Host::open(options)).expect("a host");
    let took = start.elapsed();
    assert_eq!(host.list().len(), GAMES, "all games are back");
    println!("{}", took.as_secs_f64());
    // Exits without writing, so that the next run finds the same log.
    std::process::exit(0);
}

/// Reads every column of every row with SQLite and ignores the values.
fn scan(log: &Path) -> Duration {
    let start = Instant::now();
    let file = Connection::open_with_flags(log, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("a log");
    let mut rows = file.prepare("SELECT id, game, sequence, digest, bytes FROM entries ORDER BY id").expect("a query");
    let mut rows = rows.query([]).expect("rows");
    let mut bytes = 0;
    while let Some(row) = rows.next().expect("a row") {
        let length = |column| row.get_ref(column).expect("a column").as_blob().expect("bytes").len();
        bytes += length(3) + length(4);
        assert!(row.get::<_, i64>(1).is_ok() && row.get::<_, i64>(2).is_ok());
    }
    assert!(bytes > GAMES * ENTRIES);
    start.elapsed()
}

/// A game that bots play into the store.
struct Played {
    table: Table,
    key: GameKey,
    chain: Chain,
}

/// Writes the log. Bots play all games at once, one entry of each in turn, and stop in the middle.
fn write(path: &Path) {
    let options = server::log::Options { durability: Durability::None, ..Default::default() };
    let log = SqliteLog::open(path, options).expect("a log");
    let text = colony::scenario("winter").expect("winter is built in");
    let setup = Setup::new(text, None, None).expect("winter is sound");
    let mut games: Vec<Played> = long_seeds(&setup).map(|seed| Played::new(&log, &setup, seed)).collect();
    for _ in 0..ENTRIES {
        games.iter_mut().for_each(|game| game.step(&log));
    }
    log.close().expect("everything is stored");
}

/// Seeds of games that have more entries than are played here.
fn long_seeds(setup: &Setup) -> impl Iterator<Item = i64> {
    let lasts = |seed: &i64| {
        let mut table = Played::table(setup, *seed);
        (0..ENTRIES).for_each(|_| {
            if let Some((client, command)) = table.next_command() {
                table.play(client, command);
            }
        });
        table.game().outcome().is_none()
    };
    (1..).filter(lasts).take(GAMES)
}

impl Played {
    fn table(setup: &Setup, seed: i64) -> Table {
        Table::new(setup, seed, &[strategy("random").expect("there is a random bot").bot; PLAYERS])
    }

    fn new(log: &SqliteLog, setup: &Setup, seed: i64) -> Self {
        let name = format!("game {seed}");
        let header = Header::new::<Game>(&name, 0, setup.clone(), seed);
        let chain = Chain::new(&header.encode());
        let scenario = Some(setup.text.to_string());
        let key = log.create(NewGame::new(&name, &header, scenario, 0), Arc::new(IgnoreAcknowledgement));
        for client in (1..).take(PLAYERS).map(CommId) {
            let stored = StoredClient { client, token_hash: [client.0 as u8; 32], name: String::new(), joined: 0 };
            log.add_client(key, stored, Box::new(|stored| stored.expect("a client")));
        }
        Self { table: Self::table(setup, seed), key, chain }
    }

    fn step(&mut self, log: &SqliteLog) {
        let (client, command) = self.table.next_command().expect("it lasts longer");
        let input = Input { elapsed_ms: 0, cause: Cause::Command { client, command: command.clone() } };
        self.table.play(client, command);
        let link = self.chain.append(0, &input as &Input<_, colony_rules::Timer>, self.table.outbox().emissions());
        let row = Row { sequence: link.sequence, bytes: link.bytes.to_vec(), digest: link.digest };
        log.append(self.key, row, Vec::new());
    }
}

struct IgnoreAcknowledgement;

impl Acknowledge for IgnoreAcknowledgement {
    fn durable(&self, _: u64) {}

    fn failed(&self, error: Arc<StoreError>) {
        panic!("{error}");
    }
}
