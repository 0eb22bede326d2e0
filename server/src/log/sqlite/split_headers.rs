//! The step to version 5 that SQL cannot do. Released: it never changes what it writes.

use rusqlite::{Connection, Statement, params};

use super::setups::{SplitHeader, digest, place};

/// Splits the headers of all games of an older file. A header that cannot be read stays whole.
pub(super) fn split_headers(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "SELECT id, header_start, other_scenario FROM games WHERE id > ?1 ORDER BY id LIMIT 1";
    let mut games = connection.prepare(sql)?;
    let mut last = i64::MIN;
    // One query per game: changing the rows of a running query could visit them again.
    while let Some((id, header, scenario)) = next(&mut games, last)? {
        last = id;
        let split = SplitHeader::new(&header, scenario.as_deref());
        let Some(setup) = split.setup else { continue };
        let (start, length) = place(split.scenario.as_ref());
        let other = scenario.as_ref().filter(|_| split.scenario.is_none());
        connection
            .prepare_cached(
                "UPDATE games SET header_start = ?2, setup = ?3, other_scenario = ?4, scenario_start = ?5,
                                  scenario_length = ?6 WHERE id = ?1",
            )?
            .execute(params![id, split.start, digest(setup), other, start, length])?;
        connection
            .prepare_cached("INSERT INTO setups (digest, bytes) VALUES (?1, ?2) ON CONFLICT (digest) DO NOTHING")?
            .execute(params![digest(setup), setup])?;
    }
    Ok(())
}

type OldGame = (i64, Vec<u8>, Option<String>);

fn next(games: &mut Statement<'_>, after: i64) -> rusqlite::Result<Option<OldGame>> {
    let mut rows = games.query([after])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some((row.get(0)?, row.get(1)?, row.get(2)?)))
}
