//! One commit and the games in it.

use std::{
    collections::{HashMap, hash_map},
    panic::{self, AssertUnwindSafe},
    sync::Arc,
};

use engine::Digest;
use rusqlite::{CachedStatement, Connection, ErrorCode, OptionalExtension, params};

use super::{records, setups};
use crate::log::{
    Acknowledge, Ending, GameKey, NewGame, Record, RecordError, Row, StoreError, StoredClient, Table, Tail,
    write::Write,
};

/// The games that are open for writing.
#[derive(Default)]
pub(super) struct OpenGames {
    games: HashMap<GameKey, OpenGame>,
}

struct OpenGame {
    acknowledge: Arc<dyn Acknowledge>,
    /// The end of the log as far as it is acknowledged.
    tail: Tail,
}

impl OpenGames {
    /// The acknowledged end of the log of an open game.
    pub(super) fn tail(&self, game: GameKey) -> Option<Tail> {
        self.games.get(&game).map(|open| open.tail)
    }

    /// Reports that a write is stored after all.
    pub(super) fn acknowledge(&mut self, write: Write) {
        match write {
            Write::Create { key, game, acknowledge } => {
                let tail = game.tail();
                tell(|| acknowledge.durable(tail.entries));
                self.games.insert(key, OpenGame { acknowledge, tail });
            }
            Write::Append { game, row, .. } => {
                if let Some(open) = self.games.get_mut(&game) {
                    open.tail = Tail { entries: row.sequence, digest: row.digest };
                    tell(|| open.acknowledge.durable(row.sequence));
                }
            }
            Write::Client { done, .. } => drop(tell(|| done(Ok(())))),
            Write::Finish { game, done, .. } => {
                tell(|| done(Ok(())));
                self.games.remove(&game);
            }
            // It writes nothing, so it is never found in a store.
            Write::Resume { .. } => {}
        }
    }

    /// Reports that writes are not stored. Their games accept no more writes, unless only a client is missing.
    pub(super) fn refuse(&mut self, writes: Vec<Write>, error: &Arc<StoreError>) {
        let mut failed = Vec::new();
        for write in writes {
            match write {
                Write::Create { acknowledge, .. } | Write::Resume { acknowledge, .. } => {
                    tell(|| acknowledge.failed(error.clone()));
                }
                Write::Client { done, .. } => drop(tell(|| done(Err(error.clone())))),
                Write::Finish { game, done, .. } => {
                    tell(|| done(Err(error.clone())));
                    failed.push(game);
                }
                Write::Append { game, .. } => failed.push(game),
            }
        }
        for game in failed {
            if let Some(open) = self.games.remove(&game) {
                tell(|| open.acknowledge.failed(error.clone()));
            }
        }
    }

    pub(super) fn fail_all(&mut self, error: &Arc<StoreError>) {
        for (_, game) in self.games.drain() {
            tell(|| game.acknowledge.failed(error.clone()));
        }
    }
}

/// Calls the callback of a game and catches its panic, so that the writer continues for other games. Returns false after a
/// panic.
fn tell(call: impl FnOnce()) -> bool {
    panic::catch_unwind(AssertUnwindSafe(call)).is_ok()
}

/// A game in a transaction.
struct Staged {
    acknowledge: Arc<dyn Acknowledge>,
    /// The end of the log after the transaction.
    tail: Tail,
    opened: bool,
    grown: bool,
    finished: bool,
    /// Whether the last stored entry is known to be the one that the game wrote last.
    is_checked: bool,
    /// Why the game accepts no more writes after this transaction.
    refused: Option<StoreError>,
}

impl Staged {
    fn new(acknowledge: Arc<dyn Acknowledge>, tail: Tail) -> Self {
        Self { acknowledge, tail, opened: false, grown: false, finished: false, is_checked: false, refused: None }
    }

    fn is_open(&self) -> bool {
        !self.finished && self.refused.is_none()
    }
}

