//! Reading a database asynchronously.

use std::fmt;

use tokio::sync::mpsc;
use tokio_postgres::types::{ToSql, Type};

use super::{
    address::PostgresAddress,
    checking,
    connection::{Connection, Parameter, column},
    pool::ReaderPool,
    records, recovering,
    rows::{CLIENT, ENTRY, TOMBSTONES, Tables, client, entry, head, heads_where, record, records_where, tombstone},
    schema,
};
use crate::log::{
    Cell, GameHead, GameKey, GameRecord, LogReader, Reading, RecoveredBatch, RecoveryStats, Row, Selection,
    StoreDamage, StoreError, StoredClient, Table, Tombstone,
};

/// The maximum number of rows of one answer, so that each one arrives before its deadline.
const PAGE: i64 = 4_096;

/// A database that is open for reading.
pub(in crate::log) struct PostgresReader {
    pool: ReaderPool,
    tables: Tables,
}

impl PostgresReader {
    /// Opens a database that has the tables of a log.
    pub(in crate::log) async fn open(address: &str) -> Result<Self, StoreError> {
        let mut reader = Self::new(PostgresAddress::parse(address)?.for_reading())?;
        let address = reader.pool.address().clone();
        let migrations = reader.pool.read(false, move |connection| check(connection, address.clone())).await?;
        if migrations < schema::KNOWS_REDACTIONS {
            reader.tables = Tables::WithoutRemovals;
        }
        Ok(reader)
    }

    pub(super) fn new(address: PostgresAddress) -> Result<Self, StoreError> {
        Ok(Self { pool: ReaderPool::new(address)?, tables: Tables::Present })
    }

    pub(super) fn address(&self) -> &PostgresAddress {
        self.pool.address()
    }

    pub(super) fn pool(&self) -> &ReaderPool {
        &self.pool
    }

    /// Reads rows by one statement.
    fn select<T: Send + 'static>(
        &self,
        doing: &'static str,
        sql: String,
        parameters: Vec<Value>,
        read: fn(&tokio_postgres::Row) -> Result<T, StoreError>,
    ) -> Reading<'_, Vec<T>> {
        self.pool.read(false, move |connection| {
            let (sql, parameters) = (sql.clone(), parameters.clone());
            Box::pin(async move {
                let rows = connection.query(doing, &sql, &bound(&parameters)).await?;
                rows.iter().map(read).collect()
            })
        })
    }
}

fn check(connection: &Connection, address: PostgresAddress) -> super::pool::Answer<'_, i32> {
    Box::pin(async move { schema::check_for_reading(connection, &address).await })
}

/// A parameter that is kept until it is sent.
#[derive(Clone, Debug)]
enum Value {
    Number(i64),
    Text(String),
}

fn bound(values: &[Value]) -> Vec<Parameter<'_>> {
    fn bind(value: &Value) -> Parameter<'_> {
        match value {
            Value::Number(number) => (number as &(dyn ToSql + Sync), Type::INT8),
            Value::Text(text) => (text as &(dyn ToSql + Sync), Type::TEXT),
        }
    }
    values.iter().map(bind).collect()
}

