//! Tables in the database of the log, with a version of their own. They only grow: hosts of two versions use them together, so an
//! older host takes a later version.

use std::fmt;

use commlib::{Channel, ChatLine};
use tokio_postgres::{Row, types::Type};

use super::{DocumentChange, HostStore, NewChatLine, channel_name, channel_named};
use crate::log::{
    PostgresAddress, Reading, StoreError,
    database::{Connection, Parameter, Pool, column},
};

/// The migrations, starting with a database without these tables. A released migration never changes, and takes nothing away.
const MIGRATIONS: &[&str] =
    &[include_str!("postgres/1.sql"), include_str!("postgres/2.sql"), include_str!("postgres/3.sql")];

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

    fn replace_line<'a>(&'a self, game: &'a str, number: u64, text: &'a str) -> Reading<'a, bool> {
        let (game, number, text) = (game.to_owned(), i64::try_from(number).unwrap_or(i64::MAX), text.to_owned());
        Box::pin(self.pool.read(false, move |connection| {
            let (game, text) = (game.clone(), text.clone());
            Box::pin(async move {
                let sql = "UPDATE host_chat SET line = $3 WHERE game = $1 AND number = $2 RETURNING number";
                let parameters: [Parameter<'_>; 3] = [(&game, Type::TEXT), (&number, Type::INT8), (&text, Type::TEXT)];
                Ok(!connection.query("replacing a line of chat", sql, &parameters).await?.is_empty())
            })
        }))
    }

    fn document<'a>(&'a self, kind: &'static str, key: &'a str) -> Reading<'a, Option<String>> {
        let key = key.to_owned();
        Box::pin(self.pool.read(false, move |connection| {
            let key = key.clone();
            Box::pin(async move {
                let sql = "SELECT text FROM host_documents WHERE kind = $1 AND key = $2";
                let parameters: [Parameter<'_>; 2] = [(&kind, Type::TEXT), (&key, Type::TEXT)];
                let rows = connection.query("reading a document", sql, &parameters).await?;
                rows.first().map(|row| column(row, 0)).transpose()
            })
        }))
    }

    fn documents<'a>(
        &'a self,
        kind: &'static str,
        prefix: &'a str,
        after: &'a str,
        most: u32,
    ) -> Reading<'a, Vec<(String, String)>> {
        let (prefix, after) = (prefix.to_owned(), after.to_owned());
        Box::pin(self.pool.read(false, move |connection| {
            let (prefix, after) = (prefix.clone(), after.clone());
            Box::pin(async move {
                let sql = "SELECT key, text FROM host_documents WHERE kind = $1 AND key >= $2 AND key > $3
                    AND starts_with(key, $2) ORDER BY key LIMIT $4";
                let most = i64::from(most);
                let parameters: [Parameter<'_>; 4] =
                    [(&kind, Type::TEXT), (&prefix, Type::TEXT), (&after, Type::TEXT), (&most, Type::INT8)];
                let rows = connection.query("reading documents", sql, &parameters).await?;
                rows.iter().map(|row| Ok((column(row, 0)?, column(row, 1)?))).collect()
            })
        }))
    }

    fn change_documents(&self, mut changes: Vec<DocumentChange>) -> Reading<'_, bool> {
        // Two hosts that change the same documents lock them in the same order.
        changes.sort_by(|one, other| (one.kind, &one.key).cmp(&(other.kind, &other.key)));
        // A change whose fate is unknown is not made again: the documents would not be as expected.
        Box::pin(self.pool.read(true, move |connection| {
            let changes = changes.clone();
            Box::pin(async move {
                connection.run(CHANGING, "BEGIN").await?;
                let changed = change_all(connection, &changes).await;
                let end = if matches!(changed, Ok(true)) { "COMMIT" } else { "ROLLBACK" };
                connection.run(CHANGING, end).await?;
                changed
            })
        }))
    }
}

const CHANGING: &str = "changing documents";

/// Makes all changes in a transaction. Returns false at the first document that is not as expected.
async fn change_all(connection: &Connection, changes: &[DocumentChange]) -> Result<bool, StoreError> {
    for DocumentChange { kind, key, before, after } in changes {
        let mut parameters: Vec<Parameter<'_>> = vec![(kind, Type::TEXT), (key, Type::TEXT)];
        let sql = match (before, after) {
            (None, None) => "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM host_documents WHERE kind = $1 AND key = $2)",
            (None, Some(after)) => {
                parameters.push((after, Type::TEXT));
                "INSERT INTO host_documents (kind, key, text) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1"
            }
            (Some(before), Some(after)) => {
                parameters.extend([(before as _, Type::TEXT), (after as _, Type::TEXT)]);
                "UPDATE host_documents SET text = $4 WHERE kind = $1 AND key = $2 AND text = $3 RETURNING 1"
            }
            (Some(before), None) => {
                parameters.push((before, Type::TEXT));
                "DELETE FROM host_documents WHERE kind = $1 AND key = $2 AND text = $3 RETURNING 1"
            }
        };
        if connection.query(CHANGING, sql, &parameters).await?.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
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