/// Writes a batch in one transaction. It changes no open game before it is committed, so a failed one can be tried again.
///
/// An error of the store fails the transaction, because none of it was stored. An error of one game fails only that game.
pub(super) struct Transaction<'w> {
    connection: &'w Connection,
    /// The tables of rulebooks.
    tables: &'w [&'static Table],
    games: &'w OpenGames,
    staged: HashMap<GameKey, Staged>,
    /// The keys of `staged` in the order of the batch.
    order: Vec<GameKey>,
    entries: u64,
}

/// A transaction that is durable, and whose games do not know it yet.
pub(super) struct Committed {
    staged: HashMap<GameKey, Staged>,
    order: Vec<GameKey>,
    /// For each write, why it was refused.
    refusals: Vec<Option<StoreError>>,
    entries: u64,
}

impl<'w> Transaction<'w> {
    pub(super) fn new(connection: &'w Connection, tables: &'w [&'static Table], games: &'w OpenGames) -> Self {
        Self { connection, tables, games, staged: HashMap::new(), order: Vec::new(), entries: 0 }
    }

    /// Writes and commits a batch.
    ///
    /// # Errors
    /// If the store fails. Then the whole batch has most likely not been stored, but that is not certain.
    pub(super) fn run(mut self, batch: &[Write]) -> Result<Committed, StoreError> {
        let written = self.write(batch);
        if written.is_err() && !self.connection.is_autocommit() {
            // If this also fails, the connection is dropped anyway.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        let Self { staged, order, entries, .. } = self;
        written.map(|refusals| Committed { staged, order, refusals, entries })
    }

    fn write(&mut self, batch: &[Write]) -> Result<Vec<Option<StoreError>>, StoreError> {
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(StoreError::sqlite("beginning to write"))?;
        let prepared = Statements::prepare(self.connection);
        let mut statements = prepared.map_err(StoreError::sqlite("preparing to write"))?;
        let mut refusals = Vec::with_capacity(batch.len());
        for write in batch {
            refusals.push(self.apply(&mut statements, write)?);
        }
        for (key, staged) in self.order.iter().filter_map(|key| Some((key, self.staged.get(key)?))) {
            statements.end_of_log(*key, staged).map_err(StoreError::sqlite("storing where a log ends"))?;
        }
        self.connection.execute_batch("COMMIT").map_err(StoreError::sqlite("committing"))?;
        Ok(refusals)
    }

    /// Returns the error if only this write is refused.
    fn apply(&mut self, statements: &mut Statements<'_>, write: &Write) -> Result<Option<StoreError>, StoreError> {
        match write {
            Write::Create { key, game, acknowledge } => self.create(statements, *key, game, acknowledge).map(|()| None),
            Write::Client { game, client, .. } => self.client(statements, *game, client),
            Write::Append { game, row, records } => self.append(statements, *game, row, records).map(|()| None),
            Write::Finish { game, ending, .. } => self.finish(statements, *game, ending),
            Write::Resume { game, next_sequence, acknowledge } => {
                self.resume(statements, *game, *next_sequence, acknowledge)
            }
        }
    }

    fn create(
        &mut self,
        statements: &mut Statements<'_>,
        key: GameKey,
        game: &NewGame,
        acknowledge: &Arc<dyn Acknowledge>,
    ) -> Result<(), StoreError> {
        let staged = self.stage(key, Staged::new(acknowledge.clone(), game.tail()));
        let NewGame { name, rows, .. } = game;
        if let Some(Tail { entries: sequence, .. }) = statements.last_entry(key)? {
            staged.refused = Some(StoreError::Diverged { game: key, sequence });
            return Ok(());
        }
        staged.is_checked = true;
        match setups::insert_game(statements.connection, key, game) {
            Ok(()) => (staged.opened, staged.grown) = (true, true),
            Err(error) if is_constraint(&error) => {
                staged.refused = Some(StoreError::NameTaken { name: name.clone() });
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
    ) -> Result<Option<StoreError>, StoreError> {
        if self.touch(game).is_none() {
            return Ok(Some(StoreError::NotOpen { game }));
        }
        let StoredClient { client, token_hash, name, joined } = client;
        match statements.client.execute(params![game.0, client.0, token_hash, name, joined]) {
            Ok(_) => Ok(None),
            Err(error) if is_constraint(&error) => Ok(Some(StoreError::ClientTaken { game, client: client.0 })),
            Err(source) => Err(StoreError::Sqlite { doing: "storing a client", source }),
        }
    }

    fn append(
        &mut self,
        statements: &mut Statements<'_>,
        game: GameKey,
        row: &Row,
        records: &[Record],
    ) -> Result<(), StoreError> {
        let tables = self.tables;
        let Some(staged) = self.touch(game) else { return Ok(()) };
        let expected = staged.tail.entries + 1;
        if row.sequence != expected {
            staged.refused = Some(StoreError::Sequence { game, expected, found: row.sequence });
            return Ok(());
        }
        if !staged.is_checked {
            staged.refused = statements.divergence(game, staged.tail)?;
            if staged.refused.is_some() {
                return Ok(());
            }
            staged.is_checked = true;
        }
        match statements.recorded_entry(tables, game, row, records)? {
            None => {
                staged.tail = Tail { entries: row.sequence, digest: row.digest };
                staged.grown = true;
                self.entries += 1;
            }
            refused => staged.refused = refused,
        }
        Ok(())
    }

    fn finish(
        &mut self,
        statements: &mut Statements<'_>,
        game: GameKey,
        ending: &Ending,
    ) -> Result<Option<StoreError>, StoreError> {
        let Some(staged) = self.touch(game) else { return Ok(Some(StoreError::NotOpen { game })) };
        staged.finished = true;
        let Ending { outcome, at, players, results } = ending;
        let players = serde_json::json!(players).to_string();
        let results = (!results.is_empty()).then(|| serde_json::json!(results).to_string());
        let entries = (staged.tail.entries > 0).then(|| staged.tail.entries.cast_signed());
        let finished = statements.finish.execute(params![game.0, outcome, at, players, results, entries]);
        finished.map_err(StoreError::sqlite("storing the end of a game")).map(|_| None)
    }

    fn resume(
        &mut self,
        statements: &mut Statements<'_>,
        game: GameKey,
        next_sequence: u64,
        acknowledge: &Arc<dyn Acknowledge>,
    ) -> Result<Option<StoreError>, StoreError> {
        // The previous writer of the game may have rows in this same transaction.
        let tail = match (self.staged.get(&game), self.games.tail(game)) {
            (Some(staged), _) if staged.is_open() => Some(staged.tail),
            (Some(_), _) => None,
            (None, Some(tail)) => Some(tail),
            (None, None) => statements.stored_tail(game)?,
        };
        let Some(tail) = tail else { return Ok(Some(StoreError::NotOpen { game })) };
        if next_sequence.checked_sub(1) != Some(tail.entries) {
            let expected = tail.entries.saturating_add(1);
            return Ok(Some(StoreError::Sequence { game, expected, found: next_sequence }));
        }
        let staged = match self.staged.contains_key(&game) {
            true => self.touch(game),
            false => Some(self.stage(game, Staged::new(acknowledge.clone(), tail))),
        };
        if let Some(staged) = staged {
            (staged.acknowledge, staged.opened) = (acknowledge.clone(), true);
        }
        Ok(None)
    }

    /// Makes a game part of this transaction.
    fn stage(&mut self, key: GameKey, staged: Staged) -> &mut Staged {
        self.order.push(key);
        match self.staged.entry(key) {
            hash_map::Entry::Occupied(mut place) => {
                place.insert(staged);
                place.into_mut()
            }
            hash_map::Entry::Vacant(place) => place.insert(staged),
        }
    }

    /// Returns a game that accepts writes, and makes it part of this transaction.
    fn touch(&mut self, key: GameKey) -> Option<&mut Staged> {
        if !self.staged.contains_key(&key) {
            let open = self.games.games.get(&key)?;
            let staged = Staged::new(open.acknowledge.clone(), open.tail);
            self.stage(key, staged);
        }
        self.staged.get_mut(&key).filter(|staged| staged.is_open())
    }
}

impl Committed {
    /// Whether no game is affected.
    pub(super) fn is_empty(&self) -> bool {
        self.staged.is_empty()
    }

    /// The number of entries.
    pub(super) fn entries(&self) -> u64 {
        self.entries
    }

    /// Notifies the games, and updates them.
    pub(super) fn tell(mut self, batch: Vec<Write>, games: &mut OpenGames) {
        for (write, refused) in batch.into_iter().zip(self.refusals) {
            let answer = refused.map_or(Ok(()), |error| Err(Arc::new(error)));
            match (write, answer) {
                (Write::Client { done, .. } | Write::Finish { done, .. }, answer) => drop(tell(|| done(answer))),
                (Write::Resume { acknowledge, .. }, Err(error)) => drop(tell(|| acknowledge.failed(error))),
                (Write::Create { .. } | Write::Append { .. } | Write::Resume { .. }, _) => {}
            }
        }
        for key in self.order {
            let Some(staged) = self.staged.remove(&key) else { continue };
            let is_open = staged.is_open();
            let Staged { acknowledge, tail, opened, grown, refused, .. } = staged;
            let heard = !(grown || opened) || tell(|| acknowledge.durable(tail.entries));
            if heard && is_open {
                games.games.insert(key, OpenGame { acknowledge, tail });
                continue;
            }
            games.games.remove(&key);
            if let Some(error) = refused {
                tell(|| acknowledge.failed(Arc::new(error)));
            }
        }
    }
}

/// All statements that write.
struct Statements<'c> {
    connection: &'c Connection,
    client: CachedStatement<'c>,
    entry: CachedStatement<'c>,
    last_entry: CachedStatement<'c>,
    tail: CachedStatement<'c>,
    no_tail: CachedStatement<'c>,
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
            last_entry: connection
                .prepare_cached("SELECT sequence, digest FROM entries WHERE game = ?1 ORDER BY id DESC LIMIT 1")?,
            // An update in place; replacing the row would remove and insert it.
            tail: connection.prepare_cached(
                "INSERT INTO tails (game, entries, digest) VALUES (?1, ?2, ?3)
                 ON CONFLICT (game) DO UPDATE SET entries = excluded.entries, digest = excluded.digest",
            )?,
            no_tail: connection.prepare_cached("DELETE FROM tails WHERE game = ?1")?,
            finish: connection.prepare_cached(
                "UPDATE games SET outcome = ?2, ended = ?3, players = ?4, results = ?5, last_entry = ?6 WHERE id = ?1",
            )?,
        })
    }

