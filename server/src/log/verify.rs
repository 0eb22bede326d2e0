//! Detects changes in a log, without the rules.

use std::{
    collections::{BTreeMap, HashMap},
    error::Error,
    fmt,
};

use engine::{Chain, Digest, Header, Undecodable};

use crate::log::{
    About, GameHead, GameKey, Head, HeadDifference, Heads, LogReader, Recovered, Redacted, Selection, StoreError, Tail,
    Tombstone, visit,
};

/// Entries between two calls of the progress function.
const STEP: u64 = 10_000;

/// Verifies every game of a log, finished or not: the header and the columns of it, the digest of each entry, sequences
/// without gaps, and the end.
/// Also runs the store's own checks. It does not fold the games again.
///
/// # Errors
///
/// If the store cannot be read to its end.
pub async fn verify(reader: &dyn LogReader, progress: impl FnMut(Progress)) -> Result<Report, StoreError> {
    verify_against(reader, &Heads::default(), progress).await
}

/// Verifies a log, and that each game is still the one whose head was kept elsewhere. A game that has grown since must have the
/// same digest at that entry.
///
/// # Errors
///
/// If the store cannot be read to its end.
pub async fn verify_against(
    reader: &dyn LogReader,
    heads: &Heads,
    mut progress: impl FnMut(Progress),
) -> Result<Report, StoreError> {
    let store = reader.check().await?;
    let kept = heads.by_name();
    // The kept end of a game, while its entries are read.
    let mut ends: HashMap<GameKey, Tail> = HashMap::new();
    let mut compared: HashMap<String, Option<HeadDifference>> = HashMap::new();
    let mut games: BTreeMap<GameKey, GameReport> = BTreeMap::new();
    let (mut done, mut total) = (0, 0_u64);
    let stats = visit(reader, Selection::All, |found| match found {
        Recovered::Game { head: head @ GameHead { record, .. } } => {
            total = total.saturating_add(record.tail.entries);
            let (name, entries) = (record.name.clone(), record.tail.entries);
            let damage = Header::decode_without_setup(&head.header).ok().filter(|header| header.game != name);
            let damage = damage.map(|_| Damage::Column("name"));
            if let Some(&kept) = kept.get(name.as_str()) {
                let difference = compare_start(head, kept);
                if difference.is_none() {
                    ends.insert(record.key, kept);
                }
                compared.insert(name.clone(), difference);
            }
            let redacted = head.redacted.count();
            games.insert(record.key, GameReport { key: record.key, name, entries, redacted, damage });
        }
        Recovered::Client { .. } => {}
        Recovered::Entry { game, sequence, digest, .. } => {
            if let Some(kept) = ends.get(&game)
                && kept.entries == sequence
                && kept.digest != digest
                && let Some(GameReport { name, .. }) = games.get(&game)
            {
                let difference = HeadDifference::Rewritten { name: name.clone(), sequence };
                compared.insert(name.clone(), Some(difference));
            }
            done += 1;
            if done % STEP == 0 {
                progress(Progress { done, total });
            }
        }
        Recovered::Damaged { game, damage } => {
            let game = games.get_mut(&game).filter(|game| game.damage.is_none());
            game.into_iter().for_each(|game| game.damage = Some(damage.clone()));
        }
    })
    .await?;
    progress(Progress { done, total });
    // Read after the games: a game that a host removes meanwhile is in one of both.
    let removed = reader.removed().await?;
    let stones: HashMap<&str, &Tombstone> = removed.iter().map(|stone| (stone.name.as_str(), stone)).collect();
    let mut gone = Vec::new();
    let mut difference = |head: &Head| match (compared.remove(&head.name), stones.get(head.name.as_str())) {
        (Some(difference), None) => difference,
        (None, None) => Some(HeadDifference::Missing { name: head.name.clone() }),
        (_, Some(stone)) => {
            gone.push(Tombstone::clone(stone));
            compare_removed(&head.name, head.tail, stone.tail)
        }
    };
    let mut differences: Vec<HeadDifference> = heads.games.iter().filter_map(&mut difference).collect();
    differences.extend(heads.removed.iter().filter_map(|kept| match stones.get(kept.name.as_str()) {
        Some(stone) => compare_removed(&kept.name, kept.tail, stone.tail),
        None => Some(HeadDifference::NoTombstone { name: kept.name.clone() }),
    }));
    let games = games.into_values().collect();
    Ok(Report { store, games, entries: stats.entries, heads: differences, removed, gone })
}

