//! Reads a log file, even while a host writes to it.

use std::{collections::HashSet, ops::ControlFlow, path::Path};

use engine::{CommId, Digest};
use rusqlite::{Connection, Row as SqlRow};

use super::{records, schema};
use crate::log::{
    About, Cell, End, GameHead, GameKey, GameRecord, RecoveredBatch, RecoveryStats, Row, Selection, StoreDamage,
    StoreError, StoredClient, Table, Tail,
    recovered::{Gone, Recovering},
};

/// The columns of a [`GameRecord`], in the order in which [`record`] reads them; [`head`] reads two more.
const RECORD: &str = "SELECT games.id, name, rulebook, edition, rules_version, seed, created, ended, outcome,
    COALESCE(tails.entries, 0), COALESCE(tails.digest, zeroblob(32)), players, parent, results";
/// The same columns for a file of version 2 or 3, which has no results.
const RECORD_2: &str = "SELECT games.id, name, rulebook, edition, rules_version, seed, created, ended, outcome,
    COALESCE(tails.entries, 0), COALESCE(tails.digest, zeroblob(32)), players, parent, NULL";
/// The same columns for a file of version 1, which has neither players nor parents.
const RECORD_1: &str = "SELECT games.id, name, rulebook, edition, rules_version, seed, created, ended, outcome,
    COALESCE(tails.entries, 0), COALESCE(tails.digest, zeroblob(32)), NULL, NULL, NULL";
const HEAD: &str = "header, scenario";
const FROM: &str = "FROM games LEFT JOIN tails ON tails.game = games.id";

/// A connection that reads a log file.
#[derive(Debug)]
pub(super) struct LogFile {
    connection: Connection,
    /// Selects a [`GameRecord`] in a file of this version.
    record: &'static str,
}

