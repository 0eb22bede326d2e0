//! The tables of a database and their versions. `docs/log-store.md` explains them.

use std::path::Path;

use super::{
    address::PostgresAddress,
    connection::{Connection, column},
};
use crate::log::{PostgresError, StoreError};

/// The migrations, starting with an empty database. A released migration never changes.
///
/// Hosts of two versions run beside each other while the hosts of a cluster are replaced one by one. So a migration only adds: the
/// programs of the version before go on, and take no notice. What only they use is removed by a later version.
const MIGRATIONS: &[&str] =
    &[include_str!("migrations/1.sql"), include_str!("migrations/2.sql"), include_str!("migrations/3.sql")];

/// The version from which on programs know redacted entries. Earlier ones would take them for damage, so the first redaction
/// makes this the oldest version.
pub(super) const KNOWS_REDACTIONS: i32 = 3;

/// The version of this program.
const VERSION: i32 = MIGRATIONS.len() as i32;

/// The oldest version whose programs work with the tables of this one. It rises with a migration that removes something.
const OLDEST: i32 = 1;
const _: () = assert!(0 < OLDEST && OLDEST < VERSION, "the version before must work with the tables, too");

const MIGRATING: &str = "bringing the store to the current version";

/// The row of this table is the lock of everything that changes tables. `version` is the oldest version whose programs may use the
/// database: a program refuses a number that is higher than its own. `migrations` is how many were run. The programs of version 1
/// made the table without it; for them both numbers were the same. Each statement is a transaction: two hosts that held a lock
/// of the table and waited for a stronger one would wait for each other.
const VERSIONS: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS holdfast (id integer NOT NULL PRIMARY KEY, version integer NOT NULL)",
    "ALTER TABLE holdfast ADD COLUMN IF NOT EXISTS migrations integer",
    "INSERT INTO holdfast (id, version) VALUES (1, 0) ON CONFLICT DO NOTHING",
];

/// Begins a transaction that changes tables. Other hosts wait for its end.
pub(super) const LOCK: &str = "BEGIN; SELECT version FROM holdfast FOR UPDATE";

/// How often the first table is made: two hosts that do it at the same moment disturb each other.
const ATTEMPTS: u32 = 5;

/// The versions of a database.
#[derive(Clone, Copy, Debug, Default)]
struct Stored {
    /// The oldest version whose programs may use it.
    oldest: i32,
    /// The migrations that were run: 0 for an empty database. A later program may have run more than this one knows.
    migrations: i32,
}

/// Brings a database to the current version.
pub(super) async fn migrate(connection: &Connection, address: &PostgresAddress) -> Result<(), StoreError> {
    if stored(connection, &address.path()).await?.migrations >= VERSION {
        return Ok(());
    }
    for statement in VERSIONS {
        make_versions(connection, statement).await?;
    }
    connection.run_patiently(MIGRATING, LOCK).await?;
    let migrated = run_migrations(connection, &address.path()).await;
    let end = if migrated.is_ok() { "COMMIT" } else { "ROLLBACK" };
    let ended = connection.run_patiently(MIGRATING, end).await;
    migrated.and(ended)
}

async fn make_versions(connection: &Connection, statement: &str) -> Result<(), StoreError> {
    let mut attempt = 1;
    while let Err(error) = connection.run_patiently(MIGRATING, statement).await {
        // A table, a type or a column of this name was made by another host meanwhile.
        let is_race = matches!(&error, StoreError::Postgres { source: PostgresError::Refused { code, .. }, .. }
            if ["23505", "42P07", "42710", "42701"].contains(&code.as_str()));
        if !is_race || attempt == ATTEMPTS {
            return Err(error);
        }
        attempt += 1;
    }
    Ok(())
}

async fn run_migrations(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let found = stored(connection, path).await?;
    if found.migrations >= VERSION {
        return Ok(());
    }
    for migration in MIGRATIONS.iter().skip(found.migrations as usize) {
        connection.run_patiently(MIGRATING, migration).await?;
    }
    let sql = format!("UPDATE holdfast SET version = {}, migrations = {VERSION}", found.oldest.max(OLDEST));
    connection.run_patiently(MIGRATING, &sql).await
}

/// Checks that a database can be read. Returns how many migrations were run.
pub(super) async fn check_for_reading(connection: &Connection, address: &PostgresAddress) -> Result<i32, StoreError> {
    match stored(connection, &address.path()).await?.migrations {
        0 => Err(StoreError::Empty { path: address.path() }),
        migrations => Ok(migrations),
    }
}

/// The versions of a database that this program may use.
async fn stored(connection: &Connection, path: &Path) -> Result<Stored, StoreError> {
    let versions = "SELECT version, COALESCE(migrations, version) FROM holdfast";
    let found = match read_versions(connection, versions).await {
        Err(error) if is_refused_with(&error, NO_COLUMN) => {
            read_versions(connection, "SELECT version, version FROM holdfast").await
        }
        read => read,
    };
    let found = match found {
        Err(error) if is_refused_with(&error, NO_TABLE) => Stored::default(),
        read => read?,
    };
    if found.oldest > VERSION {
        return Err(StoreError::Newer { path: path.into(), found: found.oldest, known: VERSION });
    }
    Ok(found)
}

async fn read_versions(connection: &Connection, sql: &str) -> Result<Stored, StoreError> {
    let rows = connection.query("reading the version of the store", sql, &[]).await?;
    let Some(row) = rows.first() else { return Ok(Stored::default()) };
    Ok(Stored { oldest: column(row, 0)?, migrations: column(row, 1)? })
}

fn is_refused_with(error: &StoreError, wanted: &str) -> bool {
    matches!(error, StoreError::Postgres { source: PostgresError::Refused { code, .. }, .. } if code == wanted)
}

/// The SQLSTATE of a column that does not exist.
const NO_COLUMN: &str = "42703";

/// The SQLSTATE of a table that does not exist.
pub(super) const NO_TABLE: &str = "42P01";

#[cfg(test)]
mod tests {
    use super::*;

    /// Databases of these versions exist on other machines.
    #[test]
    fn released_steps_stay_as_they_are() {
        let digests = MIGRATIONS.iter().map(|step| blake3::hash(step.as_bytes()).to_hex()[..16].to_owned());
        assert_eq!(digests.collect::<Vec<_>>(), ["19c8f932583a77d2", "ff324c3a3308668c", "ebb0bb30607c48b5"]);
    }
}
