//! Games that were removed, and names that were redacted. `docs/log-format.md` says what a log then still proves.

use std::{fmt, ops::RangeInclusive};

use engine::{CommId, SeatResult};

use crate::log::{GameKey, Record, Tail};

/// The entries of a removed game that one transaction deletes, so that no game waits long for it.
pub(in crate::log) const DELETED_AT_ONCE: i64 = 1_000;

/// What is left of a removed game. Its key and its name are never used again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tombstone {
    /// The key of the game.
    pub key: GameKey,
    /// The name of the game.
    pub name: String,
    /// The number of its entries, and the digest of the last one.
    pub tail: Tail,
    /// The first and the last row of its entries, if the store numbers the rows of all games and the game had entries.
    pub rows: Option<RangeInclusive<i64>>,
    /// When it was removed, in milliseconds since 1970.
    pub at: i64,
    /// Why it was removed.
    pub why: WhyRemoved,
}

/// Why a game was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyRemoved {
    /// A person wanted it.
    Deleted,
    /// It was older than the operator keeps games, or there were too many.
    Expired,
    /// It was copied to another file before.
    Archived,
}

impl WhyRemoved {
    /// The word for it, also in a store.
    pub fn word(self) -> &'static str {
        match self {
            Self::Deleted => "deleted",
            Self::Expired => "expired",
            Self::Archived => "archived",
        }
    }

    /// The reason with this word. A later program may have more; an unknown one counts as deleted.
    pub(in crate::log) fn named(word: &str) -> Self {
        let all = [Self::Deleted, Self::Expired, Self::Archived];
        all.into_iter().find(|why| why.word() == word).unwrap_or(Self::Deleted)
    }
}

impl fmt::Display for WhyRemoved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What a redaction replaces in a finished game. Digests stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redaction {
    /// The new bytes of entries, by sequence.
    pub entries: Vec<(u64, Vec<u8>)>,
    /// The new names of clients.
    pub clients: Vec<(CommId, String)>,
    /// The outcome in words.
    pub outcome: String,
    /// The names of the players; `None` if the store has none.
    pub players: Option<Vec<String>>,
    /// The results; `None` if the store has none.
    pub results: Option<Vec<SeatResult>>,
    /// Changes of rows in tables of rulebooks.
    pub records: Vec<Record>,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

impl Redaction {
    /// The names of the players as a store keeps them.
    pub(in crate::log) fn players_json(&self) -> Option<String> {
        self.players.as_ref().map(|players| serde_json::json!(players).to_string())
    }

    /// The results as a store keeps them.
    pub(in crate::log) fn results_json(&self) -> Option<String> {
        self.results.as_ref().map(|results| serde_json::json!(results).to_string())
    }
}

/// The sequences of redacted entries, ascending and without gaps between ranges. A store keeps them as text: `3,7-9`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redacted(Vec<RangeInclusive<u64>>);

impl Redacted {
    /// Whether an entry was redacted.
    pub fn contains(&self, sequence: u64) -> bool {
        let place = self.0.partition_point(|range| *range.end() < sequence);
        self.0.get(place).is_some_and(|range| range.contains(&sequence))
    }

    /// The number of redacted entries.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|range| range.end() - range.start() + 1).sum()
    }

    /// Whether no entry was redacted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// These entries and more.
    pub(in crate::log) fn with(&self, more: impl IntoIterator<Item = u64>) -> Self {
        let mut all: Vec<u64> = self.0.iter().cloned().flatten().chain(more).collect();
        all.sort_unstable();
        let mut ranges: Vec<RangeInclusive<u64>> = Vec::new();
        for sequence in all {
            match ranges.last_mut() {
                Some(last) if sequence <= last.end().saturating_add(1) => *last = *last.start()..=sequence,
                Some(_) | None => ranges.push(sequence..=sequence),
            }
        }
        Self(ranges)
    }

    /// Reads the text of a store. What is no range is left out: the digests of these entries then tell of a change.
    pub(in crate::log) fn parse(text: &str) -> Self {
        let range = |part: &str| {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            Some(from.parse().ok()?..=to.parse().ok()?)
        };
        let mut ranges: Vec<RangeInclusive<u64>> = text.split(',').filter_map(range).collect();
        ranges.retain(|range| !range.is_empty());
        ranges.sort_unstable_by_key(|range| *range.start());
        ranges.dedup_by(|next, last| next.start() <= last.end());
        Self(ranges)
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, range) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            match (range.start(), range.end()) {
                (from, to) if from == to => write!(f, "{comma}{from}")?,
                (from, to) => write!(f, "{comma}{from}-{to}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_as_text() {
        let check = |first: &[u64], more: &[u64], text: &str, count: u64| {
            let redacted = Redacted::default().with(first.iter().copied()).with(more.iter().copied());
            assert_eq!((redacted.to_string().as_str(), redacted.count()), (text, count));
            assert_eq!(Redacted::parse(text), redacted);
            for sequence in 0..20 {
                let is_in = first.contains(&sequence) || more.contains(&sequence);
                assert_eq!(redacted.contains(sequence), is_in, "{sequence} in {text}");
            }
        };
        check(&[], &[], "", 0);
        check(&[3], &[], "3", 1);
        check(&[3, 9, 8], &[7, 3], "3,7-9", 4);
        check(&[1, 2], &[3, 5], "1-3,5", 4);
        assert_eq!(Redacted::parse("x,4-2,7,1-3,2,").to_string(), "1-3,7");
    }
}