    fn entry(&mut self, game: GameKey, row: &Row) -> rusqlite::Result<()> {
        self.entry.execute(params![game.0, row.sequence.cast_signed(), row.digest.0, row.bytes]).map(drop)
    }

    /// Stores where the log of a game ends. A finished game has the number of its entries in its own row, and needs no tail.
    fn end_of_log(&mut self, game: GameKey, staged: &Staged) -> rusqlite::Result<()> {
        let Tail { entries, digest } = staged.tail;
        if staged.finished && entries > 0 {
            return self.no_tail.execute([game.0]).map(drop);
        }
        if staged.grown {
            self.tail.execute(params![game.0, entries.cast_signed(), digest.0])?;
        }
        Ok(())
    }

    /// The last stored entry of a game.
    fn last_entry(&mut self, game: GameKey) -> Result<Option<Tail>, StoreError> {
        let read = |row: &rusqlite::Row<'_>| {
            let digest = row.get_ref(1)?.as_blob()?.try_into().unwrap_or_default();
            Ok(Tail { entries: row.get::<_, i64>(0)?.cast_unsigned(), digest: Digest(digest) })
        };
        let last = self.last_entry.query_row([game.0], read).optional();
        last.map_err(StoreError::sqlite("reading the last entry of a game"))
    }

    /// The error if the last stored entry of a game is not where its log ends: no index keeps another program from adding,
    /// changing or removing entries.
    fn divergence(&mut self, game: GameKey, tail: Tail) -> Result<Option<StoreError>, StoreError> {
        let last = self.last_entry(game)?;
        if last == (tail.entries > 0).then_some(tail) {
            return Ok(None);
        }
        let sequence = last.map_or(0, |last| last.entries).max(tail.entries);
        Ok(Some(StoreError::Diverged { game, sequence }))
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