/// What the first row of a game tells about its kept end.
fn compare_start(head: &GameHead, kept: Tail) -> Option<HeadDifference> {
    let (name, found) = (head.record.name.clone(), head.record.tail.entries);
    if found < kept.entries {
        return Some(HeadDifference::Shorter { name, kept: kept.entries, found });
    }
    let is_changed = kept.entries == 0 && Chain::new(&head.header).digest() != kept.digest;
    is_changed.then_some(HeadDifference::Rewritten { name, sequence: 0 })
}

/// What a tombstone tells about a kept end. A game that has grown since has another last digest.
fn compare_removed(name: &str, kept: Tail, found: Tail) -> Option<HeadDifference> {
    if found.entries < kept.entries {
        return Some(HeadDifference::Shorter { name: name.into(), kept: kept.entries, found: found.entries });
    }
    let is_changed = found.entries == kept.entries && found.digest != kept.digest;
    is_changed.then(|| HeadDifference::Rewritten { name: name.into(), sequence: kept.entries })
}

/// The progress of [`verify`], in entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Entries that were verified.
    pub done: u64,
    /// The number of entries by the store's own count.
    pub total: u64,
}

/// The findings of [`verify`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Damage that belongs to no game.
    pub store: Vec<StoreDamage>,
    /// The games, by key.
    pub games: Vec<GameReport>,
    /// The number of entries that are unchanged.
    pub entries: u64,
    /// The games that are not as the kept heads say.
    pub heads: Vec<HeadDifference>,
    /// What is left of all games that were removed.
    pub removed: Vec<Tombstone>,
    /// The removed games among those of the kept heads.
    pub gone: Vec<Tombstone>,
}

impl Report {
    /// The number of redacted entries.
    pub fn redacted(&self) -> u64 {
        self.games.iter().map(|game| game.redacted).sum()
    }

    /// Whether no damage was found.
    pub fn is_sound(&self) -> bool {
        self.store.is_empty() && self.heads.is_empty() && self.games.iter().all(|game| game.damage.is_none())
    }
}

/// One line per finding, or one line if there is none.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_sound() {
            write!(f, "all is as it was written: games {}, entries {}", self.games.len(), self.entries)?;
            if self.redacted() > 0 {
                write!(f, ", {} entries redacted", self.redacted())?;
            }
            writeln!(f)?;
            return self
                .gone
                .iter()
                .try_for_each(|Tombstone { name, why, .. }| writeln!(f, "game {name}: removed ({why})"));
        }
        self.store.iter().try_for_each(|damage| writeln!(f, "{damage}"))?;
        for GameReport { name, damage, .. } in &self.games {
            if let Some(damage) = damage {
                writeln!(f, "game {name}: {damage}")?;
            }
        }
        self.heads.iter().try_for_each(|difference| writeln!(f, "game {}: {difference}", difference.game()))
    }
}

/// A game that was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameReport {
    /// The key of the game.
    pub key: GameKey,
    /// The name of the game.
    pub name: String,
    /// The number of entries by the store's own count.
    pub entries: u64,
    /// The number of entries in which a name was replaced.
    pub redacted: u64,
    /// The first damage in the order of the log.
    pub damage: Option<Damage>,
}

/// Damage of a store that belongs to no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreDamage {
    /// A message of the database.
    Database(String),
    /// Rows of entries are missing. The store numbers these rows without gaps.
    MissingRows {
        /// The first missing row.
        from: i64,
        /// The last missing row.
        to: i64,
    },
    /// Among these rows, not as many are missing as removed games had.
    OtherRows {
        /// The first row of removed games.
        from: i64,
        /// The last row of removed games.
        to: i64,
        /// The number of rows that removed games had.
        removed: i64,
        /// The number of rows that are missing.
        missing: i64,
    },
    /// The setup of a game is missing.
    NoSetup {
        /// The key of the game.
        game: GameKey,
    },
    /// A setup is not the one of which it has the digest.
    ChangedSetup {
        /// The stored digest.
        setup: Digest,
    },
    /// No game has this setup.
    UnusedSetup {
        /// The stored digest.
        setup: Digest,
    },
    /// An entry belongs to a game that is not in the store.
    NoSuchGame {
        /// The row of the entry.
        id: i64,
        /// The key of the game.
        game: GameKey,
    },
}

