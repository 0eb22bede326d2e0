//! One commit and the games in it.

use engine::Digest;
use rusqlite::{CachedStatement, Connection, ErrorCode, OptionalExtension, params};

use super::{records, setups};
use crate::log::{
    Ending, GameKey, NewGame, Record, RecordError, Row, StoreError, StoredClient, Table, Tail,
    staging::{Committed, OpenGames, Staging},
    write::Write,
};

/// Writes a batch in one transaction.
///
/// An error of the store fails the transaction, because none of it was stored. An error of one game fails only that game.
pub(super) struct Transaction<'w> {
    connection: &'w Connection,
    /// The tables of rulebooks.
    tables: &'w [&'static Table],
    staging: Staging<'w>,
    /// The number of the next row of the entries, if it is not the one after the last row.
    next_row: Option<i64>,
}

impl<'w> Transaction<'w> {
    pub(super) fn new(
        connection: &'w Connection,
        tables: &'w [&'static Table],
        games: &'w OpenGames,
        next_row: Option<i64>,
    ) -> Self {
        Self { connection, tables, staging: Staging::new(games), next_row }
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
        written.map(|refusals| self.staging.committed(refusals))
    }

    fn write(&mut self, batch: &[Write]) -> Result<Vec<Option<StoreError>>, StoreError> {
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(StoreError::sqlite("beginning to write"))?;
        let prepared = Statements::prepare(self.connection, self.next_row);
        let mut statements = prepared.map_err(StoreError::sqlite("preparing to write"))?;
        let mut refusals = Vec::with_capacity(batch.len());
        for write in batch {
            refusals.push(self.apply(&mut statements, write)?);
        }
        for (key, tail) in self.staging.tails() {
            statements
                .tail
                .execute(params![key.0, tail.entries.cast_signed(), tail.digest.0])
                .map_err(StoreError::sqlite("storing where a log ends"))?;
        }
        self.connection.execute_batch("COMMIT").map_err(StoreError::sqlite("committing"))?;
        Ok(refusals)
    }

    /// Returns the error if only this write is refused.
    fn apply(&mut self, statements: &mut Statements<'_>, write: &Write) -> Result<Option<StoreError>, StoreError> {
        match write {
            Write::Create { key, game, acknowledge } => {
                let refused = create(statements, *key, game)?;
                self.staging.create(*key, game, acknowledge, refused);
                Ok(None)
            }
            Write::Client { game, client, .. } => self.client(statements, *game, client),
            Write::Append { game, row, records } => self.append(statements, *game, row, records).map(|()| None),
            Write::Finish { game, ending, .. } => self.finish(statements, *game, ending),
            Write::Resume { game, next_sequence, acknowledge } => {
                let is_unknown = self.staging.is_unknown(*game);
                let stored = if is_unknown { statements.stored_tail(*game)? } else { None };
                Ok(self.staging.resume(*game, stored, *next_sequence, acknowledge))
            }
        }
    }

    fn client(
        &mut self,
        statements: &mut Statements<'_>,
        game: GameKey,
        client: &StoredClient,
    ) -> Result<Option<StoreError>, StoreError> {
        if !self.staging.accepts(game) {
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
        if self.staging.expects(game, row) {
            match statements.recorded_entry(self.tables, game, row, records)? {
                None => self.staging.grow(game, row),
                Some(refused) => self.staging.refuse(game, refused),
            }
        }
        Ok(())
    }

    fn finish(
        &mut self,
        statements: &mut Statements<'_>,
        game: GameKey,
        ending: &Ending,
    ) -> Result<Option<StoreError>, StoreError> {
        if let Err(error) = self.staging.finish(game) {
            return Ok(Some(error));
        }
        let Ending { outcome, at, .. } = ending;
        let finished =
            statements.finish.execute(params![game.0, outcome, at, ending.players_json(), ending.results_json()]);
        finished.map_err(StoreError::sqlite("storing the end of a game")).map(|_| None)
    }
}

/// Stores a game with its first entries. Returns the error if its name is taken.
fn create(statements: &mut Statements<'_>, key: GameKey, game: &NewGame) -> Result<Option<StoreError>, StoreError> {
    match setups::insert_game(statements.connection, key, game) {
        Ok(()) => {}
        Err(error) if is_constraint(&error) => return Ok(Some(StoreError::NameTaken { name: game.name.clone() })),
        Err(source) => return Err(StoreError::Sqlite { doing: "storing a game", source }),
    }
    for row in &game.rows {
        // Any error fails the transaction: a game starts with all of its entries or not at all.
        statements.entry(key, row).map_err(StoreError::sqlite("storing what a game begins with"))?;
    }
    Ok(None)
}

/// All statements that write.
struct Statements<'c> {
    connection: &'c Connection,
    next_row: Option<i64>,
    client: CachedStatement<'c>,
    entry: CachedStatement<'c>,
    tail: CachedStatement<'c>,
    finish: CachedStatement<'c>,
}

impl<'c> Statements<'c> {
    fn prepare(connection: &'c Connection, next_row: Option<i64>) -> rusqlite::Result<Self> {
        Ok(Self {
            connection,
            next_row,
            client: connection.prepare_cached(
                "INSERT INTO clients (game, client, token_hash, name, joined) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?,
            entry: connection.prepare_cached(
                "INSERT INTO entries (id, game, sequence, digest, bytes) VALUES (?5, ?1, ?2, ?3, ?4)",
            )?,
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
        let (sequence, number) = (row.sequence.cast_signed(), self.next_row);
        self.entry.execute(params![game.0, sequence, row.digest.0, row.bytes, number])?;
        self.next_row = number.map(|number| number + 1);
        Ok(())
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
