//! A file beside the log. One thread reads and writes it.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use commlib::{Channel, ChatLine};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};
use tokio::sync::{Semaphore, oneshot};

use super::{DocumentChange, HostStore, NewChatLine, channel_name, channel_named};
use crate::log::{Reading, StoreError, create_private_file, narrow_files};

/// `HoHs`: the application id that marks a SQLite file as this store.
const APPLICATION_ID: i32 = 0x486f_4873;

/// The migrations, starting with an empty file. A released migration never changes.
const MIGRATIONS: &[&str] = &[include_str!("sqlite/1.sql"), include_str!("sqlite/2.sql"), include_str!("sqlite/3.sql")];

const VERSION: i32 = MIGRATIONS.len() as i32;

/// How long to wait for another process, such as a person with the sqlite3 shell.
const PATIENCE: Duration = Duration::from_secs(5);

/// The maximum number of operations that wait for the disk; further ones wait for a place.
const MOST_WAITING: usize = 64;

/// An operation for the thread.
type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// Keeps everything in a file, which only its owner may read.
pub struct SqliteHostStore {
    path: PathBuf,
    /// The thread ends when this is dropped.
    jobs: mpsc::Sender<Job>,
    places: Arc<Semaphore>,
}

impl SqliteHostStore {
    /// Opens a file, and creates it if it does not exist.
    ///
    /// # Errors
    /// If the file cannot be opened, or is no store of a supported version.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = open(path)?;
        let (jobs, received) = mpsc::channel::<Job>();
        let run = move || received.into_iter().for_each(|job| job(&mut connection));
        let started = thread::Builder::new().name("host store".into()).spawn(run);
        started.map_err(|source| StoreError::Io { path: path.into(), source })?;
        Ok(Self { path: path.into(), jobs, places: Arc::new(Semaphore::new(MOST_WAITING)) })
    }

    /// Runs an operation on the thread.
    async fn run<T: Send + 'static>(
        &self,
        doing: &'static str,
        job: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let place = self.places.clone().acquire_owned().await.map_err(|_| StoreError::Closed)?;
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let _nobody_waits = reply.send(job(connection));
            drop(place);
        });
        self.jobs.send(job).map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?.map_err(StoreError::sqlite(doing))
    }
}

