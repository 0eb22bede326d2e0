//! Editions: the rulebook, the edition and the version of the rules, each stored once for all games that have it. Their bytes
//! are in the middle of a header. The row of a game has what comes before and after them.

use rusqlite::{Connection, Statement, params};

use crate::log::About;

/// The number of an edition, which is stored if it is new, and its bytes in a header.
pub(super) fn store(connection: &Connection, about: &About) -> rusqlite::Result<(i64, Vec<u8>)> {
    let About { rulebook, edition, rules_version, seed: _ } = about;
    let bytes = bytes(rulebook, edition, *rules_version);
    // The columns say which bytes are right: bytes that were changed must not spoil a new game.
    let sql = "INSERT INTO editions (rulebook, edition, rules_version, bytes) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT DO UPDATE SET bytes = excluded.bytes WHERE bytes != excluded.bytes";
    connection.prepare_cached(sql)?.execute(params![rulebook, edition, rules_version, bytes])?;
    let sql = "SELECT id FROM editions WHERE rulebook = ?1 AND edition = ?2 AND rules_version = ?3";
    let number =
        connection.prepare_cached(sql)?.query_row(params![rulebook, edition, rules_version], |row| row.get(0))?;
    Ok((number, bytes))
}

/// The parts of a header before and after the bytes of its edition. `None` if it has other bytes there.
pub(super) fn cut<'h>(header: &'h [u8], edition: &[u8]) -> Option<(&'h [u8], &'h [u8])> {
    // The format, the name of the game, and when it was created.
    let (_, rest) = postcard::take_from_bytes::<(u16, &str, i64)>(header).ok()?;
    let end = rest.strip_prefix(edition)?;
    Some((&header[..header.len() - rest.len()], end))
}

/// The bytes of an edition in a header.
fn bytes(rulebook: &str, edition: &str, rules_version: u32) -> Vec<u8> {
    postcard::to_allocvec(&(rulebook, edition, rules_version)).expect("texts and numbers have a form in bytes")
}

/// The step to version 7 that SQL cannot do. Released: it never changes what it writes. A header that cannot be read, or that
/// differs from its columns, stays as it is.
pub(super) fn cut_headers(connection: &Connection) -> rusqlite::Result<()> {
    let mut editions = connection.prepare("SELECT id, rulebook, edition, rules_version FROM editions")?;
    let found = editions.query_map([], |row| {
        let (rulebook, edition): (String, String) = (row.get(1)?, row.get(2)?);
        // A number beyond the range was not written by a host, so no header has it.
        let version = u32::try_from(row.get::<_, i64>(3)?).unwrap_or_default();
        Ok((row.get::<_, i64>(0)?, bytes(&rulebook, &edition, version)))
    })?;
    for (id, bytes) in found.collect::<rusqlite::Result<Vec<_>>>()? {
        connection.prepare_cached("UPDATE editions SET bytes = ?2 WHERE id = ?1")?.execute(params![id, bytes])?;
    }
    let sql = "SELECT games.id, header_start, bytes FROM games JOIN editions ON editions.id = rules
               WHERE games.id > ?1 AND setup IS NOT NULL ORDER BY games.id LIMIT 1";
    let mut games = connection.prepare(sql)?;
    let mut last = i64::MIN;
    // One query per game: changing the rows of a running query could visit them again.
    while let Some((id, header, edition)) = next(&mut games, last)? {
        last = id;
        if let Some((start, end)) = cut(&header, &edition) {
            let sql = "UPDATE games SET header_start = ?2, header_end = ?3 WHERE id = ?1";
            connection.prepare_cached(sql)?.execute(params![id, start, end])?;
        }
    }
    Ok(())
}

type OldGame = (i64, Vec<u8>, Vec<u8>);

fn next(games: &mut Statement<'_>, after: i64) -> rusqlite::Result<Option<OldGame>> {
    let mut rows = games.query([after])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some((row.get(0)?, row.get(1)?, row.get(2)?)))
}
