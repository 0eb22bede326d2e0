//! One commit and the games in it.

use std::{
    collections::{HashMap, VecDeque, hash_map},
    panic::{self, AssertUnwindSafe},
    sync::Arc,
    time::Instant,
};

use engine::Digest;
use rusqlite::{CachedStatement, Connection, ErrorCode, OptionalExtension, params};

use super::{records, setups, writer::Job};
use crate::log::{
    Acknowledge, Ending, GameKey, Measures, NewGame, Record, RecordError, Row, StoreError, Stored, StoredClient, Table,
    Tail,
};

/// The games that are open for writing.
#[derive(Default)]
pub(super) struct OpenGames {
    games: HashMap<GameKey, OpenGame>,
}

impl OpenGames {
    pub(super) fn fail_all(&mut self, error: &Arc<StoreError>) {
        for (_, game) in self.games.drain() {
            tell(|| game.acknowledge.failed(Arc::clone(error)));
        }
    }
}

/// Calls the callback of a game and catches its panic, so that the writer continues for other games. Returns false after a
/// panic.
fn tell(call: impl FnOnce()) -> bool {
    panic::catch_unwind(AssertUnwindSafe(call)).is_ok()
}

struct OpenGame {
    acknowledge: Arc<dyn Acknowledge>,
    tail: Tail,
    /// The effects of the current transaction on the game.
    touched: bool,
    opened: bool,
    grown: bool,
    finished: bool,
    /// Why the game accepts no more writes after this transaction.
    refused: Option<StoreError>,
}

impl OpenGame {
    fn new(acknowledge: Arc<dyn Acknowledge>, tail: Tail) -> Self {
        Self { acknowledge, tail, touched: false, opened: true, grown: false, finished: false, refused: None }
    }

    fn is_open(&self) -> bool {
        !self.finished && self.refused.is_none()
    }
}

/// Writes jobs in one transaction, and notifies the games of the result.
///
/// An error of the store fails every game in the transaction, because none of it was stored. An error of one game fails only
/// that game.
pub(super) struct Transaction<'w> {
    connection: &'w Connection,
    /// The tables of rulebooks.
    tables: &'w [&'static Table],
    games: &'w mut OpenGames,
    touched: Vec<GameKey>,
    /// Callbacks that wait for the commit, besides the games themselves.
    stored: Vec<Stored>,
    measures: &'w Measures,
    entries: u64,
}