impl HostStore for SqliteHostStore {
    fn add_chat<'a>(&'a self, game: &'a str, line: NewChatLine, keep: u32) -> Reading<'a, u64> {
        let game = game.to_owned();
        Box::pin(self.run("storing a line of chat", move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let last = "SELECT coalesce(max(number), 0) FROM chat WHERE game = ?1";
            let number: i64 = transaction.query_row(last, [&game], |row| row.get(0)).optional()?.unwrap_or(0) + 1;
            let NewChatLine { channel, client, by, text, at } = line;
            transaction.execute(
                "INSERT INTO chat (game, number, channel, client, writer, line, written) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![game, number, channel_name(channel), client, by, text, at],
            )?;
            let oldest = number - i64::from(keep.max(1));
            transaction.execute("DELETE FROM chat WHERE game = ?1 AND number <= ?2", params![game, oldest])?;
            transaction.commit()?;
            Ok(number.unsigned_abs())
        }))
    }

    fn chat<'a>(&'a self, game: &'a str, channel: Option<Channel>, most: u32) -> Reading<'a, Vec<ChatLine>> {
        let game = game.to_owned();
        Box::pin(self.run("reading chat", move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT number, channel, client, writer, line, written FROM chat
                WHERE game = ?1 AND (?2 IS NULL OR channel = ?2) ORDER BY number DESC LIMIT ?3",
            )?;
            let found = statement.query_map(params![game, channel.map(channel_name), most], |row| {
                Ok(ChatLine {
                    number: row.get::<_, i64>(0)?.unsigned_abs(),
                    channel: channel_named(&row.get::<_, String>(1)?),
                    client: row.get(2)?,
                    by: row.get(3)?,
                    text: row.get(4)?,
                    at: row.get(5)?,
                })
            })?;
            let mut lines = found.collect::<rusqlite::Result<Vec<ChatLine>>>()?;
            lines.reverse();
            Ok(lines)
        }))
    }

    fn access<'a>(&'a self, game: &'a str) -> Reading<'a, Option<String>> {
        let game = game.to_owned();
        Box::pin(self.run("reading who may come in", move |connection| {
            let mut statement = connection.prepare_cached("SELECT rules FROM access WHERE game = ?1")?;
            statement.query_row([&game], |row| row.get(0)).optional()
        }))
    }

    fn set_access<'a>(&'a self, game: &'a str, hidden: bool, rules: String) -> Reading<'a, ()> {
        let game = game.to_owned();
        Box::pin(self.run("storing who may come in", move |connection| {
            let sql = "INSERT INTO access (game, hidden, rules) VALUES (?1, ?2, ?3)
                ON CONFLICT (game) DO UPDATE SET hidden = ?2, rules = ?3";
            connection.execute(sql, params![game, hidden, rules]).map(drop)
        }))
    }

    fn replace_chat<'a>(&'a self, game: &'a str, lines: Vec<(u64, String, String)>) -> Reading<'a, ()> {
        let game = game.to_owned();
        Box::pin(self.run("replacing lines of chat", move |connection| {
            // What is replaced is overwritten with zeros.
            connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for (number, by, text) in lines {
                let sql = "UPDATE chat SET writer = ?3, line = ?4 WHERE game = ?1 AND number = ?2";
                transaction.execute(sql, params![game, number.cast_signed(), by, text])?;
            }
            transaction.commit()
        }))
    }

    fn forget<'a>(&'a self, game: &'a str) -> Reading<'a, ()> {
        let game = game.to_owned();
        Box::pin(self.run("deleting what belongs to a removed game", move |connection| {
            connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.execute("DELETE FROM chat WHERE game = ?1", [&game])?;
            transaction.execute("DELETE FROM access WHERE game = ?1", [&game])?;
            transaction.commit()
        }))
    }

    fn hidden(&self) -> Reading<'_, Vec<String>> {
        Box::pin(self.run("reading which games are hidden", |connection| {
            let mut statement = connection.prepare_cached("SELECT game FROM access WHERE hidden ORDER BY game")?;
            statement.query_map([], |row| row.get(0))?.collect()
        }))
    }

    fn replace_line<'a>(&'a self, game: &'a str, number: u64, text: &'a str) -> Reading<'a, bool> {
        let (game, number, text) = (game.to_owned(), i64::try_from(number).unwrap_or(i64::MAX), text.to_owned());
        Box::pin(self.run("replacing a line of chat", move |connection| {
            let sql = "UPDATE chat SET line = ?3 WHERE game = ?1 AND number = ?2";
            connection.execute(sql, params![game, number, text]).map(|rows| rows > 0)
        }))
    }

    fn document<'a>(&'a self, kind: &'static str, key: &'a str) -> Reading<'a, Option<String>> {
        let key = key.to_owned();
        Box::pin(self.run("reading a document", move |connection| {
            let mut statement = connection.prepare_cached("SELECT text FROM documents WHERE kind = ?1 AND key = ?2")?;
            statement.query_row(params![kind, key], |row| row.get(0)).optional()
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
        Box::pin(self.run("reading documents", move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT key, text FROM documents WHERE kind = ?1 AND key >= ?2 AND key > ?3
                AND substr(key, 1, length(?2)) = ?2 ORDER BY key LIMIT ?4",
            )?;
            let found =
                statement.query_map(params![kind, prefix, after, most], |row| Ok((row.get(0)?, row.get(1)?)))?;
            found.collect()
        }))
    }

    fn change_documents(&self, changes: Vec<DocumentChange>) -> Reading<'_, bool> {
        Box::pin(self.run("changing documents", move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for DocumentChange { kind, key, before, after } in changes {
                let changed = match (before, after) {
                    (None, None) => {
                        let sql = "SELECT count(*) = 0 FROM documents WHERE kind = ?1 AND key = ?2";
                        usize::from(transaction.query_row(sql, params![kind, key], |row| row.get::<_, bool>(0))?)
                    }
                    (None, Some(after)) => {
                        let sql = "INSERT INTO documents (kind, key, text) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
                        transaction.execute(sql, params![kind, key, after])?
                    }
                    (Some(before), Some(after)) => {
                        let sql = "UPDATE documents SET text = ?4 WHERE kind = ?1 AND key = ?2 AND text = ?3";
                        transaction.execute(sql, params![kind, key, before, after])?
                    }
                    (Some(before), None) => {
                        let sql = "DELETE FROM documents WHERE kind = ?1 AND key = ?2 AND text = ?3";
                        transaction.execute(sql, params![kind, key, before])?
                    }
                };
                if changed == 0 {
                    return Ok(false);
                }
            }
            transaction.commit().map(|()| true)
        }))
    }
}

impl fmt::Debug for SqliteHostStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteHostStore").field("path", &self.path).finish_non_exhaustive()
    }
}

fn open(path: &Path) -> Result<Connection, StoreError> {
    let doing = "opening the file of the host";
    create_private_file(path)?;
    let mut connection = Connection::open(path).map_err(StoreError::sqlite(doing))?;
    let pragma = |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i32>(0));
    let application = pragma("application_id").map_err(StoreError::sqlite(doing))?;
    let found = pragma("user_version").map_err(StoreError::sqlite(doing))?;
    let tables = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i32>(0));
    let is_new = (application, found, tables.map_err(StoreError::sqlite(doing))?) == (0, 0, 0);
    if application != APPLICATION_ID && !is_new {
        return Err(StoreError::Foreign { path: path.into(), application });
    }
    if found > VERSION {
        return Err(StoreError::Newer { path: path.into(), found, known: VERSION });
    }
    narrow_files(path)?;
    prepare(&mut connection, found).map_err(StoreError::sqlite(doing))?;
    Ok(connection)
}

/// Brings the file to the current version.
fn prepare(connection: &mut Connection, found: i32) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    // Everything that was told survives a power cut, as in the log.
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;")?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for migration in MIGRATIONS.iter().skip(found.unsigned_abs() as usize) {
        transaction.execute_batch(migration)?;
    }
    transaction
        .execute_batch(&format!("PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"))?;
    transaction.commit()
}
