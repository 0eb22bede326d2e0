//! Recovers games: scans the log once, folds every entry again and compares the result.
//!
//! The log reads and verifies the entries. The games are distributed to as many folders as there are cores.

use std::{collections::HashMap, error::Error, sync::Arc};

use commlib::{Reason, Refused};
use engine::Difference;
use slog::{Logger, error, info, warn};
use tokio::{sync::mpsc, task::JoinHandle, time::Instant};

use crate::{
    erased::GameTable,
    log::{GameHead, GameKey, Recovered, RecoveredBatch, RecoveryStats, ReplayError, Selection, StoreError},
    room::{Rebuilding, RoomServices, caught},
};

/// A game that can be continued, and its key in the log.
pub(crate) type ReadyGame = (GameKey, Box<dyn Rebuilding>);

/// The capacity of the channels to the scan and to each folder, in batches.
const WAITING: usize = 16;

/// The result of a recovery.
#[derive(Default)]
pub(crate) struct RecoveredGames {
    /// The games that can be continued, in the order of their keys.
    pub(crate) ready: Vec<ReadyGame>,
    /// The names of the games that cannot be continued, with the reason for their clients.
    pub(crate) stuck: Vec<(String, Refused)>,
}

/// Rebuilds games of the log. It works at any time. Games that cannot be continued are logged and left out.
pub(crate) async fn run(
    services: &Arc<RoomServices>,
    table: &GameTable,
    which: Selection,
) -> Result<RecoveredGames, StoreError> {
    let since = Instant::now();
    let count = services.world.cores().get();
    let (lanes, folding): (Vec<Lane>, Vec<_>) =
        (0..count).map(|lane| start_folder(services, table, lane, count)).unzip();
    let stats = scan(services, which, lanes).await;
    let mut games = RecoveredGames::default();
    for folder in folding {
        let RecoveredGames { ready, stuck } = folder.await.expect("panics of the rules are caught");
        games.ready.extend(ready);
        games.stuck.extend(stuck);
    }
    let stats = stats?;
    games.ready.sort_unstable_by_key(|(key, _)| *key);
    services.metrics.recovered(games.ready.len(), stats, since.elapsed());
    if stats.games > 0 {
        let (games, of) = (games.ready.len(), stats.games);
        info!(services.logger, "games are back"; "games" => games, "entries" => stats.entries, "of" => of);
    }
    Ok(games)
}

/// The channel from the scan to one folder.
type Lane = mpsc::Sender<Arc<RecoveredBatch>>;

/// Sends every batch to every folder. Each folder takes its own games from it.
async fn scan(services: &RoomServices, which: Selection, lanes: Vec<Lane>) -> Result<RecoveryStats, StoreError> {
    let (found, mut batches) = mpsc::channel::<RecoveredBatch>(WAITING);
    let dealing = async {
        while let Some(batch) = batches.recv().await {
            let batch = Arc::new(batch);
            for lane in &lanes {
                // A folder that is gone has panicked, which is reported when it is joined.
                let _gone = lane.send(batch.clone()).await;
            }
        }
    };
    let (stats, ()) = tokio::join!(services.log.recover(which, found), dealing);
    stats
}

fn start_folder(
    services: &Arc<RoomServices>,
    table: &GameTable,
    lane: usize,
    lanes: usize,
) -> (Lane, JoinHandle<RecoveredGames>) {
    let (sender, mut batches) = mpsc::channel::<Arc<RecoveredBatch>>(WAITING);
    let services = services.clone();
    let mut folder = Folder { services: services.clone(), table: table.clone(), lane, lanes, games: HashMap::new() };
    let folding = tokio::spawn(async move {
        while let Some(batch) = batches.recv().await {
            let folded = services.world.blocking(move || {
                folder.take(&batch);
                folder
            });
            folder = folded.await.expect("panics of the rules are caught");
        }
        let mut games = RecoveredGames::default();
        for (key, FoldedGame { name, rebuilding }) in folder.games {
            match rebuilding {
                Ok(rebuilding) => games.ready.push((key, rebuilding)),
                Err(refused) => games.stuck.push((name, refused)),
            }
        }
        games
    });
    (sender, folding)
}

/// Folds the games of one lane.
struct Folder {
    services: Arc<RoomServices>,
    table: GameTable,
    lane: usize,
    lanes: usize,
    games: HashMap<GameKey, FoldedGame>,
}

/// A game up to the entries folded so far.
struct FoldedGame {
    name: String,
    /// The game, or why it cannot be continued.
    rebuilding: Result<Box<dyn Rebuilding>, Refused>,
}

impl Folder {
    /// Folds the items of its own games.
    fn take(&mut self, batch: &RecoveredBatch) {
        // A game always goes to the same folder.
        let (lane, lanes) = (self.lane as u64, self.lanes as u64);
        for found in batch.iter().filter(|found| found.game().0.cast_unsigned() % lanes == lane) {
            match found {
                // One that was listed as unfinished may have ended since then.
                Recovered::Game { head } if head.record.end.is_some() => {}
                Recovered::Game { head } => self.begin(head),
                Recovered::Client { game, client } => {
                    let game = self.games.get_mut(&game).and_then(|game| game.rebuilding.as_mut().ok());
                    game.into_iter().for_each(|game| game.client(client));
                }
                Recovered::Entry { game, bytes, digest, .. } => {
                    let Some(game) = self.games.get_mut(&game) else { continue };
                    let Ok(rebuilding) = &mut game.rebuilding else { continue };
                    if let Err(why) = caught(|| rebuilding.entry(bytes, digest)) {
                        game.give_up(&self.services.logger, "a game differs from its log and stays as it is", &why);
                    }
                }
                Recovered::Damaged { game, damage } => {
                    let game = self.games.get_mut(&game).into_iter();
                    game.for_each(|game| game.give_up(&self.services.logger, "the log of a game is damaged", damage));
                }
            }
        }
    }

    fn begin(&mut self, head: &GameHead) {
        let (key, name) = (head.record.key, head.record.name.clone());
        let rebuilding = begin(&self.services, &self.table, head)
            .inspect_err(|why| warn!(self.services.logger, "a game stays as it is"; "game" => &name, "why" => %why));
        let rebuilding = rebuilding.map_err(|why| match why {
            ReplayError::NoRulebook { .. } | ReplayError::Differs(Difference::Rules { .. }) => {
                Refused::new(Reason::StoreFailed, format!("This server cannot continue the game: {why}."))
            }
            ReplayError::Header(_) | ReplayError::Entry { .. } | ReplayError::Differs(_) | ReplayError::Panicked => {
                damaged()
            }
        });
        self.games.insert(key, FoldedGame { name, rebuilding });
    }
}

impl FoldedGame {
    fn give_up(&mut self, logger: &Logger, what: &'static str, why: &dyn Error) {
        error!(logger, "{}", what; "game" => &self.name, "why" => %why);
        self.rebuilding = Err(damaged());
    }
}

/// The reason for the clients of a damaged game. The details are for the operator.
fn damaged() -> Refused {
    Refused::new(Reason::Damaged, "The log of this game is damaged, so it cannot continue.")
}

fn begin(services: &RoomServices, table: &GameTable, head: &GameHead) -> Result<Box<dyn Rebuilding>, ReplayError> {
    let rulebook = &head.record.about.rulebook;
    let rules = table.named(rulebook).ok_or_else(|| ReplayError::NoRulebook { rulebook: rulebook.clone() })?;
    caught(|| rules.rebuild(&head.record.name, &head.header, &services.setups))
}
