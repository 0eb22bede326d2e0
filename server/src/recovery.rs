//! Bringing games back: one scan over the log, every entry folded again and compared.
//!
//! One thread reads and verifies; the games are dealt out to others, which fold them.

use std::{collections::HashMap, num::NonZero, ops::Range, sync::mpsc, thread, time::Instant};

use engine::Digest;
use slog::{error, info, warn};

use crate::{
    erased::GameTable,
    log::{GameHead, GameKey, Recovered, RecoveryStats, StoreError, StoredClient},
    room::{Rebuilding, RoomServices, caught},
};

/// A game that can go on, and where the log has it.
pub(crate) type ReadyGame = (GameKey, Box<dyn Rebuilding>);

/// Rebuilds every unfinished game of the log, in the order of their keys.
pub(crate) fn run(services: &RoomServices, table: &GameTable) -> Result<Vec<ReadyGame>, StoreError> {
    let since = Instant::now();
    let folders = thread::available_parallelism().map_or(1, NonZero::get);
    let (stats, mut games) = thread::scope(|scope| {
        let (lanes, folding): (Vec<Lane>, Vec<_>) = (0..folders)
            .map(|_| {
                let (lane, batches) = Lane::new();
                (lane, scope.spawn(move || fold(services, table, &batches)))
            })
            .unzip();
        let stats = scan(services, lanes);
        let games = folding.into_iter().flat_map(|folder| folder.join().expect("panics of the rules are caught"));
        (stats, games.collect::<Vec<_>>())
    });
    let stats = stats?;
    games.sort_unstable_by_key(|(key, _)| *key);
    services.metrics.recovered(games.len(), stats, since.elapsed());
    if stats.games > 0 {
        let (games, of) = (games.len(), stats.games);
        info!(services.logger, "games are back"; "games" => games, "entries" => stats.entries, "of" => of);
    }
    Ok(games)
}

/// Deals out what the log has; a game always goes to the same folder.
fn scan(services: &RoomServices, mut lanes: Vec<Lane>) -> Result<RecoveryStats, StoreError> {
    let count = lanes.len() as u64;
    let place = |game: GameKey| (game.0.cast_unsigned() % count) as usize;
    let stats = services.log.recover(&mut |found| match found {
        Recovered::Game { head } => lanes[place(head.record.key)].push(Found::Game { head: Box::new(head.clone()) }),
        Recovered::Client { game, client } => lanes[place(game)].push(Found::Client { game, client: client.clone() }),
        Recovered::Entry { game, bytes, digest, .. } => lanes[place(game)].push_entry(game, bytes, digest),
        Recovered::Damaged { game, damage } => {
            lanes[place(game)].push(Found::Damaged { game, why: damage.to_string() });
        }
    });
    lanes.into_iter().for_each(Lane::end);
    stats
}

/// How much is handed over at once.
const BATCH: usize = 256;

/// How many batches may wait for a folder.
const LONGEST_LANE: usize = 16;

/// The way from the scan to one folder.
struct Lane {
    batches: mpsc::SyncSender<Batch>,
    batch: Batch,
}

/// Part of a log. The bytes of all its entries are in one piece.
#[derive(Default)]
struct Batch {
    found: Vec<Found>,
    bytes: Vec<u8>,
}

enum Found {
    Game { head: Box<GameHead> },
    Client { game: GameKey, client: StoredClient },
    Entry { game: GameKey, bytes: Range<usize>, digest: Digest },
    Damaged { game: GameKey, why: String },
}

impl Lane {
    fn new() -> (Self, mpsc::Receiver<Batch>) {
        let (batches, received) = mpsc::sync_channel(LONGEST_LANE);
        (Self { batches, batch: Batch::default() }, received)
    }

    fn push_entry(&mut self, game: GameKey, bytes: &[u8], digest: Digest) {
        let start = self.batch.bytes.len();
        self.batch.bytes.extend_from_slice(bytes);
        self.push(Found::Entry { game, bytes: start..self.batch.bytes.len(), digest });
    }

    fn push(&mut self, found: Found) {
        self.batch.found.push(found);
        if self.batch.found.len() >= BATCH {
            let full = std::mem::take(&mut self.batch);
            // A folder that is gone has panicked, which its end says.
            let _gone = self.batches.send(full);
        }
    }

    fn end(self) {
        let _gone = self.batches.send(self.batch);
    }
}

/// Folds the games of one lane; those that can go on.
fn fold(services: &RoomServices, table: &GameTable, batches: &mpsc::Receiver<Batch>) -> Vec<ReadyGame> {
    let logger = &services.logger;
    let mut games: HashMap<GameKey, Box<dyn Rebuilding>> = HashMap::new();
    let mut names: HashMap<GameKey, String> = HashMap::new();
    for batch in batches {
        for found in batch.found {
            match found {
                Found::Game { head } => {
                    let (key, name) = (head.record.key, head.record.name.clone());
                    match begin(services, table, &head) {
                        Ok(game) => drop(games.insert(key, game)),
                        Err(why) => warn!(logger, "a game stays as it is"; "game" => &name, "why" => why),
                    }
                    names.insert(key, name);
                }
                Found::Client { game, client } => {
                    games.get_mut(&game).into_iter().for_each(|game| game.client(&client));
                }
                Found::Entry { game, bytes, digest } => {
                    if let Some(found) = games.get_mut(&game)
                        && let Err(why) = caught(|| found.entry(&batch.bytes[bytes], digest))
                    {
                        let name = names.get(&game);
                        error!(logger, "a game differs from its log and stays as it is"; "game" => name, "why" => why);
                        games.remove(&game);
                    }
                }
                Found::Damaged { game, why } => {
                    error!(logger, "the log of a game is damaged"; "game" => names.get(&game), "why" => why);
                    games.remove(&game);
                }
            }
        }
    }
    games.into_iter().collect()
}

fn begin(services: &RoomServices, table: &GameTable, head: &GameHead) -> Result<Box<dyn Rebuilding>, String> {
    let rulebook = &head.record.about.rulebook;
    let rules = table.named(rulebook).ok_or_else(|| format!("no rulebook {rulebook} here"))?;
    caught(|| rules.rebuild(&head.record.name, &head.header, &services.setups))
}
