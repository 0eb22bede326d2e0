//! Copies the games of a damaged log file that can still be read.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    ops::ControlFlow,
    path::Path,
};

use rusqlite::{Connection, ffi, params, types::Value};

use super::{
    backup::{NewFile, refuse_existing},
    file::{LogFile, Snapshot},
    removal, schema, setups,
};
use crate::log::{
    Checker, Damage, Durability, GameHead, GameKey, GameRecord, NewGame, Options, Row, StoreError, StoredClient,
    Tombstone, sql::is_own,
};

/// How many rows are passed over at a time where a page cannot be read.
const STRIDE: i64 = 8;

/// What [`salvage`] has copied and left behind.
#[derive(Debug)]
pub struct Salvaged {
    /// Games that were copied.
    pub games: u64,
    /// Their entries.
    pub entries: u64,
    /// What could not be copied.
    pub left: Vec<LeftBehind>,
}

/// A part of a damaged log that [`salvage`] could not copy.
#[derive(Debug)]
pub enum LeftBehind {
    /// A game.
    Game {
        /// The key of the game.
        key: GameKey,
        /// The name of the game, if it can be read.
        name: Option<String>,
        /// Why it could not be copied.
        why: WhyLeft,
    },
    /// The clients of a game that was copied.
    Clients {
        /// The name of the game.
        name: String,
        /// Why they cannot be read.
        why: StoreError,
    },
    /// Rows of a rulebook's table.
    Rows {
        /// The name of the table.
        table: String,
        /// The number of rows that were read, but do not fit a table without the games that were left behind.
        unfit: u64,
        /// Why not all rows can be read.
        why: Option<StoreError>,
    },
}

/// Why a game was left behind.
#[derive(Debug)]
pub enum WhyLeft {
    /// It cannot be read.
    Unreadable(StoreError),
    /// It does not verify.
    Damaged(Damage),
}

impl fmt::Display for LeftBehind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game { name: Some(name), why, .. } => write!(f, "game {name}: {why}"),
            Self::Game { key, name: None, why } => write!(f, "the game with key {key}: {why}"),
            Self::Clients { name, why } => write!(f, "game {name} was copied without its clients: {why}"),
            Self::Rows { table, unfit, why } => {
                write!(f, "table {table}: ")?;
                if *unfit > 0 {
                    write!(f, "{unfit} rows belong to what is left behind")?;
                }
                match why {
                    Some(why) if *unfit > 0 => write!(f, "; {why}"),
                    Some(why) => why.fmt(f),
                    None => Ok(()),
                }
            }
        }
    }
}

impl fmt::Display for WhyLeft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(f),
            Self::Damaged(damage) => damage.fmt(f),
        }
    }
}

/// Copies every game that verifies from a damaged file to a new log, with its clients and the tables of rulebooks, as far as
/// pages can be read. The damaged file is only read. `progress` is called with the games that were tried, and all of them.
///
/// # Errors
///
/// If the file is so damaged that it is no log, or the new file exists or cannot be written.
pub fn salvage(from: &Path, to: &Path, progress: impl FnMut(u64, u64)) -> Result<Salvaged, StoreError> {
    let file = LogFile::open(from)?;
    file.read(|file| {
        refuse_existing(to)?;
        let part = NewFile::create(to)?;
        let new = schema::open(&part.path, Options { durability: Durability::None, max_pages: None })?;
        let mut salvage = Salvage { file, new: &new, done: Salvaged { games: 0, entries: 0, left: Vec::new() } };
        salvage.tombstones()?;
        salvage.games(progress)?;
        salvage.tables()?;
        let done = salvage.done;
        // One file holds everything before it gets its name.
        let alone = new.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()));
        alone.map_err(StoreError::sqlite("writing the new log"))?;
        drop(new);
        part.finish(to)?;
        Ok(done)
    })
}

struct Salvage<'s> {
    file: &'s Snapshot<'s>,
    new: &'s Connection,
    done: Salvaged,
}

