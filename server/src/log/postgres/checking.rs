//! Damage that only the database can show.

use engine::Digest;
use tokio_postgres::types::Type;

use super::{
    connection::{Connection, PATIENT, column},
    recovering::in_snapshot,
    rows::{Tables, digest},
};
use crate::log::{GameKey, StoreDamage, StoreError, split_header};

/// The maximum number of setups of one answer.
const PAGE: i64 = 64;

/// Looks for entries without a game, and for setups that are missing or not what their digests say.
pub(super) async fn check(connection: &Connection, tables: Tables) -> Result<Vec<StoreDamage>, StoreError> {
    in_snapshot(connection, async {
        let mut damage = Vec::new();
        // The entries of a removed game are deleted in pieces.
        let removed = match tables {
            Tables::WithoutRemovals => "",
            Tables::Present => "AND NOT EXISTS (SELECT 1 FROM tombstones WHERE tombstones.game = entries.game)",
        };
        let sql = format!(
            "SELECT game, MIN(sequence) FROM entries
             WHERE NOT EXISTS (SELECT 1 FROM games WHERE games.id = entries.game) {removed} GROUP BY game ORDER BY game"
        );
        for row in connection.query_within(PATIENT, "reading the entries", &sql, &[]).await? {
            damage.push(StoreDamage::NoSuchGame { id: column(&row, 1)?, game: GameKey(column(&row, 0)?) });
        }
        let sql = "SELECT games.id FROM games LEFT JOIN setups ON setups.digest = games.setup
                   WHERE games.setup IS NOT NULL AND setups.digest IS NULL ORDER BY games.id";
        for row in connection.query_within(PATIENT, "reading the setups", sql, &[]).await? {
            damage.push(StoreDamage::NoSetup { game: GameKey(column(&row, 0)?) });
        }
        check_setups(connection, &mut damage).await?;
        Ok(damage)
    })
    .await
}

async fn check_setups(connection: &Connection, damage: &mut Vec<StoreDamage>) -> Result<(), StoreError> {
    let sql = "SELECT digest, bytes, EXISTS (SELECT 1 FROM games WHERE games.setup = setups.digest) FROM setups
               WHERE digest > $1 ORDER BY digest LIMIT $2";
    let mut last: Vec<u8> = Vec::new();
    loop {
        let parameters = [(&last as _, Type::BYTEA), (&PAGE as _, Type::INT8)];
        let rows = connection.query("reading the setups", sql, &parameters).await?;
        for row in &rows {
            let setup: Digest = digest(row, 0)?;
            if split_header::digest(column(row, 1)?) != setup.0 {
                damage.push(StoreDamage::ChangedSetup { setup });
            }
            if !column::<bool>(row, 2)? {
                damage.push(StoreDamage::UnusedSetup { setup });
            }
        }
        match rows.last() {
            Some(row) if rows.len() as i64 == PAGE => last = column(row, 0)?,
            Some(_) | None => return Ok(()),
        }
    }
}
