//! Reads back what a log file has, after a commit with an unknown outcome.

use engine::{CommId, Digest};
use rusqlite::{Connection, OptionalExtension, Params, types::FromSql};

use crate::log::{GameKey, StoreError, write::ReadBack};

/// A log file that was just opened again.
pub(super) struct FileReadBack<'c>(pub(super) &'c Connection);

impl FileReadBack<'_> {
    fn value<T: FromSql>(&self, sql: &str, parameters: impl Params) -> Result<Option<T>, StoreError> {
        let found = self.0.prepare_cached(sql).and_then(|mut statement| {
            let found = statement.query_row(parameters, |row| row.get(0));
            found.optional()
        });
        found.map_err(StoreError::sqlite("reading back what was stored"))
    }
}

impl ReadBack for FileReadBack<'_> {
    fn name(&self, game: GameKey) -> Result<Option<String>, StoreError> {
        self.value("SELECT name FROM games WHERE id = ?1", [game.0])
    }

    fn token_hash(&self, game: GameKey, client: CommId) -> Result<Option<[u8; 32]>, StoreError> {
        let sql = "SELECT token_hash FROM clients WHERE game = ?1 AND client = ?2";
        self.value(sql, (game.0, client.0))
    }

    fn digest(&self, game: GameKey, sequence: u64) -> Result<Option<Digest>, StoreError> {
        // From the end, where the entries of the last commit are.
        let sql = "SELECT digest FROM entries WHERE game = ?1 AND sequence = ?2 ORDER BY id DESC LIMIT 1";
        self.value(sql, (game.0, sequence.cast_signed())).map(|found| found.map(Digest))
    }

    fn is_finished(&self, game: GameKey) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM games WHERE id = ?1 AND ended IS NOT NULL";
        self.value::<i64>(sql, [game.0]).map(|found| found.is_some())
    }
}
