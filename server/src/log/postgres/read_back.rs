//! Reads back what a database has, after a commit with an unknown outcome. By then, nothing of this host is under way.

use std::collections::HashMap;

use engine::{CommId, Digest};
use tokio_postgres::types::Type;

use super::{
    connection::{Connection, Parameter, column},
    rows::{digest, sequence},
};
use crate::log::{
    GameKey, StoreError,
    staging::OpenGames,
    write::{ReadBack, Write},
};

const DOING: &str = "reading back what was stored";

/// What the database has of a batch.
#[derive(Default)]
pub(super) struct StoredBatch {
    /// The names of games, and whether they are over.
    games: HashMap<GameKey, (String, bool)>,
    token_hashes: HashMap<(GameKey, CommId), [u8; 32]>,
    digests: HashMap<(GameKey, u64), Digest>,
}

impl StoredBatch {
    pub(super) async fn read(connection: &Connection, batch: &[Write], open: &OpenGames) -> Result<Self, StoreError> {
        let (mut games, mut clients, mut entries) = (Vec::new(), (Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        let mut want = |game: GameKey, sequence: u64| {
            entries.0.push(game.0);
            entries.1.push(sequence.cast_signed());
        };
        for write in batch {
            let game = write.game();
            if let Some(tail) = open.tail(game) {
                want(game, tail.entries);
            }
            match write {
                Write::Create { .. } | Write::Finish { .. } => games.push(game.0),
                Write::Client { client, .. } => {
                    clients.0.push(game.0);
                    clients.1.push(i64::from(client.client.0));
                }
                Write::Append { row, .. } => want(game, row.sequence),
                Write::Resume { .. } => {}
            }
        }
        let mut stored = Self::default();
        stored.read_games(connection, &games).await?;
        stored.read_clients(connection, &clients.0, &clients.1).await?;
        stored.read_digests(connection, &entries.0, &entries.1).await?;
        Ok(stored)
    }

    async fn read_games(&mut self, connection: &Connection, games: &[i64]) -> Result<(), StoreError> {
        let sql = "SELECT id, name, ended IS NOT NULL FROM games WHERE id = ANY($1)";
        for row in connection.query(DOING, sql, &[(&games, Type::INT8_ARRAY)]).await? {
            self.games.insert(GameKey(column(&row, 0)?), (column(&row, 1)?, column(&row, 2)?));
        }
        Ok(())
    }

    async fn read_clients(
        &mut self,
        connection: &Connection,
        games: &[i64],
        clients: &[i64],
    ) -> Result<(), StoreError> {
        let sql = "SELECT clients.game, clients.client, token_hash
                   FROM clients, unnest($1::bigint[], $2::bigint[]) AS w(game, client)
                   WHERE clients.game = w.game AND clients.client = w.client";
        for row in connection.query(DOING, sql, &pairs(&games, &clients)).await? {
            let client = CommId(column::<i64>(&row, 1)?.try_into().unwrap_or_default());
            self.token_hashes.insert((GameKey(column(&row, 0)?), client), digest(&row, 2)?.0);
        }
        Ok(())
    }

    pub(super) async fn read_digests(
        &mut self,
        connection: &Connection,
        games: &[i64],
        sequences: &[i64],
    ) -> Result<(), StoreError> {
        let sql = "SELECT entries.game, entries.sequence, digest
                   FROM entries, unnest($1::bigint[], $2::bigint[]) AS w(game, sequence)
                   WHERE entries.game = w.game AND entries.sequence = w.sequence";
        for row in connection.query(DOING, sql, &pairs(&games, &sequences)).await? {
            self.digests.insert((GameKey(column(&row, 0)?), sequence(&row)?), digest(&row, 2)?);
        }
        Ok(())
    }
}

fn pairs<'p>(left: &'p &[i64], right: &'p &[i64]) -> [Parameter<'p>; 2] {
    [(left, Type::INT8_ARRAY), (right, Type::INT8_ARRAY)]
}

impl ReadBack for StoredBatch {
    fn name(&self, game: GameKey) -> Result<Option<String>, StoreError> {
        Ok(self.games.get(&game).map(|(name, _)| name.clone()))
    }

    fn token_hash(&self, game: GameKey, client: CommId) -> Result<Option<[u8; 32]>, StoreError> {
        Ok(self.token_hashes.get(&(game, client)).copied())
    }

    fn digest(&self, game: GameKey, sequence: u64) -> Result<Option<Digest>, StoreError> {
        Ok(self.digests.get(&(game, sequence)).copied())
    }

    fn is_finished(&self, game: GameKey) -> Result<bool, StoreError> {
        Ok(self.games.get(&game).is_some_and(|(_, is_over)| *is_over))
    }
}
