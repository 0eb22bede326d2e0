//! Games in a PostgreSQL database, which several hosts share. Each host writes over one connection, with one commit for all
//! writes that have arrived meanwhile, and reads over a few others.
//!
//! `address` says where the database is, `tls` encrypts, `connection` has the deadlines, `schema` the tables. `session` is the
//! writing connection with the fence, `backend` what the writer does with it. `batch` and `plan` are one commit, `new_games` its
//! first part, `read_back` finds out whether it was stored, `keys` numbers the games. `reader` reads with `pool`, `rows`,
//! `recovering` and `checking`; `removal` deletes games and replaces names; `records` has the tables of rulebooks. `registration` is the row of this host,
//! and `members` has what hosts know of each other.

mod address;
mod backend;
mod batch;
mod checking;
mod connection;
mod keys;
mod members;
mod new_games;
mod plan;
mod pool;
mod read_back;
mod reader;
mod records;
mod recovering;
mod registration;
mod removal;
mod rows;
mod schema;
mod session;
mod tls;

/// Connections for what a host keeps in the same database.
pub(crate) mod database {
    pub(crate) use super::{
        connection::{Connection, Parameter, column},
        pool::ReaderPool as Pool,
    };
}

use std::{fmt, sync::Arc};

pub use address::PostgresAddress;
use backend::{PostgresBackend, SharedRegistration};
use keys::Keys;
pub(crate) use members::{HandedOver, HostRow, OwnedRow, OwnerRow};
pub(super) use reader::PostgresReader;
pub(crate) use registration::{Registering, Registration};
use tokio::sync::mpsc;

use crate::log::{
    Acknowledge, Cell, Ending, EventLog, GameHead, GameKey, GameRecord, LogReader, Measures, NewGame, Reading, Record,
    RecoveredBatch, RecoveryStats, Redaction, Row, Selection, StoreDamage, StoreError, Stored, StoredClient, Table,
    Tombstone, WhyRemoved, write::Write, writer::WriterHandle,
};

/// The log of a host in a PostgreSQL database.
pub struct PostgresLog {
    writer: WriterHandle<PostgresBackend>,
    keys: Arc<Keys>,
    registration: SharedRegistration,
    reader: PostgresReader,
}

impl PostgresLog {
    /// Opens a database. Nothing can be written before this host [registers](crate::cluster::Membership::register).
    ///
    /// # Errors
    /// If the database cannot be reached, or has tables of a later program.
    pub fn open(address: &PostgresAddress) -> Result<Self, StoreError> {
        Self::start(address, |_| Ok(()))
    }

    /// Opens a database as the only host with this name, and takes over all unfinished games that no living host owns. An
    /// earlier process with the same name writes nothing more.
    ///
    /// # Errors
    /// If the database cannot be reached, or has tables of a later program.
    pub fn open_alone(address: &PostgresAddress, name: &str) -> Result<Self, StoreError> {
        let host = Registering { name: name.into(), rules: "[]".into(), ..Registering::default() };
        Self::start(address, move |backend| {
            let registered = backend.register(host)?;
            backend.ask(async |session| registered.claim_all(session).await)
        })
    }

    /// Opens a database for a tool, which takes over no games.
    pub(super) fn open_guest(address: &PostgresAddress) -> Result<Self, StoreError> {
        // Any name that no other process has.
        let mut number = [0; 8];
        getrandom::fill(&mut number).map_err(|error| StoreError::Io { path: address.path(), source: error.into() })?;
        let name = format!("tool {:016x}", u64::from_le_bytes(number));
        let host = Registering { name, rules: "[]".into(), ..Registering::default() };
        Self::start(address, move |backend| backend.register(host).map(drop))
    }

    /// Starts the writer, with something to do before it writes.
    fn start(
        address: &PostgresAddress,
        first: impl FnOnce(&mut PostgresBackend) -> Result<(), StoreError> + Send + 'static,
    ) -> Result<Self, StoreError> {
        let (keys, registration) = (Arc::new(Keys::default()), SharedRegistration::default());
        let shared = (address.clone(), keys.clone(), registration.clone());
        let writer = WriterHandle::start(&address.path(), false, move || {
            let (address, keys, registration) = shared;
            let mut backend = PostgresBackend::open(address, keys, registration)?;
            first(&mut backend)?;
            Ok(backend)
        })?;
        Ok(Self { writer, keys, registration, reader: PostgresReader::new(address.clone())? })
    }
}

