//! Keys of games, in blocks from a sequence of the database: hosts never give the same key, and keys ascend roughly with time.

use std::{
    collections::VecDeque,
    ops::RangeInclusive,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{
    connection::{Connection, column},
    schema::LOCK,
};
use crate::{
    log::{GameKey, StoreError},
    sync::lock,
};

/// The keys of a block.
const BLOCK: i64 = 1_024;

/// The games of a partition of the entries: a number of blocks.
const PARTITION: i64 = 1 << 20;

/// The next block is reserved when fewer keys are left.
const FEW: i64 = BLOCK / 2;

/// The keys that are reserved for this host.
#[derive(Debug, Default)]
pub(super) struct Keys {
    blocks: Mutex<VecDeque<RangeInclusive<i64>>>,
    is_asked: AtomicBool,
}

impl Keys {
    /// Takes a key, if one is left.
    pub(super) fn take(&self) -> Option<GameKey> {
        let mut blocks = lock(&self.blocks);
        while let Some(block) = blocks.front_mut() {
            match block.next() {
                Some(key) => return Some(GameKey(key)),
                None => drop(blocks.pop_front()),
            }
        }
        None
    }

    /// Whether the caller has to reserve more. Only one caller is asked to until it [has](Self::reserved).
    pub(super) fn needs_more(&self) -> bool {
        let left: i64 = lock(&self.blocks).iter().map(|block| block.end() - block.start() + 1).sum();
        left < FEW && !self.is_asked.swap(true, Ordering::Relaxed)
    }

    /// The attempt to reserve a block has ended.
    pub(super) fn reserved(&self, block: Option<RangeInclusive<i64>>) {
        lock(&self.blocks).extend(block);
        self.is_asked.store(false, Ordering::Relaxed);
    }
}

/// Reserves a block of keys, and makes the partition for it.
pub(super) async fn reserve(connection: &Connection) -> Result<RangeInclusive<i64>, StoreError> {
    let rows = connection.query("reserving keys of games", "SELECT nextval('key_blocks')", &[]).await?;
    let block: i64 = rows.first().map_or(Ok(1), |row| column(row, 0))?;
    let first = (block - 1) * BLOCK + 1;
    make_partition(connection, (first - 1) / PARTITION).await?;
    Ok(first..=block * BLOCK)
}

/// Makes a partition of the entries, unless it exists. Attaching it holds up neither readers nor writers.
async fn make_partition(connection: &Connection, number: i64) -> Result<(), StoreError> {
    let doing = "making a partition of the entries";
    // Reads the table itself: `to_regclass` may answer from a cache that does not know yet what another host has just made.
    let is_there = format!(
        "SELECT EXISTS (SELECT 1 FROM pg_class
         WHERE relname = 'entries_{number}' AND relnamespace = current_schema()::regnamespace)"
    );
    let rows = connection.query(doing, &is_there, &[]).await?;
    if rows.first().map_or(Ok(false), |row| column(row, 0))? {
        return Ok(());
    }
    let (from, to) = (number * PARTITION + 1, (number + 1) * PARTITION + 1);
    connection.run(doing, LOCK).await?;
    let rows = connection.query(doing, &is_there, &[]).await?;
    if rows.first().map_or(Ok(false), |row| column(row, 0))? {
        return connection.run(doing, "ROLLBACK").await;
    }
    let made = connection
        .run_patiently(
            doing,
            &format!(
                "CREATE TABLE entries_{number} (LIKE entries INCLUDING ALL);
                 ALTER TABLE entries ATTACH PARTITION entries_{number} FOR VALUES FROM ({from}) TO ({to})"
            ),
        )
        .await;
    let end = if made.is_ok() { "COMMIT" } else { "ROLLBACK" };
    connection.run(doing, end).await.and(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taking_keys() {
        let keys = Keys::default();
        assert!(keys.take().is_none());
        assert!(keys.needs_more());
        assert!(!keys.needs_more(), "one caller is enough");
        keys.reserved(Some(1..=BLOCK));
        assert!(!keys.needs_more());
        let taken: Vec<i64> = std::iter::from_fn(|| keys.take()).map(|key| key.0).collect();
        assert_eq!(taken, (1..=BLOCK).collect::<Vec<_>>());
        assert!(keys.needs_more());
        keys.reserved(None);
        assert!(keys.needs_more(), "the attempt failed");
    }
}