impl Salvage<'_> {
    fn games(&mut self, mut progress: impl FnMut(u64, u64)) -> Result<(), StoreError> {
        let keys = self.keys();
        let mut again = BTreeMap::new();
        for (tried, &key) in keys.iter().enumerate() {
            progress(tried as u64, keys.len() as u64);
            match self.file.head(key) {
                Ok(head) => match self.verified(&head) {
                    Ok(rows) => self.copy(head, &rows)?,
                    Err(why) => drop(again.insert(key, (head, why))),
                },
                Err(error) => self.leave(key, None, WhyLeft::Unreadable(error)),
            }
        }
        // The entries of these games are perhaps not found by the index, but in the table.
        let mut found = self.scan(&again);
        for (key, (head, why)) in again {
            let rows: Vec<Row> = found.remove(&key).unwrap_or_default().into_values().collect();
            match check(&head, &rows) {
                Ok(()) => self.copy(head, &rows)?,
                Err(_) => self.leave(key, Some(head.record.name), why),
            }
        }
        Ok(())
    }

    /// The keys of all games that any table knows.
    fn keys(&self) -> BTreeSet<GameKey> {
        let mut keys = BTreeSet::new();
        let sources = [
            ("SELECT MAX(id) FROM games", "SELECT id FROM games NOT INDEXED WHERE id >= ?1 ORDER BY id"),
            ("SELECT MAX(game) FROM tails", "SELECT game FROM tails NOT INDEXED WHERE game >= ?1 ORDER BY game"),
            (
                "SELECT MAX(game) FROM entries INDEXED BY entries_of_game",
                "SELECT DISTINCT game FROM entries INDEXED BY entries_of_game WHERE game >= ?1 ORDER BY game",
            ),
        ];
        let most = sources.iter().filter_map(|(most, _)| self.number(most)).max().unwrap_or_default();
        for (_, sql) in sources {
            self.pass(sql, most, |row| {
                let key: i64 = row.get(0)?;
                keys.insert(GameKey(key));
                Ok(key)
            });
        }
        // A key beyond all others was read from a page that is no longer what it was.
        keys.retain(|key| (1..=most).contains(&key.0));
        keys
    }

    fn verified(&self, head: &GameHead) -> Result<Vec<Row>, WhyLeft> {
        let rows = self.file.rows(head.record.key, 1).map_err(WhyLeft::Unreadable)?;
        check(head, &rows).map_err(WhyLeft::Damaged)?;
        Ok(rows)
    }

    /// The entries of these games, from the table itself.
    fn scan<T>(&self, games: &BTreeMap<GameKey, T>) -> BTreeMap<GameKey, BTreeMap<u64, Row>> {
        let mut found: BTreeMap<GameKey, BTreeMap<u64, Row>> = BTreeMap::new();
        if games.is_empty() {
            return found;
        }
        let most = ["SELECT MAX(id) FROM entries", "SELECT SUM(entries) FROM tails"];
        let most = most.iter().filter_map(|sql| self.number(sql)).max().unwrap_or_default();
        let sql = "SELECT id, game, sequence, digest, bytes FROM entries NOT INDEXED WHERE id >= ?1 ORDER BY id";
        self.pass(sql, most, |row| {
            let (id, game) = (row.get(0)?, GameKey(row.get(1)?));
            if games.contains_key(&game) {
                let (sequence, digest) = (row.get::<_, i64>(2)?.cast_unsigned(), engine::Digest(row.get(3)?));
                found.entry(game).or_default().insert(sequence, Row { sequence, digest, bytes: row.get(4)? });
            }
            Ok(id)
        });
        found
    }

    /// Passes all rows up to `most` to `visit`, which returns the number of the row, and goes on behind pages that cannot be
    /// read.
    fn pass(&self, sql: &str, most: i64, mut visit: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<i64>) {
        let mut from = 1;
        while from <= most {
            let mut last = from - 1;
            let visited = self.file.each(sql, [from], "reading a table", |row| {
                last = visit(row)?.max(last);
                Ok(ControlFlow::Continue(()))
            });
            if visited.is_ok() {
                return;
            }
            from = self.next_readable(sql, last.max(from), most);
        }
    }

    /// The first row after `last` from which on a table can be read again.
    fn next_readable(&self, sql: &str, last: i64, most: i64) -> i64 {
        let is_readable = |from: i64| {
            let first = self.file.each(sql, [from], "reading a table", |_| Ok(ControlFlow::Break(())));
            first.is_ok()
        };
        let mut from = last.saturating_add(1);
        while from <= most && !is_readable(from) {
            from = from.saturating_add(STRIDE);
        }
        // Perhaps some of the rows that were passed over can be read, too.
        (from.saturating_sub(STRIDE - 1).max(last.saturating_add(1))..from)
            .find(|&row| is_readable(row))
            .unwrap_or(from)
    }

    fn number(&self, sql: &str) -> Option<i64> {
        self.file.collect(sql, [], "reading a table", |row| row.get(0)).ok()?.pop()?
    }

    /// Writes a game as a whole.
    fn copy(&mut self, head: GameHead, rows: &[Row]) -> Result<(), StoreError> {
        let (key, name) = (head.record.key, head.record.name.clone());
        let clients = self.file.clients(key);
        let writing = StoreError::sqlite("writing the new log");
        let transaction = self.new.unchecked_transaction().map_err(writing)?;
        let written = write(&transaction, head, rows, clients.as_deref().unwrap_or_default());
        match written.and_then(|()| transaction.commit()) {
            Ok(()) => {
                self.done.games += 1;
                self.done.entries += rows.len() as u64;
                if let Err(why) = clients {
                    self.done.left.push(LeftBehind::Clients { name, why });
                }
                Ok(())
            }
            // Another game has its name.
            Err(source) if source.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) => {
                let why = WhyLeft::Unreadable(StoreError::Sqlite { doing: "writing the new log", source });
                self.leave(key, Some(name), why);
                Ok(())
            }
            Err(source) => Err(StoreError::Sqlite { doing: "writing the new log", source }),
        }
    }

    /// Copies what is left of removed games, as far as it can be read. The rows of entries get new numbers.
    fn tombstones(&self) -> Result<(), StoreError> {
        for stone in self.file.removed().unwrap_or_default() {
            let stone = Tombstone { rows: None, ..stone };
            removal::insert_tombstone(self.new, &stone, true).map_err(StoreError::sqlite("writing the new log"))?;
        }
        Ok(())
    }

    fn leave(&mut self, key: GameKey, name: Option<String>, why: WhyLeft) {
        self.done.left.push(LeftBehind::Game { key, name, why });
    }

    /// Copies the tables of rulebooks.
    fn tables(&mut self) -> Result<(), StoreError> {
        let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                   ORDER BY rowid";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
        let tables = self.file.collect(sql, [], "reading the tables of games", read)?;
        for (table, sql) in tables.into_iter().filter(|(table, _)| !is_own(table)) {
            self.new.execute_batch(&sql).map_err(StoreError::sqlite("making the tables of games"))?;
            self.table(table)?;
        }
        Ok(())
    }

    /// Copies a table from its beginning to the first row that cannot be read, and then from its end.
    fn table(&mut self, table: String) -> Result<(), StoreError> {
        let doing = "reading a table of a rulebook";
        let quoted = format!("\"{}\"", table.replace('"', "\"\""));
        let key = "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk";
        let key: Vec<String> = self.file.collect(key, [&table], doing, |row| row.get(0))?;
        let key: Vec<String> = key.iter().map(|column| format!("\"{column}\" DESC")).collect();
        let forth = format!("SELECT * FROM {quoted}");
        let back = format!("SELECT * FROM {quoted} ORDER BY {}", key.join(", "));
        let (mut unfit, mut why) = (0, None);
        for sql in [forth, back] {
            let read = self.file.each(&sql, [], doing, |row| {
                let values = (0..).map_while(|at| row.get::<_, Value>(at).ok()).collect::<Vec<_>>();
                let places = vec!["?"; values.len()].join(", ");
                let insert = format!("INSERT INTO {quoted} VALUES ({places})");
                let inserted = self.new.prepare_cached(&insert)?.execute(rusqlite::params_from_iter(values));
                match inserted {
                    Ok(_) => {}
                    Err(error) if is_there(&error) => {}
                    Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) => {
                        unfit += 1;
                    }
                    Err(error) => return Err(error),
                }
                Ok(ControlFlow::Continue(()))
            });
            match read {
                Ok(_) => break,
                Err(error) => why = why.or(Some(error)),
            }
        }
        if unfit > 0 || why.is_some() {
            self.done.left.push(LeftBehind::Rows { table, unfit, why });
        }
        Ok(())
    }
}