impl LogReader for PostgresLog {
    fn list(&self) -> Reading<'_, Vec<GameRecord>> {
        self.reader.list()
    }

    fn page(&self, before: Option<GameKey>, limit: usize) -> Reading<'_, Vec<GameRecord>> {
        self.reader.page(before, limit)
    }

    fn first(&self) -> Reading<'_, Option<GameRecord>> {
        self.reader.first()
    }

    fn ended_since<'a>(&'a self, rulebook: &'a str, moment: i64) -> Reading<'a, Vec<GameRecord>> {
        self.reader.ended_since(rulebook, moment)
    }

    fn first_ended<'a>(&'a self, rulebook: &'a str, limit: usize) -> Reading<'a, Vec<GameRecord>> {
        self.reader.first_ended(rulebook, limit)
    }

    fn count_ended<'a>(&'a self, rulebook: &'a str) -> Reading<'a, u64> {
        self.reader.count_ended(rulebook)
    }

    fn removed(&self) -> Reading<'_, Vec<Tombstone>> {
        self.reader.removed()
    }

    fn find<'a>(&'a self, name: &'a str) -> Reading<'a, Option<GameHead>> {
        self.reader.find(name)
    }

    fn head(&self, game: GameKey) -> Reading<'_, GameHead> {
        self.reader.head(game)
    }

    fn rows(&self, game: GameKey, from: u64) -> Reading<'_, Vec<Row>> {
        self.reader.rows(game, from)
    }

    fn clients(&self, game: GameKey) -> Reading<'_, Vec<StoredClient>> {
        self.reader.clients(game)
    }

    fn records(&self, table: &'static Table, filter: Option<(&'static str, Cell)>) -> Reading<'_, Vec<Vec<Cell>>> {
        self.reader.records(table, filter)
    }

    fn recover(&self, which: Selection, found: mpsc::Sender<RecoveredBatch>) -> Reading<'_, RecoveryStats> {
        self.reader.recover(which, found)
    }

    fn check(&self) -> Reading<'_, Vec<StoreDamage>> {
        self.reader.check()
    }
}

impl EventLog for PostgresLog {
    fn add_tables(&self, tables: &[&'static Table]) -> Reading<'_, ()> {
        self.writer.add_tables(tables)
    }

    fn create(&self, game: NewGame, acknowledge: Arc<dyn Acknowledge>) -> GameKey {
        let key = self.keys.take();
        if self.keys.needs_more() {
            // The attempt that fails is made again for the next game.
            drop(self.writer.run(|backend, _| backend.reserve_keys()));
        }
        let Some(key) = key else {
            let problem = self.writer.measures().problem().unwrap_or_else(|| Arc::new(StoreError::Closed));
            acknowledge.failed(Arc::new(StoreError::Unavailable(problem)));
            return GameKey(0);
        };
        self.writer.write(Write::Create { key, game, acknowledge });
        key
    }

    fn add_client(&self, game: GameKey, client: StoredClient, done: Stored) {
        self.writer.write(Write::Client { game, client, done });
    }

    fn append(&self, game: GameKey, row: Row, records: Vec<Record>) {
        self.writer.write(Write::Append { game, row, records });
    }

    fn finish(&self, game: GameKey, ending: Ending, done: Stored) {
        self.writer.write(Write::Finish { game, ending, done });
    }

    fn resume(&self, game: GameKey, next_sequence: u64, acknowledge: Arc<dyn Acknowledge>) {
        self.writer.write(Write::Resume { game, next_sequence, acknowledge });
    }

    fn remove(&self, game: GameKey, why: WhyRemoved, at: i64) -> Reading<'_, Tombstone> {
        self.writer.remove(game, why, at)
    }

    fn redact(&self, game: GameKey, redaction: Redaction) -> Reading<'_, ()> {
        self.writer.redact(game, redaction)
    }

    fn measures(&self) -> Option<&Measures> {
        Some(self.writer.measures())
    }

    fn close(&self) -> Result<(), StoreError> {
        self.writer.close(|| self.reader.pool().forget())
    }
}

impl Drop for PostgresLog {
    fn drop(&mut self) {
        // The thread cannot join itself; it ends when all senders are dropped.
        if !self.writer.is_inside() {
            // No caller is left to receive an error; the games have already received theirs.
            let _ = self.close();
        }
    }
}

impl fmt::Debug for PostgresLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresLog").field("address", self.reader.address()).finish_non_exhaustive()
    }
}
