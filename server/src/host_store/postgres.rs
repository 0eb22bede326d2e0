//! Tables in the database of the log, with a version of their own. They only grow: hosts of two versions use them together, so an
//! older host takes a later version.

use std::fmt;

use commlib::{Channel, ChatLine};
use tokio_postgres::{Row, types::Type};

use super::{HostStore, NewChatLine, channel_name, channel_named};
use crate::log::{
    PostgresAddress, Reading, StoreError,
    database::{Connection, Pool, column},
};

/// The migrations, starting with a database without these tables. A released migration never changes, and takes nothing away.
const MIGRATIONS: &[&str] = &[include_str!("postgres/1.sql"), include_str!("postgres/2.sql")];

const MIGRATING: &str = "bringing the tables of the host to the current version";

/// Two hosts that begin at the same moment do not disturb each other. The number is any that no other program uses.
const LOCK: &str = "BEGIN; SELECT pg_advisory_xact_lock(4857446948737);
    CREATE TABLE IF NOT EXISTS holdfast_host (id integer NOT NULL PRIMARY KEY, version integer NOT NULL);
    INSERT INTO holdfast_host (id, version) VALUES (1, 0) ON CONFLICT DO NOTHING";

/// Both parts see the table as it was before.
const ADD: &str = "WITH last AS (SELECT coalesce(max(number), 0) AS number FROM host_chat WHERE game = $1),
    old AS (DELETE FROM host_chat WHERE game = $1 AND number <= (SELECT number FROM last) + 1 - $7)
    INSERT INTO host_chat (game, number, channel, client, writer, line, written)
    SELECT $1, number + 1, $2, $3, $4, $5, $6 FROM last RETURNING number";

const LAST: &str = "SELECT number, channel, client, writer, line, written FROM host_chat
    WHERE game = $1 AND ($2 IS NULL OR channel = $2) ORDER BY number DESC LIMIT $3";

/// Keeps everything in the database of the log. All hosts of the database share it.
pub struct PostgresHostStore {
    pool: Pool,
}

impl PostgresHostStore {
    /// Opens a database, and creates the missing tables.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        let pool = Pool::new(PostgresAddress::parse(address)?)?;
        pool.read(false, |connection| Box::pin(migrate(connection))).await?;
        Ok(Self { pool })
    }
}

async fn migrate(connection: &Connection) -> Result<(), StoreError> {
    let migrated = async {
        connection.run_patiently(MIGRATING, LOCK).await?;
        let rows = connection.query(MIGRATING, "SELECT version FROM holdfast_host", &[]).await?;
        let found: i32 = rows.first().map_or(Ok(0), |row| column(row, 0))?;
        let steps = MIGRATIONS.iter().skip(found.unsigned_abs() as usize);
        for (version, step) in (found + 1..).zip(steps) {
            connection.run_patiently(MIGRATING, step).await?;
            connection.run(MIGRATING, &format!("UPDATE holdfast_host SET version = {version}")).await?;
        }
        Ok(())
    };
    let migrated = migrated.await;
    let end = if migrated.is_ok() { "COMMIT" } else { "ROLLBACK" };
    migrated.and(connection.run_patiently(MIGRATING, end).await)
}

impl HostStore for PostgresHostStore {
    fn add_chat<'a>(&'a self, game: &'a str, line: NewChatLine, keep: u32) -> Reading<'a, u64> {
        let game = game.to_owned();
        // A line whose fate is unknown is not sent again: it would be there twice.
        let added = self.pool.read(true, move |connection| {
            let (game, line) = (game.clone(), line.clone());
            Box::pin(async move {
                let (channel, client) = (channel_name(line.channel), line.client.map(i64::from));
                let rows = connection
                    .query(
                        "storing a line of chat",
                        ADD,
                        &[
                            (&game, Type::TEXT),
                            (&channel, Type::TEXT),
                            (&client, Type::INT8),
                            (&line.by, Type::TEXT),
                            (&line.text, Type::TEXT),
                            (&line.at, Type::INT8),
                            (&i64::from(keep.max(1)), Type::INT8),
                        ],
                    )
                    .await?;
                let number: i64 = rows.first().map_or(Err(StoreError::Closed), |row| column(row, 0))?;
                Ok(number.unsigned_abs())
            })
        });
        Box::pin(added)
    }

