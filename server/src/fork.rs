//! Forks: games that start at an entry of another game, with its state and random generator, but with a new name and new
//! clients.

use std::{
    error::Error,
    fmt,
    sync::{Arc, Mutex},
};

use commlib::{Reason, Refused};
use engine::{Chain, Header, Parent};
use tokio::sync::oneshot;

use crate::{
    erased::GameTable,
    interner::SetupInterner,
    log::{
        Acknowledge, Checker, Damage, EventLog, GameHead, GameKey, LogReader, NewGame, ReplayError, Row, StoreError,
    },
    names::{NAME_LENGTH, random_name},
    room::{Rebuilding, caught},
    sync::lock,
    world::World,
};

/// Starts a new game with the state after an entry of a stored game, and returns its name. The source and the target may be the
/// same log. The source game may still be running. The next host of the target log plays the new game. Folds the game within
/// the current task.
///
/// # Errors
///
/// If the game or entry does not exist, the game is over after this entry, or a log fails.
pub async fn fork(
    world: &dyn World,
    games: &GameTable,
    source: &dyn LogReader,
    game: &str,
    sequence: u64,
    into: &dyn EventLog,
) -> Result<String, ForkError> {
    let head = source.find(game).await?.ok_or_else(|| ForkError::NoSuchGame { game: game.into() })?;
    let rows = source.rows(head.record.key, 1).await?;
    let fork = Fork::new(world, games, &Mutex::default(), &head, rows, sequence)?;
    let name = fork.name.clone();
    fork.store(into).await.map(|_| name)
}

/// A game that starts with the entries of another game, folded and ready to be stored.
pub(crate) struct Fork {
    pub(crate) name: String,
    game: NewGame,
    entries: u64,
    replayed: Box<dyn Rebuilding>,
}

impl Fork {
    /// Folds the entries of a game up to and including one entry.
    pub(crate) fn new(
        world: &dyn World,
        games: &GameTable,
        setups: &Mutex<SetupInterner>,
        head: &GameHead,
        mut rows: Vec<Row>,
        sequence: u64,
    ) -> Result<Self, ForkError> {
        let GameHead { record, header, scenario, redacted: _ } = head;
        if sequence > record.tail.entries {
            return Err(ForkError::NoSuchEntry { sequence, entries: record.tail.entries });
        }
        rows.retain(|row| row.sequence <= sequence);
        let mut checker = Checker::new(head).map_err(ForkError::Damaged)?;
        for Row { sequence, bytes, digest } in &rows {
            checker.entry(*sequence, bytes, digest).map_err(ForkError::Damaged)?;
        }
        let found = rows.len() as u64;
        if found != sequence {
            return Err(ForkError::Damaged(Damage::Count { stored: record.tail.entries, found }));
        }

        let name = random_name(world, NAME_LENGTH).map_err(ForkError::NoRandomness)?;
        let digest = rows.last().map_or_else(|| Chain::new(header).digest(), |row| row.digest);
        let parent = Parent { game: record.name.clone(), sequence, digest };
        let (theirs, setup) = Header::split(header).map_err(|error| ForkError::Damaged(Damage::Header(error)))?;
        let ours = Header { game: name.clone(), created: world.now(), parent: Some(parent), ..theirs };
        let mut header = ours.encode();
        header.extend_from_slice(setup);
        let mut chain = Chain::new(&header);
        rows.iter_mut().for_each(|row| row.digest = chain.copy(&row.bytes));

        let rulebook = &record.about.rulebook;
        let rules = games.named(rulebook);
        let rules =
            rules.ok_or_else(|| ReplayError::NoRulebook { rulebook: rulebook.clone() }).map_err(ForkError::Rules)?;
        let mut replayed = caught(|| rules.rebuild(&name, &header, setups)).map_err(ForkError::Rules)?;
        for row in &rows {
            caught(|| replayed.entry(&row.bytes, row.digest)).map_err(ForkError::Rules)?;
        }
        if replayed.is_over() {
            return Err(ForkError::Over { sequence });
        }
        let game = NewGame::fork(&ours, header, scenario.clone(), rows);
        Ok(Self { name, game, entries: sequence, replayed })
    }

