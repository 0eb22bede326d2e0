//! Copies games from one store to another, with the same bytes and digests.

use std::{
    error::Error,
    fmt,
    sync::{Arc, Mutex},
};

use tokio::sync::oneshot;

use crate::{
    log::{
        Acknowledge, Damage, Ending, EventLog, GameHead, GameKey, LogReader, NewGame, Recovered, Row, Selection,
        StoreError, Stored, StoredClient, visit,
    },
    sync::lock,
};

/// What [`copy_game`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    /// The game is new in the store, with this number of entries.
    New {
        /// The number of entries.
        entries: u64,
    },
    /// The store has the same game already.
    There,
}

/// Why a game was not copied.
#[derive(Debug)]
pub enum CopyError {
    /// A store cannot be read.
    Read(StoreError),
    /// The log of the game was changed after it was written.
    Damaged(Damage),
    /// The other store has another game with this name.
    NameTaken,
    /// The other store does not take it.
    Write(Arc<StoreError>),
}

impl From<StoreError> for CopyError {
    fn from(error: StoreError) -> Self {
        Self::Read(error)
    }
}

impl fmt::Display for CopyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Damaged(damage) => damage.fmt(f),
            Self::NameTaken => f.write_str("the other store has another game with this name"),
            Self::Write(error) => error.fmt(f),
        }
    }
}

impl Error for CopyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            Self::Damaged(damage) => Some(damage),
            Self::Write(error) => Some(&**error),
            Self::NameTaken => None,
        }
    }
}

/// Copies a game with its entries, clients and end. It gets a key of the other store. Rows of tables of rulebooks are not
/// copied. No host may play an unfinished game meanwhile.
///
/// # Errors
/// If a store cannot be read or written, the log of the game is damaged, or its name is taken.
pub async fn copy_game(from: &dyn LogReader, game: GameKey, into: &dyn EventLog) -> Result<Copied, CopyError> {
    let ReadGame { head, clients, rows } = read_game(from, game).await?;
    let record = head.record.clone();
    if let Some(there) = into.find(&record.name).await? {
        let is_same = there.record.tail == record.tail && there.header == head.header;
        return if is_same { Ok(Copied::There) } else { Err(CopyError::NameTaken) };
    }
    let entries = rows.len() as u64;
    let (written, stored) = Written::new();
    let key = into.create(NewGame::copy(head, rows), written);
    stored.await.unwrap_or(Err(Arc::new(StoreError::Closed))).map_err(CopyError::Write)?;
    for client in clients {
        let (done, stored) = answer();
        into.add_client(key, client, done);
        stored.await.unwrap_or(Err(Arc::new(StoreError::Closed))).map_err(CopyError::Write)?;
    }
    if let Some(end) = record.end {
        let (done, stored) = answer();
        let (players, results) = (record.players.unwrap_or_default(), record.results.unwrap_or_default());
        into.finish(key, Ending { outcome: end.outcome, at: end.at, players, results }, done);
        stored.await.unwrap_or(Err(Arc::new(StoreError::Closed))).map_err(CopyError::Write)?;
    }
    Ok(Copied::New { entries })
}

/// A game as it is read.
struct ReadGame {
    head: GameHead,
    clients: Vec<StoredClient>,
    rows: Vec<Row>,
}

/// Reads and verifies a whole game.
async fn read_game(from: &dyn LogReader, game: GameKey) -> Result<ReadGame, CopyError> {
    let (mut head, mut clients, mut rows, mut damaged) = (None, Vec::new(), Vec::new(), None);
    visit(from, Selection::Keys(vec![game]), |found| match found {
        Recovered::Game { head: found } => head = Some(found.clone()),
        Recovered::Client { client, .. } => clients.push(client.clone()),
        Recovered::Entry { sequence, bytes, digest, .. } => {
            rows.push(Row { sequence, bytes: bytes.to_vec(), digest });
        }
        Recovered::Damaged { damage, .. } => damaged = Some(damage.clone()),
    })
    .await?;
    if let Some(damage) = damaged {
        return Err(CopyError::Damaged(damage));
    }
    let head = head.ok_or(StoreError::NoSuchGame { game })?;
    Ok(ReadGame { head, clients, rows })
}

type Outcome = Result<(), Arc<StoreError>>;

/// Waits for the creation of a game.
struct Written(Mutex<Option<oneshot::Sender<Outcome>>>);

impl Written {
    fn new() -> (Arc<Self>, oneshot::Receiver<Outcome>) {
        let (sender, receiver) = oneshot::channel();
        (Arc::new(Self(Mutex::new(Some(sender)))), receiver)
    }

    fn tell(&self, outcome: Outcome) {
        if let Some(sender) = lock(&self.0).take() {
            let _caller_is_gone = sender.send(outcome);
        }
    }
}

impl Acknowledge for Written {
    fn durable(&self, _: u64) {
        self.tell(Ok(()));
    }

    fn failed(&self, error: Arc<StoreError>) {
        self.tell(Err(error));
    }
}

fn answer() -> (Stored, oneshot::Receiver<Outcome>) {
    let (sender, receiver) = oneshot::channel();
    (Box::new(move |outcome| drop(sender.send(outcome))), receiver)
}