impl<'w> Transaction<'w> {
    pub(super) fn new(
        connection: &'w Connection,
        tables: &'w [&'static Table],
        games: &'w mut OpenGames,
        measures: &'w Measures,
    ) -> Self {
        Self { connection, tables, games, touched: Vec::new(), stored: Vec::new(), measures, entries: 0 }
    }

    /// Takes jobs from the batch: all of them, or all up to the one at which the store fails. The rest may succeed in another
    /// transaction.
    pub(super) fn run(mut self, batch: &mut VecDeque<Job>) {
        let since = Instant::now();
        match self.write(batch) {
            Ok(()) => {
                // Jobs of failed games are dropped, so a transaction without games says nothing about the disk.
                if !self.touched.is_empty() {
                    self.measures.committed(self.entries, since.elapsed());
                }
                self.acknowledge();
            }
            Err(error) => {
                self.measures.failed();
                if !self.connection.is_autocommit() {
                    // If this also fails, the next transaction cannot begin and reports that.
                    let _ = self.connection.execute_batch("ROLLBACK");
                }
                self.fail(&Arc::new(error));
            }
        }
    }

    fn write(&mut self, batch: &mut VecDeque<Job>) -> Result<(), StoreError> {
        if let Err(source) = self.connection.execute_batch("BEGIN IMMEDIATE") {
            batch.drain(..).for_each(|job| self.give_up(job));
            return Err(StoreError::Sqlite { doing: "beginning to write", source });
        }
        let mut statements = Statements::prepare(self.connection)
            .map_err(StoreError::sqlite("preparing to write"))
            .inspect_err(|_| batch.drain(..).for_each(|job| self.give_up(job)))?;
        while let Some(job) = batch.pop_front() {
            self.apply(&mut statements, job)?;
        }
        for key in &self.touched {
            let Some(OpenGame { grown: true, tail, .. }) = self.games.games.get(key) else { continue };
            statements
                .tail
                .execute(params![key.0, tail.entries.cast_signed(), tail.digest.0])
                .map_err(StoreError::sqlite("storing where a log ends"))?;
        }
        self.connection.execute_batch("COMMIT").map_err(StoreError::sqlite("committing"))
    }

    fn apply(&mut self, statements: &mut Statements<'_>, job: Job) -> Result<(), StoreError> {
        match job {
            Job::Create { key, game, acknowledge } => self.create(statements, key, &game, acknowledge),
            Job::Client { game, client, done } => self.client(statements, game, &client, done),
            Job::Append { game, row, records } => self.append(statements, game, &row, &records),
            Job::Finish { game, ending, done } => self.finish(statements, game, &ending, done),
            Job::Resume { game, next_sequence, acknowledge } => {
                self.resume(statements, game, next_sequence, acknowledge)
            }
            // The writer handles these itself, so they are never part of a batch.
            Job::Tables { .. } | Job::Flush { .. } | Job::Close { .. } => Ok(()),
        }
    }

    fn create(
        &mut self,
        statements: &mut Statements<'_>,
        key: GameKey,
        game: &NewGame,
        acknowledge: Arc<dyn Acknowledge>,
    ) -> Result<(), StoreError> {
        self.games.games.insert(key, OpenGame::new(acknowledge, game.tail()));
        let open = self.touch(key).ok_or(StoreError::NotOpen { game: key })?;
        let NewGame { name, rows, .. } = game;
        match setups::insert_game(statements.connection, key, game) {
            Ok(()) => open.grown = true,
            Err(error) if is_constraint(&error) => {
                open.opened = false;
                open.refused = Some(StoreError::NameTaken { name: name.clone() });
                return Ok(());
            }
            Err(source) => return Err(StoreError::Sqlite { doing: "storing a game", source }),
        }
        for row in rows {
            // Any error fails the transaction: a game starts with all of its entries or not at all.
            statements.entry(key, row).map_err(StoreError::sqlite("storing what a game begins with"))?;
        }
        self.entries += rows.len() as u64;
        Ok(())
    }

    fn client(
        &mut self,
        statements: &mut Statements<'_>,
        game: GameKey,
        client: &StoredClient,
        done: Stored,
    ) -> Result<(), StoreError> {
        let Some(_) = self.touch(game) else {
            tell(|| done(Err(Arc::new(StoreError::NotOpen { game }))));
            return Ok(());
        };
        let StoredClient { client, token_hash, name, joined } = client;
        match statements.client.execute(params![game.0, client.0, token_hash, name, joined]) {
            Ok(_) => self.stored.push(done),
            Err(error) if is_constraint(&error) => {
                tell(|| done(Err(Arc::new(StoreError::ClientTaken { game, client: client.0 }))));
            }
            Err(source) => {
                self.stored.push(done);
                return Err(StoreError::Sqlite { doing: "storing a client", source });
            }
        }
        Ok(())
    }

    fn append(
        &mut self,
        statements: &mut Statements<'_>,
        game: GameKey,
        row: &Row,
        records: &[Record],
    ) -> Result<(), StoreError> {
        let tables = self.tables;
        let Some(open) = self.touch(game) else { return Ok(()) };
        let expected = open.tail.entries + 1;
        if row.sequence != expected {
            open.refused = Some(StoreError::Sequence { game, expected, found: row.sequence });
            return Ok(());
        }
        match statements.recorded_entry(tables, game, row, records)? {
            None => {
                open.tail = Tail { entries: row.sequence, digest: row.digest };
                open.grown = true;
                self.entries += 1;
            }
            refused => open.refused = refused,
        }
        Ok(())
    }

    fn finish(
        &mut self,
        statements: &mut Statements<'_>,
        game: GameKey,
        ending: &Ending,
        done: Stored,
    ) -> Result<(), StoreError> {
        let Some(open) = self.touch(game) else {
            tell(|| done(Err(Arc::new(StoreError::NotOpen { game }))));
            return Ok(());
        };
        open.finished = true;
        self.stored.push(done);
        let Ending { outcome, at, players, results } = ending;
        let players = serde_json::json!(players).to_string();
        let results = (!results.is_empty()).then(|| serde_json::json!(results).to_string());
        let finished = statements.finish.execute(params![game.0, outcome, at, players, results]);
        finished.map_err(StoreError::sqlite("storing the end of a game")).map(drop)
    }

    fn resume(
        &mut self,
        statements: &mut Statements<'_>,
        game: GameKey,
        next_sequence: u64,
        acknowledge: Arc<dyn Acknowledge>,
    ) -> Result<(), StoreError> {
        let tail = match self.games.games.get(&game) {
            // The previous writer of the game may have rows in this same transaction.
            Some(open) if open.is_open() => Some(open.tail),
            Some(_) => None,
            None => statements.stored_tail(game)?,
        };
        let refused = match tail {
            None => Some(StoreError::NotOpen { game }),
            Some(tail) if next_sequence.checked_sub(1) != Some(tail.entries) => {
                Some(StoreError::Sequence { game, expected: tail.entries.saturating_add(1), found: next_sequence })
            }
            Some(_) => None,
        };
        if let Some(error) = refused {
            tell(|| acknowledge.failed(Arc::new(error)));
            return Ok(());
        }
        if let Some(tail) = tail {
            match self.games.games.entry(game) {
                hash_map::Entry::Occupied(mut open) => open.get_mut().acknowledge = acknowledge,
                hash_map::Entry::Vacant(place) => {
                    place.insert(OpenGame::new(acknowledge, tail));
                }
            }
        }
        if let Some(open) = self.touch(game) {
            open.opened = true;
        }
        Ok(())
    }

    /// Returns a game that accepts writes, and makes it part of this transaction.
    fn touch(&mut self, key: GameKey) -> Option<&mut OpenGame> {
        let open = self.games.games.get_mut(&key).filter(|open| open.is_open())?;
        if !open.touched {
            open.touched = true;
            self.touched.push(key);
        }
        Some(open)
    }

    /// Skips a job, and makes its game part of the failure.
    fn give_up(&mut self, job: Job) {
        match job {
            Job::Create { key: game, acknowledge, .. } | Job::Resume { game, acknowledge, .. } => {
                let tail = Tail { entries: 0, digest: Digest([0; 32]) };
                self.games.games.insert(game, OpenGame::new(acknowledge, tail));
                self.touch(game);
            }
            Job::Client { game, done, .. } | Job::Finish { game, done, .. } => {
                self.touch(game);
                self.stored.push(done);
            }
            Job::Append { game, .. } => {
                self.touch(game);
            }
            Job::Tables { .. } | Job::Flush { .. } | Job::Close { .. } => {}
        }
    }

    fn acknowledge(self) {
        for done in self.stored {
            tell(|| done(Ok(())));
        }
        for key in self.touched {
            let Some(open) = self.games.games.get_mut(&key) else { continue };
            let heard = !(open.grown || open.opened) || tell(|| open.acknowledge.durable(open.tail.entries));
            (open.touched, open.grown, open.opened) = (false, false, false);
            if (!heard || !open.is_open())
                && let Some(open) = self.games.games.remove(&key)
                && let Some(error) = open.refused
            {
                tell(|| open.acknowledge.failed(Arc::new(error)));
            }
        }
    }

    fn fail(self, error: &Arc<StoreError>) {
        for done in self.stored {
            tell(|| done(Err(Arc::clone(error))));
        }
        for key in self.touched {
            if let Some(open) = self.games.games.remove(&key) {
                tell(|| open.acknowledge.failed(Arc::clone(error)));
            }
        }
    }
}