fn is_there(error: &rusqlite::Error) -> bool {
    let rusqlite::Error::SqliteFailure(failure, _) = error else { return false };
    matches!(failure.extended_code, ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_ROWID)
}

fn check(head: &GameHead, rows: &[Row]) -> Result<(), Damage> {
    let mut checker = Checker::new(head)?;
    rows.iter().try_for_each(|row| checker.entry(row.sequence, &row.bytes, &row.digest))?;
    checker.end()
}

fn write(new: &Connection, head: GameHead, rows: &[Row], clients: &[StoredClient]) -> rusqlite::Result<()> {
    let GameHead { record, header, scenario, redacted } = head;
    let GameRecord { key, name, about, created, end, players, results, parent, tail } = record;
    let (rows_later, redacted) = (Vec::new(), (!redacted.is_empty()).then(|| Box::new(redacted)));
    let game = NewGame { name, about, header, scenario, created, parent, rows: rows_later, redacted };
    setups::insert_game(new, key, &game)?;
    let json = |value: serde_json::Value| value.to_string();
    let (players, results) =
        (players.map(|names| json(names.into())), results.map(|seats| json(serde_json::json!(seats))));
    let (at, outcome) = end.map(|end| (end.at, end.outcome)).unzip();
    new.prepare_cached("UPDATE games SET ended = ?2, outcome = ?3, players = ?4, results = ?5 WHERE id = ?1")?
        .execute(params![key.0, at, outcome, players, results])?;
    for Row { sequence, digest, bytes } in rows {
        new.prepare_cached("INSERT INTO entries (game, sequence, digest, bytes) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![key.0, sequence.cast_signed(), digest.0, bytes])?;
    }
    new.prepare_cached("INSERT INTO tails (game, entries, digest) VALUES (?1, ?2, ?3)")?.execute(params![
        key.0,
        tail.entries.cast_signed(),
        tail.digest.0
    ])?;
    for StoredClient { client, token_hash, name, joined } in clients {
        new.prepare_cached("INSERT INTO clients (game, client, token_hash, name, joined) VALUES (?1, ?2, ?3, ?4, ?5)")?
            .execute(params![key.0, client.0, token_hash, name, joined])?;
    }
    Ok(())
}
