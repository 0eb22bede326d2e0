//! Log files for tests: games among bots, written as a host writes them.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use colony::{strategy, table::Table};
use colony_rules::{Command, Event, Game, Setup, Timer};
use engine::{Cause, Chain, CommId, Emission, Header, Input, Rulebook, Waiting};
use server::log::{Acknowledge, Durability, Ending, EventLog, NewGame, Options, Row, SqliteLog, StoreError};

/// 2026-11-16 10:09:06
pub(super) const CREATED: i64 = 1_794_823_746_000;

/// A folder with a log. Dropping it deletes the folder.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("holdfast-log-{test}-{}", std::process::id()));
        let _left_behind = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub(super) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("the path is text").to_owned()
    }

    /// Writes a log with these games.
    pub(super) fn log(&self, name: &str, games: &[Played]) -> String {
        let path = self.path(name);
        let options = Options { durability: Durability::None, ..Default::default() };
        let log = SqliteLog::open(Path::new(&path), options).expect("a log");
        games.iter().for_each(|game| game.write(&log));
        log.close().expect("everything is stored");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

/// Changes the emissions of an entry.
pub(super) type Spoil = fn(&mut Vec<Emission<Event>>);

/// A game among random bots.
#[derive(Clone)]
pub(super) struct Played {
    pub(super) name: &'static str,
    pub(super) scenario: &'static str,
    pub(super) seed: i64,
    pub(super) players: usize,
    /// The number of entries; `None`: the whole game.
    pub(super) until: Option<u64>,
    /// The number of the entry that is a command out of turn.
    pub(super) refused: Option<u64>,
    /// Changes the emissions of the entry with this number.
    pub(super) spoil: Option<(u64, Spoil)>,
    /// Changes the header of the game.
    pub(super) change: fn(&mut Header<Setup>),
    /// Replaces the outcome of the game.
    pub(super) outcome: Option<&'static str>,
}

/// A game of `first-night` for two.
pub(super) const FIRST_NIGHT: Played = Played {
    name: "ab3dk29xyz",
    scenario: "first-night",
    seed: 1,
    players: 2,
    until: None,
    refused: None,
    spoil: None,
    change: |_| (),
    outcome: None,
};

impl Played {
    fn write(&self, log: &SqliteLog) {
        let text = colony::scenario(self.scenario).expect("it is built in");
        let setup = Setup::new(text, None, None).expect("a good scenario");
        let mut header = Header::new::<Game>(self.name, CREATED, setup.clone(), self.seed);
        (self.change)(&mut header);
        let mut chain = Chain::new(&header.encode());
        let key =
            log.create(NewGame::new(self.name, &header, Some(text.into()), CREATED), Arc::new(IgnoreAcknowledgement));
        let bot = strategy("random").expect("there is one").bot;
        let mut table = Table::new(&setup, self.seed, &vec![bot; self.players]);
        let mut sequence = 0;
        while self.until.is_none_or(|until| sequence < until) {
            sequence += 1;
            let Some((client, command)) = self.next(&mut table, sequence) else { break };
            let cause = Cause::Command { client, command };
            table.take(cause.clone());
            let mut emissions = table.outbox().emissions().to_vec();
            if let Some((at, spoil)) = self.spoil
                && at == sequence
            {
                spoil(&mut emissions);
            }
            let input: Input<_, Timer> = Input { elapsed_ms: 1000 * sequence, cause };
            let link = chain.append(CREATED + 1000 * sequence.cast_signed(), &input, &emissions);
            let row = Row { sequence: link.sequence, bytes: link.bytes.to_vec(), digest: link.digest };
            log.append(key, row, Vec::new());
        }
        let outcome = self.outcome.map(str::to_owned);
        if let Some(outcome) = outcome.or_else(|| table.game().outcome().map(|outcome| outcome.to_string())) {
            let players = (1..=self.players).map(|bot| format!("bot {bot}")).collect();
            let at = CREATED + 1000 * sequence.cast_signed();
            let ending = Ending { outcome, at, players, results: table.game().results() };
            log.finish(key, ending, Box::new(|stored| stored.expect("the end")));
        }
    }

    fn next(&self, table: &mut Table, sequence: u64) -> Option<(CommId, Command)> {
        if self.refused == Some(sequence)
            && let Waiting::One(CommId(awaited)) = table.game().waiting_for()
        {
            return Some((CommId(3 - awaited), Command::EndTurn {}));
        }
        table.next_command()
    }
}

pub(super) struct IgnoreAcknowledgement;

impl Acknowledge for IgnoreAcknowledgement {
    fn durable(&self, _: u64) {}

    fn failed(&self, error: Arc<StoreError>) {
        panic!("{error}");
    }
}
