//! The writing connection of a host, and the fence.

use tokio_postgres::{Statement, types::Type};

use super::{
    address::PostgresAddress,
    connection::{Connection, DEADLINE, column, within},
    schema,
};
use crate::log::{GameKey, PostgresError, StoreError};

/// The registration of this host, and the number of its writing connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) incarnation: i64,
    pub(super) session: i64,
}

/// The condition under which a statement of this host writes. The lock lasts until the end of the transaction: a burial waits
/// for it, and so does the next connection of this host.
macro_rules! fence {
    () => {
        "SELECT 1 FROM hosts WHERE incarnation = $1 AND session = $2 AND alive FOR SHARE"
    };
}

/// Locks the row of this host, or returns no row.
pub(super) const FENCE: &str = fence!();

/// Stores entries, if this host may write. The number of stored entries is smaller if the store has some of them already.
const APPEND: &str = concat!(
    "WITH fence AS (",
    fence!(),
    ") INSERT INTO entries (game, sequence, digest, bytes)
     SELECT e.* FROM fence, unnest($3::bigint[], $4::bigint[], $5::bytea[], $6::bytea[])
         AS e(game, sequence, digest, bytes)
     ON CONFLICT DO NOTHING"
);

/// Nothing of this host waits longer for a lock than the host waits for an answer. Commits wait for their standby, even if the
/// server's own setting is weaker.
const SETTINGS: &str = "SET lock_timeout = 2000;
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')";

/// A writing connection.
pub(super) struct Session {
    pub(super) connection: Connection,
    /// `None` if the host is not registered.
    pub(super) identity: Option<Identity>,
    pub(super) append: Statement,
}

impl Session {
    /// Connects. For a registered host this ends the time of its earlier connections: it waits for a write that is under way,
    /// and later ones do nothing. As the commit of this waits for the standby, everything before it is durable.
    pub(super) async fn open(address: &PostgresAddress, incarnation: Option<i64>) -> Result<Self, StoreError> {
        let connection = Connection::open(address).await?;
        connection.run("preparing to write", SETTINGS).await?;
        schema::migrate(&connection, address).await?;
        let append = connection.prepare(APPEND).await?;
        let mut session = Self { connection, identity: None, append };
        if let Some(incarnation) = incarnation {
            session.take_over(incarnation).await?;
        }
        address.count_writer();
        Ok(session)
    }

    /// Makes this the connection that writes for an incarnation.
    async fn take_over(&mut self, incarnation: i64) -> Result<(), StoreError> {
        let sql = "UPDATE hosts SET session = session + 1 WHERE incarnation = $1 AND alive RETURNING session";
        let rows =
            self.connection.query("taking over from an earlier connection", sql, &[(&incarnation, Type::INT8)]).await?;
        // Which game does not matter: all of them are fenced.
        let row = rows.first().ok_or(StoreError::Fenced { game: GameKey(0) })?;
        self.identity = Some(Identity { incarnation, session: column(row, 0)? });
        Ok(())
    }

    /// Finds out why nothing was written: this host is fenced, only this connection is, or neither.
    pub(super) async fn check_fence(&self, game: GameKey) -> Result<(), StoreError> {
        let Some(Identity { incarnation, session }) = self.identity else { return Err(StoreError::Fenced { game }) };
        let sql = "SELECT session FROM hosts WHERE incarnation = $1 AND alive";
        let rows = self.connection.query("looking for this host", sql, &[(&incarnation, Type::INT8)]).await?;
        match rows.first().map(|row| column::<i64>(row, 0)).transpose()? {
            None => Err(StoreError::Fenced { game }),
            Some(found) if found == session => Ok(()),
            Some(_) => Err(StoreError::Postgres { doing: "writing", source: PostgresError::Superseded }),
        }
    }

    /// Ends the transaction that is open, without a change.
    pub(super) async fn roll_back(&self) -> Result<(), StoreError> {
        within(DEADLINE, "rolling back", self.connection.client.batch_execute("ROLLBACK")).await
    }
}
