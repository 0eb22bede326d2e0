//! Removing finished games, and replacing names in them.

use std::ops::RangeInclusive;

use rusqlite::{Connection, OptionalExtension, Row as SqlRow, Transaction, TransactionBehavior, params};

use super::records;
use crate::log::{
    GameKey, Redacted, Redaction, StoreError, Table, Tail, Tombstone, WhyRemoved,
    removal::DELETED_AT_ONCE,
    tables::{belongings, orphans},
};

/// The highest key that a game ever had.
pub(super) const LAST_KEY: &str = "SELECT max(
    COALESCE((SELECT MAX(id) FROM games), 0), COALESCE((SELECT MAX(game) FROM tombstones), 0))";

/// All tombstones, as [`tombstone`] reads them.
pub(super) const TOMBSTONES: &str =
    "SELECT game, name, entries, digest, first_row, last_row, removed, why FROM tombstones ORDER BY game";

const REMOVING: &str = "removing a game";

/// Removes a game without its entries.
pub(super) fn remove(
    connection: &Connection,
    tables: &[&'static Table],
    game: GameKey,
    why: WhyRemoved,
    at: i64,
) -> Result<Tombstone, StoreError> {
    let doing = || StoreError::sqlite(REMOVING);
    let transaction = begin(connection).map_err(doing())?;
    let (name, tail) = finished(&transaction, game)?;
    let rows = "SELECT min(id), max(id) FROM entries WHERE id IN (
        (SELECT id FROM entries WHERE game = ?1 ORDER BY sequence LIMIT 1),
        (SELECT id FROM entries WHERE game = ?1 ORDER BY sequence DESC LIMIT 1))";
    let rows = transaction.query_row(rows, [game.0], |row| rows_of(row, 0)).map_err(doing())?;
    let stone = Tombstone { key: game, name, tail, rows, at, why };
    remove_records(&transaction, tables, game).map_err(doing())?;
    for sql in [
        "DELETE FROM clients WHERE game = ?1",
        "DELETE FROM redactions WHERE game = ?1",
        "DELETE FROM tails WHERE game = ?1",
        // A trigger removes the setup with its last game.
        "DELETE FROM games WHERE id = ?1",
    ] {
        transaction.execute(sql, [game.0]).map_err(doing())?;
    }
    insert_tombstone(&transaction, &stone, false).map_err(doing())?;
    transaction.commit().map_err(doing())?;
    Ok(stone)
}

/// Stores a tombstone. `cleared` says that the game has no entries any more.
pub(super) fn insert_tombstone(connection: &Connection, stone: &Tombstone, cleared: bool) -> rusqlite::Result<()> {
    let Tombstone { key, name, tail, rows, at, why } = stone;
    let (first, last) = rows.clone().map(RangeInclusive::into_inner).unzip();
    let sql = "INSERT INTO tombstones (game, name, entries, digest, first_row, last_row, removed, why, cleared)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let tail_entries = tail.entries.cast_signed();
    let values = params![key.0, name, tail_entries, tail.digest.0, first, last, at, why.word(), cleared];
    connection.execute(sql, values).map(drop)
}

/// Reads a row of [`TOMBSTONES`].
pub(super) fn tombstone(row: &SqlRow<'_>) -> rusqlite::Result<Tombstone> {
    Ok(Tombstone {
        key: GameKey(row.get(0)?),
        name: row.get(1)?,
        tail: Tail { entries: row.get::<_, i64>(2)?.cast_unsigned(), digest: engine::Digest(row.get(3)?) },
        rows: rows_of(row, 4)?,
        at: row.get(6)?,
        why: WhyRemoved::named(row.get_ref(7)?.as_str()?),
    })
}

/// Deletes some entries of removed games. Returns whether there are more.
pub(super) fn clear(connection: &Connection) -> Result<bool, StoreError> {
    let doing = || StoreError::sqlite("deleting the entries of a removed game");
    let next = "SELECT game FROM tombstones WHERE cleared = 0 ORDER BY game LIMIT 1";
    let find = |connection: &Connection| connection.query_row(next, [], |row| row.get::<_, i64>(0)).optional();
    let Some(game) = find(connection).map_err(doing())? else { return Ok(false) };
    let delete = || {
        let transaction = begin(connection)?;
        let sql = "DELETE FROM entries WHERE id IN (SELECT id FROM entries WHERE game = ?1 LIMIT ?2)";
        let deleted = transaction.execute(sql, [game, DELETED_AT_ONCE])?;
        if (deleted as i64) < DELETED_AT_ONCE {
            transaction.execute("UPDATE tombstones SET cleared = 1 WHERE game = ?1", [game])?;
        }
        transaction.commit()
    };
    delete().map_err(doing())?;
    Ok(find(connection).map_err(doing())?.is_some())
}

/// The number of the next row of the entries, if the one after the last row was used by a removed game.
pub(super) fn next_row(connection: &Connection) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT MAX(last_row) + 1 FROM tombstones
               WHERE last_row > COALESCE((SELECT MAX(id) FROM entries), 0)";
    connection.query_row(sql, [], |row| row.get(0)).map_err(StoreError::sqlite("reading the last rows"))
}