    fn chat<'a>(&'a self, game: &'a str, channel: Option<Channel>, most: u32) -> Reading<'a, Vec<ChatLine>> {
        let game = game.to_owned();
        Box::pin(self.pool.read(false, move |connection| {
            let game = game.clone();
            Box::pin(async move {
                let (channel, most) = (channel.map(channel_name), i64::from(most));
                let parameters: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 3] =
                    [(&game, Type::TEXT), (&channel, Type::TEXT), (&most, Type::INT8)];
                let rows = connection.query("reading chat", LAST, &parameters).await?;
                rows.iter().rev().map(line).collect()
            })
        }))
    }

    fn access<'a>(&'a self, game: &'a str) -> Reading<'a, Option<String>> {
        let game = game.to_owned();
        Box::pin(self.pool.read(false, move |connection| {
            let game = game.clone();
            Box::pin(async move {
                let sql = "SELECT rules FROM host_access WHERE game = $1";
                let rows = connection.query("reading who may come in", sql, &[(&game, Type::TEXT)]).await?;
                rows.first().map(|row| column(row, 0)).transpose()
            })
        }))
    }

    fn set_access<'a>(&'a self, game: &'a str, hidden: bool, rules: String) -> Reading<'a, ()> {
        let game = game.to_owned();
        // Storing it twice is the same as once, so an unknown fate is no matter.
        Box::pin(self.pool.read(false, move |connection| {
            let (game, rules) = (game.clone(), rules.clone());
            Box::pin(async move {
                let sql = "INSERT INTO host_access (game, hidden, rules) VALUES ($1, $2, $3)
                    ON CONFLICT (game) DO UPDATE SET hidden = $2, rules = $3";
                let parameters: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 3] =
                    [(&game, Type::TEXT), (&hidden, Type::BOOL), (&rules, Type::TEXT)];
                connection.query("storing who may come in", sql, &parameters).await.map(drop)
            })
        }))
    }

    fn replace_chat<'a>(&'a self, game: &'a str, lines: Vec<(u64, String, String)>) -> Reading<'a, ()> {
        let game = game.to_owned();
        Box::pin(self.pool.read(false, move |connection| {
            let (game, lines) = (game.clone(), lines.clone());
            Box::pin(async move {
                for (number, by, text) in lines {
                    let sql = "UPDATE host_chat SET writer = $3, line = $4 WHERE game = $1 AND number = $2";
                    let number = number.cast_signed();
                    let parameters: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 4] =
                        [(&game, Type::TEXT), (&number, Type::INT8), (&by, Type::TEXT), (&text, Type::TEXT)];
                    connection.query("replacing lines of chat", sql, &parameters).await?;
                }
                Ok(())
            })
        }))
    }

    fn forget<'a>(&'a self, game: &'a str) -> Reading<'a, ()> {
        let game = game.to_owned();
        Box::pin(self.pool.read(false, move |connection| {
            let game = game.clone();
            Box::pin(async move {
                let doing = "deleting what belongs to a removed game";
                for sql in ["DELETE FROM host_chat WHERE game = $1", "DELETE FROM host_access WHERE game = $1"] {
                    connection.query(doing, sql, &[(&game, Type::TEXT)]).await?;
                }
                Ok(())
            })
        }))
    }

    fn hidden(&self) -> Reading<'_, Vec<String>> {
        Box::pin(self.pool.read(false, |connection| {
            Box::pin(async move {
                let sql = "SELECT game FROM host_access WHERE hidden ORDER BY game";
                let rows = connection.query("reading which games are hidden", sql, &[]).await?;
                rows.iter().map(|row| column(row, 0)).collect()
            })
        }))
    }
}

fn line(row: &Row) -> Result<ChatLine, StoreError> {
    Ok(ChatLine {
        number: column::<i64>(row, 0)?.unsigned_abs(),
        channel: channel_named(column(row, 1)?),
        client: column::<Option<i64>>(row, 2)?.and_then(|client| u32::try_from(client).ok()),
        by: column(row, 3)?,
        text: column(row, 4)?,
        at: column(row, 5)?,
    })
}

impl fmt::Debug for PostgresHostStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresHostStore").field("address", self.pool.address()).finish_non_exhaustive()
    }
}
