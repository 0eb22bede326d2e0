//! Reading a log file, also while a host writes it.

use std::{collections::HashMap, path::Path};

use engine::{CommId, Digest};
use rusqlite::{Connection, Row as SqlRow};

use super::schema;
use crate::log::{
    About, End, GameHead, GameKey, GameRecord, Recovered, RecoveryStats, Row, StoreError, StoredClient, Tail,
    verify::Checker,
};

/// The columns of a [`GameRecord`], in the order in which [`record`] reads them; [`head`] reads two more.
const RECORD: &str = "SELECT games.id, name, rulebook, edition, rules_version, seed, created, ended, outcome,
    COALESCE(tails.entries, 0), COALESCE(tails.digest, zeroblob(32)), players, parent";
/// The same of a file of version 1, which has neither players nor parents.
const RECORD_1: &str = "SELECT games.id, name, rulebook, edition, rules_version, seed, created, ended, outcome,
    COALESCE(tails.entries, 0), COALESCE(tails.digest, zeroblob(32)), NULL, NULL";
const HEAD: &str = "header, scenario";
const FROM: &str = "FROM games LEFT JOIN tails ON tails.game = games.id";

/// A log file that is open for reading.
#[derive(Debug)]
pub struct LogFile {
    connection: Connection,
    /// What selects a [`GameRecord`] in a file of this version.
    record: &'static str,
}

