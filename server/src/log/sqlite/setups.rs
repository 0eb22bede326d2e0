//! Setups, each stored once for all games that have it. The row of a game has the number of its setup, the number of its
//! [edition](editions), and the rest of the header. Together they are the header's bytes, so the chain of digests does not
//! change.

use std::ops::Range;

use rusqlite::{Connection, OptionalExtension, Row as SqlRow, params};

use super::editions;
pub(super) use crate::log::split_header::{SplitHeader, digest};
use crate::log::{GameKey, NewGame};

/// The columns from which [`join`] makes a header and a scenario; they need [`FROM_SETUPS`] and the editions.
pub(super) const COLUMNS: &str =
    "header_start, editions.bytes, header_end, setups.bytes, other_scenario, scenario_start, scenario_length";
/// The number of these columns.
pub(super) const COUNT: usize = 7;
pub(super) const FROM_SETUPS: &str = "LEFT JOIN setups ON setups.id = games.setup";
/// The same columns in a file of version 5 or 6, which has no editions.
pub(super) const COLUMNS_6: &str =
    "header_start, NULL, NULL, setups.bytes, other_scenario, scenario_start, scenario_length";
/// The same in a file of version 5, which names setups by their digests.
pub(super) const FROM_SETUPS_5: &str = "LEFT JOIN setups ON setups.digest = games.setup";
/// The same columns in a file of version 1 to 4, which has whole headers.
pub(super) const COLUMNS_4: &str = "header, NULL, NULL, NULL, scenario, NULL, NULL";

/// Stores a game without its first entries.
pub(super) fn insert_game(connection: &Connection, key: GameKey, game: &NewGame) -> rusqlite::Result<()> {
    let NewGame { name, about, header, scenario, created, parent, rows: _, redacted } = game;
    let split = SplitHeader::new(header, scenario.as_deref());
    let (start, length) = place(split.scenario.as_ref());
    let other = scenario.as_ref().filter(|_| split.scenario.is_none());
    let known = split.setup.map(|setup| find_setup(connection, setup)).transpose()?.flatten();
    let (rules, edition) = editions::store(connection, about)?;
    let cut = split.setup.and_then(|_| editions::cut(split.start, &edition));
    let (header_start, header_end) = cut.map_or((split.start, None), |(start, end)| (start, Some(end)));
    connection
        .prepare_cached(
            "INSERT INTO games (id, name, rules, seed, created, parent,
                                header_start, header_end, setup, other_scenario, scenario_start, scenario_length)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            key.0,
            name,
            rules,
            about.seed,
            created,
            parent,
            header_start,
            header_end,
            known,
            other,
            start,
            length
        ])?;
    if let Some(redacted) = redacted {
        let sql = "INSERT INTO redactions (game, redacted, sequences) VALUES (?1, ?2, ?3)";
        connection.prepare_cached(sql)?.execute(params![key.0, created, redacted.to_string()])?;
    }
    let Some(setup) = split.setup else { return Ok(()) };
    // After the game: if its name is taken, no setup without a game stays behind.
    insert(connection, setup)?;
    if known.is_none() {
        let sql = "UPDATE games SET setup = ?2 WHERE id = ?1";
        connection.prepare_cached(sql)?.execute(params![key.0, find_setup(connection, setup)?])?;
    }
    Ok(())
}

/// Reads a header and a scenario from [`COLUMNS`], beginning with column `at`.
pub(super) fn join(row: &SqlRow<'_>, at: usize) -> rusqlite::Result<(Vec<u8>, Option<String>)> {
    let mut header: Vec<u8> = row.get(at)?;
    let part = |at| Ok::<_, rusqlite::Error>(row.get_ref(at)?.as_blob_or_null()?);
    if let Some(end) = part(at + 2)? {
        header.extend_from_slice(part(at + 1)?.unwrap_or_default());
        header.extend_from_slice(end);
    }
    let setup = part(at + 3)?.unwrap_or_default();
    header.extend_from_slice(setup);
    if let Some(other) = row.get(at + 4)? {
        return Ok((header, Some(other)));
    }
    let place = |at| -> rusqlite::Result<Option<usize>> {
        Ok(row.get::<_, Option<i64>>(at)?.and_then(|place| usize::try_from(place).ok()))
    };
    let text =
        place(at + 5)?.zip(place(at + 6)?).and_then(|(start, length)| setup.get(start..start.checked_add(length)?));
    // A text that is no longer there is no text; the digests of the game's entries tell that the setup was changed.
    Ok((header, text.and_then(|text| Some(str::from_utf8(text).ok()?.to_owned()))))
}

/// The number of a setup that is stored already.
fn find_setup(connection: &Connection, setup: &[u8]) -> rusqlite::Result<Option<i64>> {
    let mut statement = connection.prepare_cached("SELECT id FROM setups WHERE digest = ?1")?;
    statement.query_row([digest(setup)], |row| row.get(0)).optional()
}

fn insert(connection: &Connection, setup: &[u8]) -> rusqlite::Result<()> {
    // The digest says which bytes are right: a setup that was changed must not spoil a new game.
    let sql = "INSERT INTO setups (digest, bytes) VALUES (?1, ?2)
               ON CONFLICT (digest) DO UPDATE SET bytes = excluded.bytes WHERE bytes != excluded.bytes";
    connection.prepare_cached(sql)?.execute(params![digest(setup), setup]).map(drop)
}

pub(super) fn place(range: Option<&Range<usize>>) -> (Option<i64>, Option<i64>) {
    (range.map(|range| range.start as i64), range.map(|range| range.len() as i64))
}
