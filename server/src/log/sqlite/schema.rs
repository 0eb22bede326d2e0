//! The tables of a log file and their versions. `docs/log-store.md` explains them.

use std::{fs::File, io, path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::{editions::cut_headers, split_headers::split_headers};
use crate::log::{Durability, Options, StoreError, lock::beside, owner};

/// `Hold`: the application id that marks a SQLite file as a log.
const APPLICATION_ID: i32 = 0x486f_6c64;

/// A step to the next version.
struct Migration {
    sql: &'static str,
    /// What SQL cannot do, after it.
    code: Option<fn(&Connection) -> rusqlite::Result<()>>,
}

impl Migration {
    const fn new(sql: &'static str) -> Self {
        Self { sql, code: None }
    }
}

/// The migrations, starting with an empty file. A released migration never changes: it is a separate file that does not depend
/// on the declarations of this program.
const MIGRATIONS: &[Migration] = &[
    Migration::new(include_str!("migrations/1.sql")),
    Migration::new(include_str!("migrations/2.sql")),
    Migration::new(include_str!("migrations/3.sql")),
    Migration::new(include_str!("migrations/4.sql")),
    Migration { sql: include_str!("migrations/5.sql"), code: Some(split_headers) },
    Migration::new(include_str!("migrations/6.sql")),
    Migration { sql: include_str!("migrations/7.sql"), code: Some(cut_headers) },
    Migration::new(include_str!("migrations/8.sql")),
];

const VERSION: i32 = MIGRATIONS.len() as i32;

const MIGRATING: &str = "bringing the log to the current version";

/// How long to wait for a writer that does not use the lock, such as a person with the sqlite3 shell.
const PATIENCE: Duration = Duration::from_secs(5);

/// The number of pages in the write-ahead log before they are copied into the file: 16 MiB, so that each page is copied once
/// for many commits.
const CHECKPOINT_PAGES: i32 = 4_000;

/// Opens a log for writing, creates it if it does not exist, and migrates it to the current version.
pub(super) fn open(path: &Path, options: Options) -> Result<Connection, StoreError> {
    let doing = "opening the log";
    create_private_file(path)?;
    let mut connection = Connection::open(path).map_err(StoreError::sqlite(doing))?;
    // Only a log is narrowed, and no file of another program that has a wrong name.
    version(&connection, path)?;
    narrow_files(path)?;
    migrate(&mut connection, path)?;
    configure(&connection, options).map_err(StoreError::sqlite(doing))?;
    Ok(connection)
}

/// Creates an empty file for its owner alone, if there is none. SQLite gives the files beside it the same rights.
pub(crate) fn create_private_file(path: &Path) -> Result<(), StoreError> {
    let mut options = File::options();
    options.write(true).create_new(true);
    match owner::only(&mut options).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            Err(StoreError::Io { path: path.into(), source: error })
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Takes the rights of all others from a SQLite file and the files beside it.
pub(crate) fn narrow_files(path: &Path) -> Result<(), StoreError> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let path = beside(path, suffix);
        owner::narrow(&path).map_err(|source| StoreError::Io { path, source })?;
    }
    Ok(())
}

/// Opens a log for reading. A reader changes nothing: an older file keeps its version.
pub(super) fn open_for_reading(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let doing = "opening the log for reading";
    let connection = Connection::open_with_flags(path, flags).map_err(StoreError::sqlite(doing))?;
    connection.busy_timeout(PATIENCE).map_err(StoreError::sqlite(doing))?;
    Ok(connection)
}

/// The version of a file that has one.
pub(super) fn version_for_reading(connection: &Connection, path: &Path) -> Result<i32, StoreError> {
    match version(connection, path)? {
        0 => Err(StoreError::Empty { path: path.into() }),
        found => Ok(found),
    }
}

fn configure(connection: &Connection, options: Options) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    let synchronous = match options.durability {
        Durability::Full => "FULL",
        Durability::Normal => "NORMAL",
        Durability::None => "OFF",
    };
    connection.pragma_update(None, "synchronous", synchronous)?;
    connection.pragma_update_and_check(None, "wal_autocheckpoint", CHECKPOINT_PAGES, |_| Ok(()))?;
    if let Some(pages) = options.max_pages {
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?;
    }
    Ok(())
}

/// Brings a file to the current version.
fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    if version(connection, path)? == VERSION {
        return Ok(());
    }
    // A step may write a table again that others refer to. This cannot be changed within a transaction.
    let foreign_keys =
        |connection: &Connection, are_checked: bool| connection.pragma_update(None, "foreign_keys", are_checked);
    foreign_keys(connection, false).map_err(StoreError::sqlite(MIGRATING))?;
    run_migrations(connection, path)?;
    foreign_keys(connection, true).map_err(StoreError::sqlite(MIGRATING))
}

/// Runs all missing migrations in one transaction, so that a file never has a partly migrated version.
fn run_migrations(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let doing = MIGRATING;
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(StoreError::sqlite(doing))?;
    let found = version(&transaction, path)?;
    for migration in MIGRATIONS.iter().skip(found as usize) {
        transaction.execute_batch(migration.sql).map_err(StoreError::sqlite(doing))?;
        if let Some(code) = migration.code {
            code(&transaction).map_err(StoreError::sqlite(doing))?;
        }
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(StoreError::sqlite(doing))?;
    transaction.pragma_update(None, "user_version", VERSION).map_err(StoreError::sqlite(doing))?;
    transaction.commit().map_err(StoreError::sqlite(doing))
}

/// The version of the file: 0 for an empty file, at most the current version.
fn version(connection: &Connection, path: &Path) -> Result<i32, StoreError> {
    let read = |name| {
        let value = connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        value.map_err(StoreError::sqlite("reading the version of the log"))
    };
    let (application, found, tables) = (read("application_id")?, read("user_version")?, read("schema_version")?);
    match (application, found) {
        (0, 0) if tables == 0 => Ok(0),
        (APPLICATION_ID, 1..=VERSION) => Ok(found),
        (APPLICATION_ID, _) if found > VERSION => Err(StoreError::Newer { path: path.into(), found, known: VERSION }),
        (_, _) => Err(StoreError::Foreign { path: path.into(), application }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of these versions exist on other machines: a changed migration would produce two variants of the same version.
    #[test]
    fn released_steps_stay_as_they_are() {
        let digests = MIGRATIONS.iter().map(|step| blake3::hash(step.sql.as_bytes()).to_hex()[..16].to_owned());
        assert_eq!(
            digests.collect::<Vec<_>>(),
            [
                "061fcfbb7c3d2564",
                "f4b17a1a4c184b79",
                "f5028cba65ec6abd",
                "4f9a5d98997077cf",
                "3e94ca49084dd5b6",
                "2b341d8f354075a1",
                "01ab2028f498e7a2",
                "0674002409fdb2de",
            ]
        );
    }
}