    /// Waits until the log has the whole game. The game can then be started.
    pub(crate) async fn store(self, log: &dyn EventLog) -> Result<(GameKey, Box<dyn Rebuilding>), ForkError> {
        let (told, stored) = oneshot::channel();
        let key = log.create(self.game, Arc::new(Awaited { entries: self.entries, told: Mutex::new(Some(told)) }));
        match stored.await {
            Ok(Ok(())) => Ok((key, self.replayed)),
            Ok(Err(error)) => Err(ForkError::Store(error)),
            Err(_) => Err(ForkError::Store(Arc::new(StoreError::Closed))),
        }
    }
}

/// The result of storing a game.
type StoredResult = Result<(), Arc<StoreError>>;

/// Reports when a game is stored.
struct Awaited {
    entries: u64,
    told: Mutex<Option<oneshot::Sender<StoredResult>>>,
}

impl Awaited {
    fn tell(&self, result: Result<(), Arc<StoreError>>) {
        let told = lock(&self.told).take();
        let _waits_no_more = told.map(|told| told.send(result));
    }
}

impl Acknowledge for Awaited {
    fn durable(&self, through: u64) {
        if through >= self.entries {
            self.tell(Ok(()));
        }
    }

    fn failed(&self, error: Arc<StoreError>) {
        self.tell(Err(error));
    }
}

/// Why a game cannot be forked.
#[derive(Debug)]
pub enum ForkError {
    /// The log has no such game.
    NoSuchGame {
        /// The name of the game.
        game: String,
    },
    /// The game still runs, so a fork would reveal its secrets.
    Running {
        /// The name of the game.
        game: String,
    },
    /// The game has no such entry.
    NoSuchEntry {
        /// The number of the entry.
        sequence: u64,
        /// The number of entries of the game.
        entries: u64,
    },
    /// The game is over after this entry.
    Over {
        /// The number of the entry.
        sequence: u64,
    },
    /// The rulebook is unknown, or its rules differ from the log.
    Rules(ReplayError),
    /// The log of the game is damaged.
    Damaged(Damage),
    /// The operating system provides no randomness for a name.
    NoRandomness(Refused),
    /// A log cannot be read or written.
    Store(Arc<StoreError>),
}

impl From<StoreError> for ForkError {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
}

impl From<ForkError> for Refused {
    fn from(error: ForkError) -> Self {
        let reason = match &error {
            ForkError::NoSuchGame { .. } => Reason::UnknownGame,
            ForkError::Running { .. } | ForkError::NoSuchEntry { .. } => Reason::BadMessage,
            ForkError::Over { .. } => Reason::GameOver,
            ForkError::Rules(_) | ForkError::Damaged(_) | ForkError::NoRandomness(_) => Reason::Internal,
            // Details of the disk are only for the operator.
            ForkError::Store(error) => return Self::from(&**error),
        };
        Self::new(reason, format!("No fork: {error}."))
    }
}

impl fmt::Display for ForkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchGame { game } => write!(f, "there is no game {game}"),
            Self::Running { game } => write!(f, "game {game} is not over yet"),
            Self::NoSuchEntry { sequence, entries } => {
                write!(f, "there is no entry {sequence}, the game has {entries}")
            }
            Self::Over { sequence } => write!(f, "the game is over after entry {sequence}, take an earlier one"),
            Self::Rules(why) => write!(f, "the game cannot go on here: {why}"),
            Self::Damaged(damage) => write!(f, "the log of the game is damaged: {damage}"),
            Self::NoRandomness(refused) => f.write_str(&refused.message),
            Self::Store(error) => write!(f, "the log fails: {error}"),
        }
    }
}

impl Error for ForkError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Store(error) => Some(error),
            Self::Rules(error) => Some(error),
            Self::NoSuchGame { .. }
            | Self::Running { .. }
            | Self::NoSuchEntry { .. }
            | Self::Over { .. }
            | Self::Damaged(_)
            | Self::NoRandomness(_) => None,
        }
    }
}
