//! Reading whole games from one snapshot.

use std::sync::Mutex;

use tokio::sync::mpsc;
use tokio_postgres::types::Type;

use super::{
    connection::{Connection, column},
    rows::{CLIENT, ENTRY, Tables, client, digest, head, heads_where, sequence},
};
use crate::{
    log::{
        GameHead, GameKey, RecoveredBatch, RecoveryStats, Selection, StoreError,
        recovered::{Gone, Recovering},
    },
    sync::lock,
};

/// The maximum number of games that are read together, and the number of entries that one answer has at most, unless the
/// table has more of a game than it should.
const GAMES: usize = 256;
const ENTRIES: u64 = 4_096;

const DOING: &str = "reading the games";

/// Reads the database as it is at one moment.
pub(super) async fn in_snapshot<T>(
    connection: &Connection,
    reading: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let doing = "beginning to read";
    connection.run(doing, "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    let read = reading.await;
    // An error of this one tells that the connection cannot be used again.
    connection.run("ending to read", "ROLLBACK").await?;
    read
}

/// Sends all selected games. Stops if the receiver is dropped.
pub(super) async fn recover(
    connection: &Connection,
    tables: Tables,
    which: &Selection,
    found: &mpsc::Sender<RecoveredBatch>,
) -> Result<RecoveryStats, StoreError> {
    in_snapshot(connection, async {
        let full = Mutex::new(Vec::new());
        let mut recovering = Recovering::new(|batch| {
            lock(&full).push(batch);
            Ok(())
        });
        let mut pages = Pages::new(which, tables);
        while let Some(heads) = pages.next(connection).await? {
            let mut rest = &heads[..];
            while !rest.is_empty() {
                let (group, after) = rest.split_at(group_length(rest));
                read_group(connection, group, &mut recovering, &full, found).await?;
                rest = after;
            }
        }
        let stats = recovering.end().map_err(|Gone| StoreError::Closed)?;
        send(&full, found).await?;
        Ok(stats)
    })
    .await
}

/// The selected games, page by page.
struct Pages<'s> {
    which: &'s Selection,
    tables: Tables,
    /// The last game of the page before.
    last: i64,
    /// The number of keys that were read.
    keys: usize,
    is_done: bool,
}

impl<'s> Pages<'s> {
    fn new(which: &'s Selection, tables: Tables) -> Self {
        Self { which, tables, last: i64::MIN, keys: 0, is_done: false }
    }

    async fn next(&mut self, connection: &Connection) -> Result<Option<Vec<GameHead>>, StoreError> {
        if self.is_done {
            return Ok(None);
        }
        let condition = match self.which {
            Selection::All => "",
            Selection::Unfinished => "ended IS NULL AND",
            Selection::Keys(keys) => {
                let end = keys.len().min(self.keys + GAMES);
                let page = &keys[self.keys..end];
                (self.keys, self.is_done) = (end, end == keys.len());
                return heads_of(connection, self.tables, page).await.map(Some);
            }
        };
        let sql = heads_where(self.tables, &format!("WHERE {condition} games.id > $1 ORDER BY games.id LIMIT {GAMES}"));
        let rows = connection.query(DOING, &sql, &[(&self.last, Type::INT8)]).await?;
        let heads: Vec<GameHead> = rows.iter().map(head).collect::<Result<_, _>>()?;
        self.is_done = heads.len() < GAMES;
        self.last = heads.last().map_or(self.last, |head| head.record.key.0);
        Ok(Some(heads))
    }
}

/// These games, in this order.
async fn heads_of(connection: &Connection, tables: Tables, keys: &[GameKey]) -> Result<Vec<GameHead>, StoreError> {
    let numbers: Vec<i64> = keys.iter().map(|key| key.0).collect();
    let sql = heads_where(tables, "WHERE games.id = ANY($1)");
    let rows = connection.query(DOING, &sql, &[(&numbers, Type::INT8_ARRAY)]).await?;
    let mut heads: Vec<Option<GameHead>> = keys.iter().map(|_| None).collect();
    for row in &rows {
        let head = head(row)?;
        if let Some(place) = keys.iter().position(|key| *key == head.record.key) {
            heads[place] = Some(head);
        }
    }
    let found = heads.into_iter().zip(keys).map(|(head, game)| head.ok_or(StoreError::NoSuchGame { game: *game }));
    found.collect()
}

/// How many of these games are read by one statement: at least one.
fn group_length(heads: &[GameHead]) -> usize {
    let mut entries = 0_u64;
    let fits = |head: &&GameHead| {
        entries = entries.saturating_add(head.record.tail.entries);
        entries <= ENTRIES
    };
    heads.iter().take_while(fits).count().max(1)
}

/// Reads the clients and the entries of some games.
async fn read_group<S: FnMut(RecoveredBatch) -> Result<(), Gone>>(
    connection: &Connection,
    heads: &[GameHead],
    recovering: &mut Recovering<S>,
    full: &Mutex<Vec<RecoveredBatch>>,
    found: &mpsc::Sender<RecoveredBatch>,
) -> Result<(), StoreError> {
    let gone = |Gone| StoreError::Closed;
    let games: Vec<i64> = heads.iter().map(|head| head.record.key.0).collect();
    heads.iter().try_for_each(|head| recovering.game(head.clone())).map_err(gone)?;
    let sql = format!("{CLIENT} WHERE game = ANY($1) ORDER BY game, client");
    for row in connection.query("reading the clients", &sql, &[(&games, Type::INT8_ARRAY)]).await? {
        let (game, client) = client(&row)?;
        recovering.client(game, client).map_err(gone)?;
    }
    // Several games are read to their ends at once, and one game in pages.
    let limit = if games.len() == 1 { ENTRIES as i64 } else { i64::MAX };
    let sql = format!("{ENTRY} WHERE game = ANY($1) AND sequence > $2 ORDER BY game, sequence LIMIT $3");
    let mut after = i64::MIN;
    loop {
        let parameters = [(&games as _, Type::INT8_ARRAY), (&after as _, Type::INT8), (&limit as _, Type::INT8)];
        let rows = connection.query("reading the entries", &sql, &parameters).await?;
        for row in &rows {
            let game = GameKey(column(row, 0)?);
            recovering.entry(game, sequence(row)?, column(row, 3)?, digest(row, 2)?).map_err(gone)?;
        }
        send(full, found).await?;
        match rows.last() {
            Some(last) if rows.len() as i64 == limit => after = column(last, 1)?,
            Some(_) | None => return Ok(()),
        }
    }
}

/// Sends the batches that are full.
async fn send(full: &Mutex<Vec<RecoveredBatch>>, found: &mpsc::Sender<RecoveredBatch>) -> Result<(), StoreError> {
    let batches = std::mem::take(&mut *lock(full));
    for batch in batches {
        found.send(batch).await.map_err(|_| StoreError::Closed)?;
    }
    Ok(())
}
