//! What the rows of the tables mean.

use engine::{CommId, Digest};
use tokio_postgres::Row as SqlRow;

use super::connection::column;
use crate::log::{
    About, End, GameHead, GameKey, GameRecord, Redacted, Row, StoreError, StoredClient, Tail, Tombstone, WhyRemoved,
};

/// The columns of a [`GameRecord`], in the order in which [`record`] reads them.
const RECORD: &str = "SELECT games.id, games.name, rulebook, edition, rules_version, seed, created, ended, outcome,
    CASE WHEN last.sequence > games.entries THEN last.sequence ELSE games.entries END,
    CASE WHEN last.sequence > games.entries THEN last.digest ELSE games.digest END,
    players, parent, results";
/// The columns of a header after them, as [`head`] reads them.
const HEADER: &str = ", header_start, setups.bytes, other_scenario, scenario_start, scenario_length";
/// The end of a running game is its last entry.
const FROM: &str = " FROM games LEFT JOIN LATERAL (
        SELECT sequence, digest FROM entries WHERE entries.game = games.id AND games.ended IS NULL
        ORDER BY sequence DESC LIMIT 1
    ) last ON true";
const SETUPS: &str = " LEFT JOIN setups ON setups.digest = games.setup";

/// Selects records.
pub(super) fn records_where(condition: &str) -> String {
    format!("{RECORD}{FROM} {condition}")
}

/// Selects whole heads.
pub(super) fn heads_where(tables: Tables, condition: &str) -> String {
    let (redacted, redactions) = match tables {
        Tables::WithoutRemovals => (", NULL::text", ""),
        Tables::Present => (", redactions.sequences", " LEFT JOIN redactions ON redactions.game = games.id"),
    };
    format!("{RECORD}{HEADER}{redacted}{FROM}{SETUPS}{redactions} {condition}")
}

/// Which tables a database has. A reader takes it as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tables {
    /// Those of version 1 or 2.
    WithoutRemovals,
    /// All of this program.
    Present,
}

/// All tombstones, as [`tombstone`] reads them.
pub(super) const TOMBSTONES: &str =
    "SELECT game, name, entries, digest, removed, why FROM tombstones WHERE game > $1 ORDER BY game LIMIT $2";

pub(super) fn tombstone(row: &SqlRow) -> Result<Tombstone, StoreError> {
    Ok(Tombstone {
        key: GameKey(column(row, 0)?),
        name: column(row, 1)?,
        tail: tail(row, 2)?,
        rows: None,
        at: column(row, 4)?,
        why: WhyRemoved::named(column(row, 5)?),
    })
}

pub(super) fn record(row: &SqlRow) -> Result<GameRecord, StoreError> {
    let end = match column(row, 7)? {
        Some(at) => Some(End { at, outcome: column::<Option<String>>(row, 8)?.unwrap_or_default() }),
        None => None,
    };
    let about = About {
        rulebook: column(row, 2)?,
        edition: column(row, 3)?,
        // A number that is too large is found by the verification.
        rules_version: column::<i64>(row, 4)?.try_into().unwrap_or_default(),
        seed: column(row, 5)?,
    };
    Ok(GameRecord {
        key: GameKey(column(row, 0)?),
        name: column(row, 1)?,
        about,
        created: column(row, 6)?,
        end,
        // Invalid lists of names or results count as missing: only lists and statistics of games depend on them.
        players: column::<Option<&str>>(row, 11)?.and_then(|names| serde_json::from_str(names).ok()),
        results: column::<Option<&str>>(row, 13)?.and_then(|results| serde_json::from_str(results).ok()),
        parent: column(row, 12)?,
        tail: tail(row, 9)?,
    })
}

pub(super) fn head(row: &SqlRow) -> Result<GameHead, StoreError> {
    let mut header: Vec<u8> = column(row, 14)?;
    let setup = column::<Option<&[u8]>>(row, 15)?.unwrap_or_default();
    header.extend_from_slice(setup);
    let place = |at| -> Result<Option<usize>, StoreError> {
        Ok(column::<Option<i64>>(row, at)?.and_then(|place| usize::try_from(place).ok()))
    };
    let scenario = match column(row, 16)? {
        Some(other) => Some(other),
        None => scenario_in(setup, place(17)?, place(18)?),
    };
    let redacted = column::<Option<&str>>(row, 19)?.map(Redacted::parse).unwrap_or_default();
    Ok(GameHead { record: record(row)?, header, scenario, redacted })
}

/// The text of a scenario within a setup. A text that is no longer there is no text; the digests of the game's entries tell
/// that the setup was changed.
fn scenario_in(setup: &[u8], start: Option<usize>, length: Option<usize>) -> Option<String> {
    let start = start?;
    let text = setup.get(start..start.checked_add(length?)?)?;
    Some(str::from_utf8(text).ok()?.to_owned())
}

/// The end of a log: the number of entries, and the digest after it.
pub(super) fn tail(row: &SqlRow, at: usize) -> Result<Tail, StoreError> {
    Ok(Tail { entries: column::<i64>(row, at)?.cast_unsigned(), digest: digest(row, at + 1)? })
}

/// The columns of a client.
pub(super) const CLIENT: &str = "SELECT game, client, token_hash, name, joined FROM clients";

pub(super) fn client(row: &SqlRow) -> Result<(GameKey, StoredClient), StoreError> {
    let client = StoredClient {
        client: CommId(column::<i64>(row, 1)?.try_into().unwrap_or_default()),
        token_hash: digest(row, 2)?.0,
        name: column(row, 3)?,
        joined: column(row, 4)?,
    };
    Ok((GameKey(column(row, 0)?), client))
}

/// The columns of an entry.
pub(super) const ENTRY: &str = "SELECT game, sequence, digest, bytes FROM entries";

pub(super) fn entry(row: &SqlRow) -> Result<Row, StoreError> {
    Ok(Row { sequence: sequence(row)?, digest: digest(row, 2)?, bytes: column(row, 3)? })
}

pub(super) fn sequence(row: &SqlRow) -> Result<u64, StoreError> {
    Ok(column::<i64>(row, 1)?.cast_unsigned())
}

/// A digest of the wrong length becomes zeros, which the verification detects.
pub(super) fn digest(row: &SqlRow, at: usize) -> Result<Digest, StoreError> {
    Ok(Digest(column::<&[u8]>(row, at)?.try_into().unwrap_or_default()))
}
