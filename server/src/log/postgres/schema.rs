//! The tables of a database and their versions. `docs/log-store.md` explains them.

use std::path::Path;

use super::{address::PostgresAddress, connection::Connection};
use crate::log::{PostgresError, StoreError};

/// The migrations, starting with an empty database. A released migration never changes.
const MIGRATIONS: &[&str] = &[include_str!("migrations/1.sql"), include_str!("migrations/2.sql")];

const VERSION: i32 = MIGRATIONS.len() as i32;

const MIGRATING: &str = "bringing the store to the current version";

/// The row of this table is the lock of everything that changes tables.
const VERSIONS: &str =
    "CREATE TABLE IF NOT EXISTS holdfast (id integer NOT NULL PRIMARY KEY, version integer NOT NULL);
    INSERT INTO holdfast (id, version) VALUES (1, 0) ON CONFLICT DO NOTHING";

/// Begins a transaction that changes tables. Other hosts wait for its end.
pub(super) const LOCK: &str = "BEGIN; SELECT version FROM holdfast FOR UPDATE";

/// How often the first table is made: two hosts that do it at the same moment disturb each other.
const ATTEMPTS: u32 = 5;

/// Brings a database to the current version.
pub(super) async fn migrate(connection: &Connection, address: &PostgresAddress) -> Result<(), StoreError> {
    if stored_version(connection, &address.path()).await? == VERSION {
        return Ok(());
    }
    let mut attempt = 1;
    while let Err(error) = connection.run_patiently(MIGRATING, VERSIONS).await {
        // A table or a type of this name was made by another host meanwhile.
        let is_race = matches!(&error, StoreError::Postgres { source: PostgresError::Refused { code, .. }, .. }
            if ["23505", "42P07", "42710"].contains(&code.as_str()));
        if !is_race || attempt == ATTEMPTS {
            return Err(error);
        }
        attempt += 1;
    }
    connection.run_patiently(MIGRATING, LOCK).await?;
    let migrated = run_migrations(connection, &address.path()).await;
    let end = if migrated.is_ok() { "COMMIT" } else { "ROLLBACK" };
    let ended = connection.run_patiently(MIGRATING, end).await;
    migrated.and(ended)
}

async fn run_migrations(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let found = stored_version(connection, path).await?;
    for migration in MIGRATIONS.iter().skip(found as usize) {
        connection.run_patiently(MIGRATING, migration).await?;
    }
    connection.run_patiently(MIGRATING, &format!("UPDATE holdfast SET version = {VERSION}")).await
}

/// Checks that a database can be read.
pub(super) async fn check_for_reading(connection: &Connection, address: &PostgresAddress) -> Result<(), StoreError> {
    match stored_version(connection, &address.path()).await? {
        0 => Err(StoreError::Empty { path: address.path() }),
        _ => Ok(()),
    }
}

/// The version of a database: 0 for an empty one, at most the current version.
async fn stored_version(connection: &Connection, path: &Path) -> Result<i32, StoreError> {
    let doing = "reading the version of the store";
    let found = match connection.query(doing, "SELECT version FROM holdfast", &[]).await {
        Ok(rows) => rows.first().map_or(Ok(0), |row| super::connection::column(row, 0))?,
        Err(StoreError::Postgres { source: PostgresError::Refused { code, .. }, .. }) if code == NO_TABLE => 0,
        Err(error) => return Err(error),
    };
    if found > VERSION {
        return Err(StoreError::Newer { path: path.into(), found, known: VERSION });
    }
    Ok(found)
}

/// The SQLSTATE of a table that does not exist.
pub(super) const NO_TABLE: &str = "42P01";

#[cfg(test)]
mod tests {
    use super::*;

    /// Databases of these versions exist on other machines.
    #[test]
    fn released_steps_stay_as_they_are() {
        let digests = MIGRATIONS.iter().map(|step| blake3::hash(step.as_bytes()).to_hex()[..16].to_owned());
        assert_eq!(digests.collect::<Vec<_>>(), ["19c8f932583a77d2", "ff324c3a3308668c"]);
    }
}