impl LogReader for PostgresReader {
    fn list(&self) -> Reading<'_, Vec<GameRecord>> {
        self.pool.read(false, |connection| {
            Box::pin(async move {
                recovering::in_snapshot(connection, async {
                    let sql = records_where("WHERE games.id > $1 ORDER BY games.id LIMIT $2");
                    let mut games: Vec<GameRecord> = Vec::new();
                    loop {
                        let after = games.last().map_or(i64::MIN, |last| last.key.0);
                        let parameters = [Value::Number(after), Value::Number(PAGE)];
                        let rows = connection.query("listing the games", &sql, &bound(&parameters)).await?;
                        for row in &rows {
                            games.push(record(row)?);
                        }
                        if rows.len() < PAGE as usize {
                            return Ok(games);
                        }
                    }
                })
                .await
            })
        })
    }

    fn page(&self, before: Option<GameKey>, limit: usize) -> Reading<'_, Vec<GameRecord>> {
        let before = before.map_or(i64::MAX, |GameKey(key)| key);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = records_where("WHERE games.id < $1 ORDER BY games.id DESC LIMIT $2");
        self.select("listing the games", sql, vec![Value::Number(before), Value::Number(limit)], record)
    }

    fn first(&self) -> Reading<'_, Option<GameRecord>> {
        let sql = records_where("ORDER BY games.id LIMIT 1");
        let found = self.select("reading the first game", sql, Vec::new(), record);
        Box::pin(async move { Ok(found.await?.pop()) })
    }

    fn ended_since<'a>(&'a self, rulebook: &'a str, moment: i64) -> Reading<'a, Vec<GameRecord>> {
        let sql = records_where("WHERE rulebook = $1 AND ended >= $2 ORDER BY games.id DESC");
        let parameters = vec![Value::Text(rulebook.into()), Value::Number(moment)];
        self.select("looking for games that ended", sql, parameters, record)
    }

    fn first_ended<'a>(&'a self, rulebook: &'a str, limit: usize) -> Reading<'a, Vec<GameRecord>> {
        let sql = records_where("WHERE rulebook = $1 AND ended IS NOT NULL ORDER BY ended, games.id LIMIT $2");
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let parameters = vec![Value::Text(rulebook.into()), Value::Number(limit)];
        self.select("looking for games that ended", sql, parameters, record)
    }

    fn count_ended<'a>(&'a self, rulebook: &'a str) -> Reading<'a, u64> {
        let sql = "SELECT count(*) FROM games WHERE rulebook = $1 AND ended IS NOT NULL".into();
        let count = |row: &tokio_postgres::Row| Ok(column::<i64>(row, 0)?.unsigned_abs());
        let found = self.select("counting games that ended", sql, vec![Value::Text(rulebook.into())], count);
        Box::pin(async move { Ok(found.await?.pop().unwrap_or_default()) })
    }

    fn removed(&self) -> Reading<'_, Vec<Tombstone>> {
        if self.tables == Tables::WithoutRemovals {
            return Box::pin(std::future::ready(Ok(Vec::new())));
        }
        self.pool.read(false, |connection| {
            Box::pin(async move {
                let mut stones: Vec<Tombstone> = Vec::new();
                loop {
                    let after = stones.last().map_or(i64::MIN, |last| last.key.0);
                    let parameters = [Value::Number(after), Value::Number(PAGE)];
                    let rows = connection.query("reading the removed games", TOMBSTONES, &bound(&parameters)).await?;
                    for row in &rows {
                        stones.push(tombstone(row)?);
                    }
                    if rows.len() < PAGE as usize {
                        return Ok(stones);
                    }
                }
            })
        })
    }

    fn find<'a>(&'a self, name: &'a str) -> Reading<'a, Option<GameHead>> {
        // PostgreSQL has no text with this character, so no game has such a name.
        if name.contains('\0') {
            return Box::pin(std::future::ready(Ok(None)));
        }
        let sql = heads_where(self.tables, "WHERE games.name = $1");
        let found = self.select("reading a game", sql, vec![Value::Text(name.into())], head);
        Box::pin(async move { Ok(found.await?.pop()) })
    }

    fn head(&self, game: GameKey) -> Reading<'_, GameHead> {
        let found = self.select(
            "reading a game",
            heads_where(self.tables, "WHERE games.id = $1"),
            vec![Value::Number(game.0)],
            head,
        );
        Box::pin(async move { found.await?.pop().ok_or(StoreError::NoSuchGame { game }) })
    }

    fn rows(&self, game: GameKey, from: u64) -> Reading<'_, Vec<Row>> {
        let sql = format!("{ENTRY} WHERE game = $1 AND sequence >= $2 ORDER BY sequence LIMIT $3");
        self.pool.read(false, move |connection| {
            let sql = sql.clone();
            Box::pin(async move {
                let mut found: Vec<Row> = Vec::new();
                // Entries are only added, so that several answers fit together.
                loop {
                    let next = found.last().map_or(from, |last| last.sequence.saturating_add(1));
                    let Ok(next) = i64::try_from(next) else { return Ok(found) };
                    let parameters = [Value::Number(game.0), Value::Number(next), Value::Number(PAGE)];
                    let rows = connection.query("reading the entries of a game", &sql, &bound(&parameters)).await?;
                    for row in &rows {
                        found.push(entry(row)?);
                    }
                    if rows.len() < PAGE as usize {
                        return Ok(found);
                    }
                }
            })
        })
    }

    fn clients(&self, game: GameKey) -> Reading<'_, Vec<StoredClient>> {
        let sql = format!("{CLIENT} WHERE game = $1 ORDER BY client");
        let found = self.select("reading the clients of a game", sql, vec![Value::Number(game.0)], client);
        Box::pin(async move { Ok(found.await?.into_iter().map(|(_, client)| client).collect()) })
    }

    fn records(&self, table: &'static Table, filter: Option<(&'static str, Cell)>) -> Reading<'_, Vec<Vec<Cell>>> {
        self.pool.read(false, move |connection| {
            let filter = filter.clone();
            Box::pin(async move { records::read(connection, table, filter.as_ref()).await })
        })
    }

    fn recover(&self, which: Selection, found: mpsc::Sender<RecoveredBatch>) -> Reading<'_, RecoveryStats> {
        let tables = self.tables;
        self.pool.read(true, move |connection| {
            let (which, found) = (which.clone(), found.clone());
            Box::pin(async move { recovering::recover(connection, tables, &which, &found).await })
        })
    }

    fn check(&self) -> Reading<'_, Vec<StoreDamage>> {
        let tables = self.tables;
        self.pool.read(false, move |connection| Box::pin(checking::check(connection, tables)))
    }
}

impl fmt::Debug for PostgresReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresReader").field("address", self.address()).finish_non_exhaustive()
    }
}