impl fmt::Display for StoreDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Database(message) => f.write_str(message),
            Self::MissingRows { from, to } if from == to => write!(f, "row {from} of the entries is missing"),
            Self::MissingRows { from, to } => write!(f, "rows {from} to {to} of the entries are missing"),
            Self::OtherRows { from, to, removed, missing } => write!(
                f,
                "{missing} rows between row {from} and row {to} of the entries are missing, and removed games had {removed}"
            ),
            Self::NoSetup { game } => write!(f, "the setup of game {game} is missing"),
            Self::ChangedSetup { setup } => write!(f, "the setup {setup} was changed"),
            Self::UnusedSetup { setup } => write!(f, "no game has the setup {setup}"),
            Self::NoSuchGame { id, game } => write!(f, "row {id} of the entries is of game {game}, which is not there"),
        }
    }
}

/// Damage in the log of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The header cannot be read.
    Header(Undecodable),
    /// A column differs from the header.
    Column(&'static str),
    /// The stored players are not those of the entries.
    Players,
    /// An entry has another number than expected.
    Order {
        /// The expected number.
        expected: u64,
        /// The number that was found.
        found: u64,
    },
    /// The digest does not match the entry and everything before it.
    Digest {
        /// The number of the entry.
        sequence: u64,
    },
    /// Entries are missing or were added.
    Count {
        /// The number that was stored.
        stored: u64,
        /// The number that was found.
        found: u64,
    },
    /// The last digest differs from the stored one.
    LastDigest,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header(undecodable) => write!(f, "the header cannot be read: {undecodable}"),
            Self::Column(column) => write!(f, "the column {column} differs from the header"),
            Self::Players => f.write_str("the stored players are not those of the entries"),
            Self::Order { expected, found } => write!(f, "entry {found} stands where entry {expected} is expected"),
            Self::Digest { sequence } => {
                write!(f, "the digest of entry {sequence} does not follow from the log up to it")
            }
            Self::Count { stored, found } => write!(f, "{stored} entries were written, {found} are there"),
            Self::LastDigest => f.write_str("the digest of the whole log is not the one that was stored"),
        }
    }
}

impl Error for Damage {}

/// Verifies the log of one game, entry by entry.
#[derive(Debug)]
pub(crate) struct Checker {
    chain: Chain,
    tail: Tail,
    redacted: Redacted,
}

impl Checker {
    pub(crate) fn new(head: &GameHead) -> Result<Self, Damage> {
        let GameHead { record, header, scenario, redacted } = head;
        // The setup is the last field, so all other fields can be read without it.
        let decoded = Header::decode_without_setup(header).map_err(Damage::Header)?;
        let about = About::of(&decoded);
        let columns = [
            ("rulebook", about.rulebook == record.about.rulebook),
            ("edition", about.edition == record.about.edition),
            ("rules_version", about.rules_version == record.about.rules_version),
            ("seed", about.seed == record.about.seed),
            ("parent", decoded.parent.map(|parent| parent.game) == record.parent),
            ("scenario", scenario.as_ref().is_none_or(|text| contains(header, text.as_bytes()))),
        ];
        match columns.into_iter().find(|(_, equal)| !equal) {
            Some((column, _)) => Err(Damage::Column(column)),
            None => Ok(Self { chain: Chain::new(header), tail: record.tail, redacted: redacted.clone() }),
        }
    }

    pub(crate) fn entry(&mut self, sequence: u64, bytes: &[u8], digest: &Digest) -> Result<(), Damage> {
        let expected = self.chain.sequence() + 1;
        if sequence != expected {
            return Err(Damage::Order { expected, found: sequence });
        }
        if sequence > self.tail.entries {
            return Err(Damage::Count { stored: self.tail.entries, found: sequence });
        }
        // Only the digest tells what a redacted entry was. The next entry follows from it, so every other link is verified.
        if self.redacted.contains(sequence) {
            self.chain = Chain::after(sequence, *digest);
            return Ok(());
        }
        self.chain.verify(bytes, digest).map_err(|broken| Damage::Digest { sequence: broken.sequence })
    }

    pub(super) fn end(self) -> Result<(), Damage> {
        let found = Tail { entries: self.chain.sequence(), digest: self.chain.digest() };
        if found.entries != self.tail.entries {
            return Err(Damage::Count { stored: self.tail.entries, found: found.entries });
        }
        if found.digest != self.tail.digest {
            return Err(Damage::LastDigest);
        }
        Ok(())
    }
}

fn contains(all: &[u8], part: &[u8]) -> bool {
    part.is_empty() || all.windows(part.len()).any(|window| window == part)
}