/// All statements that write.
struct Statements<'c> {
    connection: &'c Connection,
    client: CachedStatement<'c>,
    entry: CachedStatement<'c>,
    tail: CachedStatement<'c>,
    finish: CachedStatement<'c>,
}

impl<'c> Statements<'c> {
    fn prepare(connection: &'c Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            connection,
            client: connection.prepare_cached(
                "INSERT INTO clients (game, client, token_hash, name, joined) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?,
            entry: connection
                .prepare_cached("INSERT INTO entries (game, sequence, digest, bytes) VALUES (?1, ?2, ?3, ?4)")?,
            // An update in place; replacing the row would remove and insert it.
            tail: connection.prepare_cached(
                "INSERT INTO tails (game, entries, digest) VALUES (?1, ?2, ?3)
                 ON CONFLICT (game) DO UPDATE SET entries = excluded.entries, digest = excluded.digest",
            )?,
            finish: connection.prepare_cached(
                "UPDATE games SET outcome = ?2, ended = ?3, players = ?4, results = ?5 WHERE id = ?1",
            )?,
        })
    }

    fn entry(&mut self, game: GameKey, row: &Row) -> rusqlite::Result<()> {
        self.entry.execute(params![game.0, row.sequence.cast_signed(), row.digest.0, row.bytes]).map(drop)
    }

    /// Writes an entry with its records. Returns the error if the game cannot have it: then nothing of it is stored, but the
    /// rest of the transaction can still succeed.
    fn recorded_entry(
        &mut self,
        tables: &[&'static Table],
        game: GameKey,
        row: &Row,
        records: &[Record],
    ) -> Result<Option<StoreError>, StoreError> {
        let doing = "storing an entry";
        if records.is_empty() {
            return one_row(self.entry(game, row));
        }
        self.connection.execute_batch("SAVEPOINT entry").map_err(StoreError::sqlite(doing))?;
        let mut refused = None;
        for record in records {
            refused = self.record(tables, game, record)?;
            if refused.is_some() {
                break;
            }
        }
        if refused.is_none() {
            refused = one_row(self.entry(game, row))?;
        }
        let end = if refused.is_some() { "ROLLBACK TO entry; RELEASE entry" } else { "RELEASE entry" };
        self.connection.execute_batch(end).map_err(StoreError::sqlite(doing))?;
        Ok(refused)
    }

    fn record(
        &self,
        tables: &[&'static Table],
        game: GameKey,
        record: &Record,
    ) -> Result<Option<StoreError>, StoreError> {
        let table = record.table();
        if !tables.contains(&table) {
            return Ok(Some(RecordError::NoSuchTable { table: table.name }.into()));
        }
        let change = match record.resolve(game) {
            Ok(change) => change,
            Err(error) => return Ok(Some(error.into())),
        };
        let written = records::write(self.connection, table, &change);
        match written.as_ref().err().and_then(|error| records::refusal(table, error)) {
            Some(refusal) => Ok(Some(refusal.into())),
            None => one_row(written),
        }
    }

    /// The end of the log of an unfinished game.
    fn stored_tail(&self, game: GameKey) -> Result<Option<Tail>, StoreError> {
        let sql = "SELECT entries, digest FROM tails JOIN games ON games.id = game WHERE game = ?1 AND ended IS NULL";
        let read = |row: &rusqlite::Row<'_>| {
            Ok(Tail { entries: row.get::<_, i64>(0)?.cast_unsigned(), digest: Digest(row.get(1)?) })
        };
        let tail = self.connection.query_row(sql, [game.0], read).optional();
        tail.map_err(StoreError::sqlite("reading where a log ends"))
    }
}

/// Separates an error that affects only this row from an error of the store.
fn one_row(written: rusqlite::Result<()>) -> Result<Option<StoreError>, StoreError> {
    let doing = "storing an entry";
    match written {
        Ok(()) => Ok(None),
        Err(source) if concerns_one_row(&source) => Ok(Some(StoreError::Sqlite { doing, source })),
        Err(source) => Err(StoreError::Sqlite { doing, source }),
    }
}

fn is_constraint(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation)
}

/// Whether the rest of the transaction can still be stored.
fn concerns_one_row(error: &rusqlite::Error) -> bool {
    is_constraint(error) || error.sqlite_error_code() == Some(ErrorCode::TooBig)
}
