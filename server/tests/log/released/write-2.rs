//! Writes the log that is kept for version 2, with the store of the commit that `make.py` names. Not part of today's tests.

use std::{path::Path, sync::Arc};

use engine::{Cause, Chain, CommId, Emission, FORMAT, Header, Input, Parent};
use server::log::{EventLog, GameKey, NewGame, Options, Row, SqliteLog};

use crate::support::{Ear, SCENARIO, add_client, finish};

fn header_with<S>(name: &str, setup: S) -> Header<S> {
    let (game, rulebook, edition) = (name.into(), "stones".into(), "short".into());
    Header { format: FORMAT, game, created: 0, rulebook, edition, rules_version: 1, seed: 7, parent: None, setup }
}

struct Game {
    key: GameKey,
    chain: Chain,
}

impl Game {
    fn create(log: &dyn EventLog, name: &str) -> Self {
        let header = header_with(name, SCENARIO.to_owned());
        let game = NewGame::new(name, &header, Some(SCENARIO.into()), 1_000);
        Self { key: log.create(game, Arc::<Ear>::default()), chain: Chain::new(&header.encode()) }
    }

    fn append(&mut self, log: &dyn EventLog, size: usize) -> Row {
        let command = "x".repeat(size);
        let input: Input<_, ()> = Input { elapsed: 3, cause: Cause::Command { client: CommId(1), command } };
        let link = self.chain.append(4, &input, &[] as &[Emission<()>]);
        let row = Row { sequence: link.sequence, bytes: link.bytes.to_vec(), digest: link.digest };
        log.append(self.key, row.clone());
        row
    }
}

#[test]
fn write() {
    let path = std::env::var("HOLDFAST_RELEASED").expect("the path of the new log");
    let log = SqliteLog::open(Path::new(&path), Options::default()).expect("a log");
    let mut over = Game::create(&log, "over");
    let row = over.append(&log, 20);
    over.append(&log, 20);
    add_client(&log, over.key, 1).expect("a client");
    finish(&log, over.key, "won", 5);
    let mut running = Game::create(&log, "running");
    add_client(&log, running.key, 1).expect("a client");
    add_client(&log, running.key, 4).expect("a client");
    (0..3).for_each(|_| drop(running.append(&log, 40)));
    let parent = Some(Parent { game: "over".into(), sequence: 1, digest: row.digest });
    let other = Header { parent, ..header_with("other", (9_u8, "a field".to_owned())) };
    log.create(NewGame::new("other", &other, Some("a field".into()), 2_000), Arc::<Ear>::default());
    log.create(NewGame::new("bare", &header_with("bare", CommId(300)), None, 3_000), Arc::<Ear>::default());
    log.close().expect("a clean end");
}