impl LogFile {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let (connection, version) = schema::open_for_reading(path)?;
        let record = match version {
            1 => RECORD_1,
            2 | 3 => RECORD_2,
            _ => RECORD,
        };
        Ok(Self { connection, record })
    }

    /// See [`LogReader::list`](crate::log::LogReader::list). The other methods implement the trait methods of the same names.
    pub(super) fn list(&self) -> Result<Vec<GameRecord>, StoreError> {
        self.collect(&format!("{} {FROM} ORDER BY games.id", self.record), [], "listing the games", record)
    }

    pub(super) fn page(&self, before: Option<GameKey>, limit: usize) -> Result<Vec<GameRecord>, StoreError> {
        let before = before.map_or(i64::MAX, |GameKey(key)| key);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = format!("{} {FROM} WHERE games.id < ?1 ORDER BY games.id DESC LIMIT ?2", self.record);
        self.collect(&sql, [before, limit], "listing the games", record)
    }

    pub(super) fn head(&self, game: GameKey) -> Result<GameHead, StoreError> {
        let sql = format!("{}, {HEAD} {FROM} WHERE games.id = ?1", self.record);
        let found = self.collect(&sql, [game.0], "reading a game", head)?;
        found.into_iter().next().ok_or(StoreError::NoSuchGame { game })
    }

    pub(super) fn find(&self, name: &str) -> Result<Option<GameHead>, StoreError> {
        let sql = format!("{}, {HEAD} {FROM} WHERE games.name = ?1", self.record);
        Ok(self.collect(&sql, [name], "reading a game", head)?.into_iter().next())
    }

    pub(super) fn clients(&self, game: GameKey) -> Result<Vec<StoredClient>, StoreError> {
        let sql = "SELECT game, client, token_hash, name, joined FROM clients WHERE game = ?1 ORDER BY client";
        let found = self.collect(sql, [game.0], "reading the clients of a game", client)?;
        Ok(found.into_iter().map(|(_, client)| client).collect())
    }

    pub(super) fn rows(&self, game: GameKey, from: u64) -> Result<Vec<Row>, StoreError> {
        let sql = "SELECT sequence, digest, bytes FROM entries WHERE game = ?1 AND sequence >= ?2 ORDER BY sequence";
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        self.collect(sql, [game.0, from], "reading the entries of a game", |row| {
            Ok(Row { sequence: row.get::<_, i64>(0)?.cast_unsigned(), digest: digest(row, 1)?, bytes: row.get(2)? })
        })
    }

    pub(super) fn records(
        &self,
        table: &'static Table,
        filter: Option<&(&'static str, Cell)>,
    ) -> Result<Vec<Vec<Cell>>, StoreError> {
        self.snapshot(|| records::read(&self.connection, table, filter))
    }

    /// Sends all selected games from a consistent snapshot, even while a host writes. Stops if the receiver is dropped.
    pub(super) fn recover(
        &self,
        which: &Selection,
        send: impl FnMut(RecoveredBatch) -> Result<(), Gone>,
    ) -> Result<RecoveryStats, StoreError> {
        self.snapshot(|| {
            let mut recovering = Recovering::new(send);
            let told = match which {
                Selection::All => self.scan("", i64::MIN, &mut recovering)?,
                Selection::Unfinished => self.scan("WHERE ended IS NULL", self.first_unfinished()?, &mut recovering)?,
                Selection::Keys(keys) => self.each_of(keys, &mut recovering)?,
            };
            let ended = told.is_continue().then(|| recovering.end().ok()).flatten();
            ended.ok_or(StoreError::Closed)
        })
    }

    /// Scans the entries in the order in which they were written, starting with the row `from`. No earlier row belongs to a
    /// selected game.
    fn scan<S: FnMut(RecoveredBatch) -> Result<(), Gone>>(
        &self,
        wanted: &str,
        from: i64,
        recovering: &mut Recovering<S>,
    ) -> Result<ControlFlow<()>, StoreError> {
        let sql = format!("{}, {HEAD} {FROM} {wanted} ORDER BY games.id", self.record);
        let mut told = self.each(&sql, [], "reading the games", |row| Ok(flow(recovering.game(head(row)?))))?;
        if told.is_continue() {
            let sql = format!(
                "SELECT game, client, token_hash, clients.name, joined FROM clients JOIN games ON games.id = game
                 {wanted} ORDER BY game, client"
            );
            told = self.each(&sql, [], "reading the clients", |row| {
                let (game, client) = client(row)?;
                Ok(flow(recovering.client(game, client)))
            })?;
        }
        if told.is_continue() {
            let sql = "SELECT game, sequence, digest, bytes FROM entries WHERE id >= ?1 ORDER BY id";
            told = self.each(sql, [from], "reading the entries", |row| entry(row, recovering))?;
        }
        Ok(told)
    }

    /// Reads the games one by one.
    fn each_of<S: FnMut(RecoveredBatch) -> Result<(), Gone>>(
        &self,
        keys: &[GameKey],
        recovering: &mut Recovering<S>,
    ) -> Result<ControlFlow<()>, StoreError> {
        for &game in keys {
            let mut told = flow(recovering.game(self.head(game)?));
            for client in self.clients(game)? {
                told = flow(recovering.client(game, client));
            }
            if told.is_continue() {
                let sql = "SELECT game, sequence, digest, bytes FROM entries WHERE game = ?1 ORDER BY sequence";
                told = self.each(sql, [game.0], "reading the entries of a game", |row| entry(row, recovering))?;
            }
            if told.is_break() {
                return Ok(told);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Runs SQLite's own check, and looks for gaps in the row numbers of entries and for entries without a game.
    pub(super) fn check(&self) -> Result<Vec<StoreDamage>, StoreError> {
        self.snapshot(|| {
            let mut found = self.collect("PRAGMA integrity_check(10)", [], "checking the file", |row| row.get(0))?;
            found.retain(|line: &String| line != "ok");
            let mut damage: Vec<StoreDamage> = found.into_iter().map(StoreDamage::Database).collect();
            let games: HashSet<i64> =
                self.collect("SELECT id FROM games", [], "reading the games", |row| row.get(0))?.into_iter().collect();
            let mut next = 1;
            let _all = self.each("SELECT id, game FROM entries ORDER BY id", [], "reading the entries", |row| {
                let (id, game): (i64, i64) = (row.get(0)?, row.get(1)?);
                if id != next {
                    damage.push(StoreDamage::MissingRows { from: next, to: id.wrapping_sub(1) });
                }
                next = id.wrapping_add(1);
                if !games.contains(&game) {
                    damage.push(StoreDamage::NoSuchGame { id, game: GameKey(game) });
                }
                Ok(ControlFlow::Continue(()))
            })?;
            Ok(damage)
        })
    }

    /// Reads everything from a consistent snapshot, even while a host writes.
    fn snapshot<T>(&self, read: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
        let _transaction = self.connection.unchecked_transaction().map_err(StoreError::sqlite("beginning to read"))?;
        read()
    }

    /// The first row of the scan for unfinished games: all earlier entries belong to games that have ended.
    fn first_unfinished(&self) -> Result<i64, StoreError> {
        let sql = "SELECT COALESCE(MIN(entries.id), 0) FROM games JOIN entries ON game = games.id AND sequence = 1
                   WHERE ended IS NULL";
        let first = self.connection.query_row(sql, [], |row| row.get(0));
        first.map_err(StoreError::sqlite("looking for the first unfinished game"))
    }

    fn collect<T>(
        &self,
        sql: &str,
        parameters: impl rusqlite::Params,
        doing: &'static str,
        mut read: impl FnMut(&SqlRow<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        let _all = self.each(sql, parameters, doing, |row| {
            found.push(read(row)?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(found)
    }

    /// Passes rows to `visit` until it breaks.
    fn each(
        &self,
        sql: &str,
        parameters: impl rusqlite::Params,
        doing: &'static str,
        mut visit: impl FnMut(&SqlRow<'_>) -> rusqlite::Result<ControlFlow<()>>,
    ) -> Result<ControlFlow<()>, StoreError> {
        let read = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            let mut rows = statement.query(parameters)?;
            while let Some(row) = rows.next()? {
                if visit(row)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        };
        read().map_err(StoreError::sqlite(doing))
    }
}

fn flow(sent: Result<(), Gone>) -> ControlFlow<()> {
    if sent.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// Passes on an entry: its game, sequence, digest and bytes.
fn entry<S: FnMut(RecoveredBatch) -> Result<(), Gone>>(
    row: &SqlRow<'_>,
    recovering: &mut Recovering<S>,
) -> rusqlite::Result<ControlFlow<()>> {
    let (game, sequence) = (GameKey(row.get(0)?), row.get::<_, i64>(1)?.cast_unsigned());
    Ok(flow(recovering.entry(game, sequence, row.get_ref(3)?.as_blob()?, digest(row, 2)?)))
}

fn record(row: &SqlRow<'_>) -> rusqlite::Result<GameRecord> {
    let end = match row.get(7)? {
        Some(at) => Some(End { at, outcome: row.get::<_, Option<String>>(8)?.unwrap_or_default() }),
        None => None,
    };
    Ok(GameRecord {
        key: GameKey(row.get(0)?),
        name: row.get(1)?,
        about: About { rulebook: row.get(2)?, edition: row.get(3)?, rules_version: row.get(4)?, seed: row.get(5)? },
        created: row.get(6)?,
        end,
        // Invalid lists of names or results count as missing: only lists and statistics of games depend on them.
        players: row.get::<_, Option<String>>(11)?.and_then(|names| serde_json::from_str(&names).ok()),
        results: row.get::<_, Option<String>>(13)?.and_then(|results| serde_json::from_str(&results).ok()),
        parent: row.get(12)?,
        tail: Tail { entries: row.get::<_, i64>(9)?.cast_unsigned(), digest: digest(row, 10)? },
    })
}

fn head(row: &SqlRow<'_>) -> rusqlite::Result<GameHead> {
    Ok(GameHead { record: record(row)?, header: row.get(14)?, scenario: row.get(15)? })
}

fn client(row: &SqlRow<'_>) -> rusqlite::Result<(GameKey, StoredClient)> {
    let client =
        StoredClient { client: CommId(row.get(1)?), token_hash: row.get(2)?, name: row.get(3)?, joined: row.get(4)? };
    Ok((GameKey(row.get(0)?), client))
}

/// A digest of the wrong length becomes zeros, which the verification detects.
fn digest(row: &SqlRow<'_>, column: usize) -> rusqlite::Result<Digest> {
    Ok(Digest(row.get_ref(column)?.as_blob()?.try_into().unwrap_or_default()))
}