/// Replaces parts of a finished game.
pub(super) fn redact(
    connection: &Connection,
    tables: &[&'static Table],
    game: GameKey,
    redaction: &Redaction,
) -> Result<(), StoreError> {
    let doing = || StoreError::sqlite("redacting a game");
    let transaction = begin(connection).map_err(doing())?;
    finished(&transaction, game)?;
    for (sequence, bytes) in &redaction.entries {
        let sql = "UPDATE entries SET bytes = ?3 WHERE game = ?1 AND sequence = ?2";
        let changed = transaction.execute(sql, params![game.0, sequence.cast_signed(), bytes]).map_err(doing())?;
        if changed != 1 {
            return Err(StoreError::Diverged { game, sequence: *sequence });
        }
    }
    for (client, name) in &redaction.clients {
        let sql = "UPDATE clients SET name = ?3 WHERE game = ?1 AND client = ?2";
        transaction.execute(sql, params![game.0, client.0, name]).map_err(doing())?;
    }
    let sql = "UPDATE games SET outcome = ?2, players = ?3, results = ?4 WHERE id = ?1";
    let values = params![game.0, redaction.outcome, redaction.players_json(), redaction.results_json()];
    transaction.execute(sql, values).map_err(doing())?;
    for record in &redaction.records {
        if tables.contains(&record.table()) {
            records::write(&transaction, record.table(), &record.resolve(game)?).map_err(doing())?;
        }
    }
    let sql = "SELECT sequences FROM redactions WHERE game = ?1";
    let before = transaction.query_row(sql, [game.0], |row| row.get::<_, String>(0)).optional().map_err(doing())?;
    let all =
        Redacted::parse(&before.unwrap_or_default()).with(redaction.entries.iter().map(|(sequence, _)| *sequence));
    if !all.is_empty() {
        let sql = "INSERT INTO redactions (game, redacted, sequences) VALUES (?1, ?2, ?3)
                   ON CONFLICT (game) DO UPDATE SET redacted = excluded.redacted, sequences = excluded.sequences";
        transaction.execute(sql, params![game.0, redaction.at, all.to_string()]).map_err(doing())?;
    }
    transaction.commit().map_err(doing())?;
    // The write-ahead log has the pages as they were. A reader may prevent this; then a later checkpoint overwrites them.
    let _a_reader_waits = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    Ok(())
}

/// Begins to change a game that is over. What is deleted is overwritten with zeros.
fn begin(connection: &Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
    Transaction::new_unchecked(connection, TransactionBehavior::Immediate)
}

/// The name and the end of a game that is over.
fn finished(connection: &Connection, game: GameKey) -> Result<(String, Tail), StoreError> {
    let sql = "SELECT name, COALESCE(tails.entries, 0), COALESCE(tails.digest, zeroblob(32)), ended IS NOT NULL
               FROM games LEFT JOIN tails ON tails.game = games.id WHERE games.id = ?1";
    let found = connection.query_row(sql, [game.0], |row| {
        let tail = Tail { entries: row.get::<_, i64>(1)?.cast_unsigned(), digest: engine::Digest(row.get(2)?) };
        Ok((row.get(0)?, tail, row.get::<_, bool>(3)?))
    });
    match found.optional().map_err(StoreError::sqlite("reading a game"))? {
        Some((name, tail, true)) => Ok((name, tail)),
        Some((_, _, false)) => Err(StoreError::NotOver { game }),
        None => Err(StoreError::NoSuchGame { game }),
    }
}

/// Deletes the rows of a game in tables of rulebooks, and the rows that only these referred to.
fn remove_records(connection: &Connection, tables: &[&'static Table], game: GameKey) -> rusqlite::Result<()> {
    let mut referred: Vec<(&'static Table, i64)> = Vec::new();
    let belongings = belongings(tables);
    for (table, column) in &belongings {
        for (place, other) in orphans(tables, table) {
            let sql = format!("SELECT DISTINCT \"{place}\" FROM \"{}\" WHERE \"{column}\" = ?1", table.name);
            let mut statement = connection.prepare_cached(&sql)?;
            let keys = statement.query_map([game.0], |row| row.get::<_, Option<i64>>(0))?;
            for key in keys {
                referred.extend(key?.map(|key| (other, key)));
            }
        }
    }
    for (table, column) in &belongings {
        let sql = format!("DELETE FROM \"{}\" WHERE \"{column}\" = ?1", table.name);
        connection.prepare_cached(&sql)?.execute([game.0])?;
    }
    for (table, key) in referred {
        let users = tables.iter().flat_map(|user| user.columns.iter().map(move |column| (user, column)));
        let users = users.filter(|(_, column)| column.references == Some(table.name)).map(|(user, column)| {
            format!(" AND NOT EXISTS (SELECT 1 FROM \"{}\" WHERE \"{}\" = ?1)", user.name, column.name)
        });
        let sql =
            format!("DELETE FROM \"{}\" WHERE \"{}\" = ?1{}", table.name, table.key[0], users.collect::<String>());
        connection.prepare_cached(&sql)?.execute([key])?;
    }
    Ok(())
}

fn rows_of(row: &SqlRow<'_>, at: usize) -> rusqlite::Result<Option<RangeInclusive<i64>>> {
    let (first, last): (Option<i64>, Option<i64>) = (row.get(at)?, row.get(at + 1)?);
    Ok(first.zip(last).map(|(first, last)| first..=last))
}
