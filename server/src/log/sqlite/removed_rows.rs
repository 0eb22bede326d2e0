//! The numbers of entries' rows when games were removed: what is missing must be what their tombstones say.

use std::{collections::HashSet, ops::RangeInclusive};

use crate::log::{GameKey, StoreDamage, Tombstone};

/// Follows the rows of all entries in the order of their numbers.
pub(super) struct RemovedRows {
    games: HashSet<GameKey>,
    /// Ranges that do not overlap, ascending.
    ranges: Vec<Range>,
    /// The number of the row that is expected next.
    next: i64,
    damage: Vec<StoreDamage>,
}

/// Rows among which those of removed games are missing.
struct Range {
    rows: RangeInclusive<i64>,
    /// How many rows the removed games had.
    removed: i64,
    /// How many rows are there.
    found: i64,
}

impl RemovedRows {
    pub(super) fn new(stones: &[Tombstone]) -> Self {
        let known = |stone: &Tombstone| Some((stone.rows.clone()?, stone.tail.entries.cast_signed()));
        let mut rows: Vec<(RangeInclusive<i64>, i64)> = stones.iter().filter_map(known).collect();
        rows.sort_unstable_by_key(|(rows, _)| *rows.start());
        let mut ranges: Vec<Range> = Vec::new();
        for (rows, removed) in rows {
            match ranges.last_mut() {
                Some(last) if rows.start() <= last.rows.end() => {
                    last.rows = *last.rows.start()..=*rows.end().max(last.rows.end());
                    last.removed = last.removed.saturating_add(removed);
                }
                Some(_) | None => ranges.push(Range { rows, removed, found: 0 }),
            }
        }
        Self { games: stones.iter().map(|stone| stone.key).collect(), ranges, next: 1, damage: Vec::new() }
    }

    /// Whether a game was removed.
    pub(super) fn is_removed(&self, game: GameKey) -> bool {
        self.games.contains(&game)
    }

    /// The next row of a game that is there.
    pub(super) fn found(&mut self, id: i64) {
        self.pass(id);
        self.next = id.saturating_add(1);
        if let Some(place) = self.place(id) {
            self.ranges[place].found += 1;
        }
    }

    /// All rows were seen.
    pub(super) fn end(mut self) -> Vec<StoreDamage> {
        for Range { rows, removed, found } in &self.ranges {
            let (from, to) = (*rows.start(), *rows.end());
            let missing = to.saturating_sub(from).saturating_add(1).saturating_sub(*found);
            if missing != *removed {
                self.damage.push(StoreDamage::OtherRows { from, to, removed: *removed, missing });
            }
        }
        self.damage
    }

    /// Reports the rows before `id` that are missing and in no range of removed games.
    fn pass(&mut self, id: i64) {
        let mut from = self.next;
        while from < id {
            let range = self.ranges.iter().find(|range| *range.rows.end() >= from);
            match range {
                Some(range) if range.rows.contains(&from) => from = range.rows.end().saturating_add(1),
                Some(Range { rows, .. }) if *rows.start() < id => {
                    self.damage.push(StoreDamage::MissingRows { from, to: rows.start() - 1 });
                    from = *rows.start();
                }
                Some(_) | None => {
                    self.damage.push(StoreDamage::MissingRows { from, to: id - 1 });
                    return;
                }
            }
        }
    }

    /// The range that has this row.
    fn place(&self, id: i64) -> Option<usize> {
        let place = self.ranges.partition_point(|range| *range.rows.end() < id);
        self.ranges.get(place).filter(|range| range.rows.contains(&id)).map(|_| place)
    }
}

#[cfg(test)]
mod tests {
    use engine::Digest;

    use super::*;
    use crate::log::{Tail, WhyRemoved};

    /// Removed games are `first-last/entries`.
    fn check(removed: &[(RangeInclusive<i64>, u64)], there: &[i64], expected: &str) {
        let stone = |(rows, entries): &(RangeInclusive<i64>, u64)| Tombstone {
            key: GameKey(9),
            name: "gone".into(),
            tail: Tail { entries: *entries, digest: Digest([0; 32]) },
            rows: Some(rows.clone()),
            at: 0,
            why: WhyRemoved::Deleted,
        };
        let mut rows = RemovedRows::new(&removed.iter().map(stone).collect::<Vec<_>>());
        there.iter().for_each(|id| rows.found(*id));
        let damage: Vec<String> = rows.end().iter().map(ToString::to_string).collect();
        assert_eq!(damage.join("; "), expected, "{removed:?} {there:?}");
    }

    #[test]
    fn what_is_missing() {
        check(&[], &[1, 2, 3], "");
        check(&[], &[1, 3], "row 2 of the entries is missing");
        check(&[(2..=3, 2)], &[1, 4], "");
        check(&[(2..=3, 2)], &[1, 5], "row 4 of the entries is missing");
        check(&[(2..=3, 2)], &[1], "");
        check(&[(2..=6, 3)], &[1, 3, 5, 7], "");
        check(
            &[(2..=6, 3)],
            &[1, 3, 7],
            "4 rows between row 2 and row 6 of the entries are missing, and removed games had 3",
        );
        check(&[(2..=4, 2), (3..=6, 2)], &[1, 5, 7], "");
        check(&[(2..=2, 1), (6..=6, 1)], &[1, 7], "rows 3 to 5 of the entries are missing");
        check(
            &[(2..=2, 1), (6..=6, 1)],
            &[1, 3, 4, 5, 6, 7],
            "0 rows between row 6 and row 6 of the entries are missing, and removed games had 1",
        );
    }
}