impl LogFile {
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let (connection, version) = schema::open_for_reading(path)?;
        Ok(Self { connection, record: if version == 1 { RECORD_1 } else { RECORD } })
    }

    /// See [`EventLog::list`](crate::log::EventLog::list), and so for the others.
    pub fn list(&self) -> Result<Vec<GameRecord>, StoreError> {
        self.rows(&format!("{} {FROM} ORDER BY games.id", self.record), [], "listing the games", record)
    }

    pub fn page(&self, before: Option<GameKey>, limit: usize) -> Result<Vec<GameRecord>, StoreError> {
        let before = before.map_or(i64::MAX, |GameKey(key)| key);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = format!("{} {FROM} WHERE games.id < ?1 ORDER BY games.id DESC LIMIT ?2", self.record);
        self.rows(&sql, [before, limit], "listing the games", record)
    }

    pub fn head(&self, game: GameKey) -> Result<GameHead, StoreError> {
        let sql = format!("{}, {HEAD} {FROM} WHERE games.id = ?1", self.record);
        let found = self.rows(&sql, [game.0], "reading a game", head)?;
        found.into_iter().next().ok_or(StoreError::NoSuchGame { game })
    }

    pub fn find(&self, name: &str) -> Result<Option<GameHead>, StoreError> {
        let sql = format!("{}, {HEAD} {FROM} WHERE games.name = ?1", self.record);
        Ok(self.rows(&sql, [name], "reading a game", head)?.into_iter().next())
    }

    pub fn clients(&self, game: GameKey) -> Result<Vec<StoredClient>, StoreError> {
        let sql = "SELECT game, client, token_hash, name, joined FROM clients WHERE game = ?1 ORDER BY client";
        let found = self.rows(sql, [game.0], "reading the clients of a game", client)?;
        Ok(found.into_iter().map(|(_, client)| client).collect())
    }

    pub fn read(&self, game: GameKey, from: u64) -> Result<Vec<Row>, StoreError> {
        let sql = "SELECT sequence, digest, bytes FROM entries WHERE game = ?1 AND sequence >= ?2 ORDER BY sequence";
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        self.rows(sql, [game.0, from], "reading the entries of a game", |row| {
            Ok(Row { sequence: row.get::<_, i64>(0)?.cast_unsigned(), digest: digest(row, 1)?, bytes: row.get(2)? })
        })
    }

    /// Whether a table of a rulebook has something.
    pub(super) fn is_recorded(&self, question: &'static str, about: i64) -> Result<bool, StoreError> {
        let mut statement =
            self.connection.prepare_cached(question).map_err(StoreError::sqlite("asking a table of a rulebook"))?;
        let found = statement.query_row([about], |row| row.get(0));
        found.map_err(StoreError::sqlite("asking a table of a rulebook"))
    }

    pub fn recover(&self, visit: &mut dyn FnMut(Recovered<'_>)) -> Result<RecoveryStats, StoreError> {
        self.snapshot(|| self.recover_snapshot(visit))
    }

    fn recover_snapshot(&self, visit: &mut dyn FnMut(Recovered<'_>)) -> Result<RecoveryStats, StoreError> {
        let mut stats = RecoveryStats::default();
        let mut checkers = HashMap::new();
        let sql = format!("{}, {HEAD} {FROM} WHERE ended IS NULL ORDER BY games.id", self.record);
        self.each(&sql, [], "reading the unfinished games", |row| {
            let head = head(row)?;
            let game = head.record.key;
            visit(Recovered::Game { head: &head });
            stats.games += 1;
            match Checker::new(&head) {
                Ok(checker) => {
                    checkers.insert(game, checker);
                }
                Err(damage) => {
                    stats.damaged += 1;
                    visit(Recovered::Damaged { game, damage: &damage });
                }
            }
            Ok(())
        })?;

        let sql = "SELECT game, client, token_hash, clients.name, joined FROM clients JOIN games ON games.id = game
                   WHERE ended IS NULL ORDER BY game, client";
        self.each(sql, [], "reading the clients", |row| {
            let (game, client) = client(row)?;
            if checkers.contains_key(&game) {
                stats.clients += 1;
                visit(Recovered::Client { game, client: &client });
            }
            Ok(())
        })?;

        self.each_entry(self.first_unfinished()?, |entry| {
            let StoredEntry { game, sequence, digest, bytes, .. } = *entry;
            let Some(checker) = checkers.get_mut(&game) else { return };
            match checker.entry(sequence, bytes, &digest) {
                Ok(()) => {
                    stats.entries += 1;
                    stats.bytes += bytes.len() as u64;
                    visit(Recovered::Entry { game, sequence, bytes, digest });
                }
                Err(damage) => {
                    checkers.remove(&game);
                    stats.damaged += 1;
                    visit(Recovered::Damaged { game, damage: &damage });
                }
            }
        })?;

        for (game, checker) in checkers {
            if let Err(damage) = checker.end() {
                stats.damaged += 1;
                visit(Recovered::Damaged { game, damage: &damage });
            }
        }
        Ok(stats)
    }

    /// All games with their headers.
    pub fn each_head(&self, mut visit: impl FnMut(GameHead)) -> Result<(), StoreError> {
        let sql = format!("{}, {HEAD} {FROM} ORDER BY games.id", self.record);
        self.each(&sql, [], "reading the games", |row| {
            visit(head(row)?);
            Ok(())
        })
    }

    /// All entries in the order in which they were written, from an id on.
    pub(in crate::log) fn each_entry(
        &self,
        from: i64,
        mut visit: impl FnMut(&StoredEntry<'_>),
    ) -> Result<(), StoreError> {
        let sql = "SELECT id, game, sequence, digest, bytes FROM entries WHERE id >= ?1 ORDER BY id";
        self.each(sql, [from], "reading the entries", |row| {
            visit(&StoredEntry {
                id: row.get(0)?,
                game: GameKey(row.get(1)?),
                sequence: row.get::<_, i64>(2)?.cast_unsigned(),
                digest: digest(row, 3)?,
                bytes: row.get_ref(4)?.as_blob()?,
            });
            Ok(())
        })
    }

    /// What SQLite itself finds wrong with the file.
    pub(in crate::log) fn integrity(&self) -> Result<Vec<String>, StoreError> {
        let mut found = self.rows("PRAGMA integrity_check(10)", [], "checking the file", |row| row.get(0))?;
        found.retain(|line: &String| line != "ok");
        Ok(found)
    }

    /// Reads everything as of one moment, whatever a host writes meanwhile.
    pub(in crate::log) fn snapshot<T>(&self, read: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
        let _transaction = self.connection.unchecked_transaction().map_err(StoreError::sqlite("beginning to read"))?;
        read()
    }

    /// Where the scan for unfinished games begins: all entries before this one are of games that ended.
    fn first_unfinished(&self) -> Result<i64, StoreError> {
        let sql = "SELECT COALESCE(MIN(entries.id), 0) FROM games JOIN entries ON game = games.id AND sequence = 1
                   WHERE ended IS NULL";
        let first = self.connection.query_row(sql, [], |row| row.get(0));
        first.map_err(StoreError::sqlite("looking for the first unfinished game"))
    }

    fn rows<T>(
        &self,
        sql: &str,
        parameters: impl rusqlite::Params,
        doing: &'static str,
        mut read: impl FnMut(&SqlRow<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        self.each(sql, parameters, doing, |row| {
            found.push(read(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    fn each(
        &self,
        sql: &str,
        parameters: impl rusqlite::Params,
        doing: &'static str,
        mut visit: impl FnMut(&SqlRow<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let read = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            let mut rows = statement.query(parameters)?;
            while let Some(row) = rows.next()? {
                visit(row)?;
            }
            Ok(())
        };
        read().map_err(StoreError::sqlite(doing))
    }
}

/// An entry with its place in the file.
#[derive(Debug)]
pub(in crate::log) struct StoredEntry<'r> {
    pub(in crate::log) id: i64,
    pub(in crate::log) game: GameKey,
    pub(in crate::log) sequence: u64,
    pub(in crate::log) digest: Digest,
    pub(in crate::log) bytes: &'r [u8],
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
        // What is no list of names is as good as none: nothing but lists of games depends on it.
        players: row.get::<_, Option<String>>(11)?.and_then(|names| serde_json::from_str(&names).ok()),
        parent: row.get(12)?,
        tail: Tail { entries: row.get::<_, i64>(9)?.cast_unsigned(), digest: digest(row, 10)? },
    })
}

fn head(row: &SqlRow<'_>) -> rusqlite::Result<GameHead> {
    Ok(GameHead { record: record(row)?, header: row.get(13)?, scenario: row.get(14)? })
}

fn client(row: &SqlRow<'_>) -> rusqlite::Result<(GameKey, StoredClient)> {
    let client =
        StoredClient { client: CommId(row.get(1)?), token_hash: row.get(2)?, name: row.get(3)?, joined: row.get(4)? };
    Ok((GameKey(row.get(0)?), client))
}

/// A digest of another length is as wrong as one of zeros, and found in the same way.
fn digest(row: &SqlRow<'_>, column: usize) -> rusqlite::Result<Digest> {
    Ok(Digest(row.get_ref(column)?.as_blob()?.try_into().unwrap_or_default()))
}
