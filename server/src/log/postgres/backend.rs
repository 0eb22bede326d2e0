//! A database as its writer uses it.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use tokio::runtime::Runtime;

use super::{
    address::PostgresAddress,
    batch, keys,
    keys::Keys,
    members,
    read_back::StoredBatch,
    records,
    registration::{Registering, Registration},
    removal,
    session::Session,
};
use crate::{
    log::{
        Fault, GameKey, Redaction, StoreError, Table, Tombstone, WhyRemoved,
        staging::{Committed, OpenGames},
        write::{ReadBack, Write},
        writer::Backend,
    },
    sync::lock,
};

/// The registration of this host; `None` if it has none.
pub(super) type SharedRegistration = Arc<Mutex<Option<Registration>>>;

/// The writing connection to a database. The calls of a writer come from its own thread, which drives the connection.
pub(super) struct PostgresBackend {
    runtime: Runtime,
    address: PostgresAddress,
    /// `None` after a fault that may pass.
    session: Option<Session>,
    registration: SharedRegistration,
    /// The tables of rulebooks.
    tables: Vec<&'static Table>,
    keys: Arc<Keys>,
    /// When the server answered last.
    answered: Instant,
}

/// A connection that was idle for longer may have been closed by the server or by something in between.
const IDLE: Duration = Duration::from_secs(5);

impl PostgresBackend {
    /// Connects, and reserves the first keys.
    pub(super) fn open(
        address: PostgresAddress,
        keys: Arc<Keys>,
        registration: SharedRegistration,
    ) -> Result<Self, StoreError> {
        let built = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = built.map_err(|source| StoreError::Io { path: address.path(), source })?;
        let mut backend =
            Self { runtime, address, session: None, registration, tables: Vec::new(), keys, answered: Instant::now() };
        backend.reopen()?;
        backend.reserve_keys()?;
        Ok(backend)
    }

    /// Registers this host with a new incarnation.
    pub(super) fn register(&mut self, host: Registering) -> Result<Registration, StoreError> {
        // A connection of the earlier incarnation must not be taken over.
        *lock(&self.registration) = None;
        let registered = self.ask(async |session| Registration::new(session, host).await)?;
        *lock(&self.registration) = Some(registered.clone());
        Ok(registered)
    }

    /// Ends the registration of this host.
    pub(super) fn leave(&mut self) -> Result<(), StoreError> {
        let Some(Registration { incarnation, .. }) = lock(&self.registration).take() else { return Ok(()) };
        self.ask(async |session| {
            session.identity = None;
            members::leave(&session.connection, incarnation).await
        })
    }

    /// Reserves a block of keys.
    pub(super) fn reserve_keys(&mut self) -> Result<(), StoreError> {
        let reserved = self.ask(async |session| keys::reserve(&session.connection).await);
        let (block, reserved) = match reserved {
            Ok(block) => (Some(block), Ok(())),
            Err(error) => (None, Err(error)),
        };
        self.keys.reserved(block);
        reserved
    }

    /// Asks the database, over a new connection if there is none. After a fault that may pass, the connection is not used again.
    pub(super) fn ask<T>(
        &mut self,
        question: impl AsyncFnOnce(&mut Session) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.session.is_none() || !self.is_connected() {
            self.reopen()?;
        }
        let session = self.session.as_mut().ok_or(StoreError::Closed)?;
        let answer = self.runtime.block_on(question(session));
        if answer.as_ref().is_err_and(|error| error.fault() == Fault::Passing) {
            self.session = None;
        }
        self.answered = Instant::now();
        answer
    }

    /// Asks an idle connection whether it still works: a write that is lost with it would have an unknown outcome.
    fn is_connected(&mut self) -> bool {
        if self.answered.elapsed() < IDLE {
            return true;
        }
        let Some(session) = &self.session else { return false };
        self.runtime.block_on(session.connection.run("asking an idle connection", "SELECT 1")).is_ok()
    }
}

impl Backend for PostgresBackend {
    fn write(&mut self, batch: &[Write], games: &OpenGames) -> Result<Committed, StoreError> {
        let tables = std::mem::take(&mut self.tables);
        let written = self.ask(async |session| batch::write(session, &tables, batch, games).await);
        self.tables = tables;
        written
    }

    fn reopen(&mut self) -> Result<(), StoreError> {
        self.session = None;
        let incarnation = lock(&self.registration).as_ref().map(|registration| registration.incarnation);
        self.session = Some(self.runtime.block_on(Session::open(&self.address, incarnation))?);
        Ok(())
    }

    fn read_back<'b>(&'b mut self, batch: &[Write], games: &OpenGames) -> Result<Box<dyn ReadBack + 'b>, StoreError> {
        let stored = self.ask(async |session| StoredBatch::read(&session.connection, batch, games).await)?;
        Ok(Box::new(stored))
    }

    /// Nothing to do: taking over from the earlier connection was a commit, and everything before it is durable, too.
    fn secure(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Nothing to do: taking over from the earlier connection was a commit.
    fn probe(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn add_tables(&mut self, tables: &[&'static Table]) -> Result<(), StoreError> {
        let known = std::mem::take(&mut self.tables);
        let added = self.ask(async |session| records::add_tables(&session.connection, &known, tables).await);
        self.tables = known;
        self.tables.extend(added?);
        Ok(())
    }

    fn remove(&mut self, game: GameKey, why: WhyRemoved, at: i64) -> Result<Tombstone, StoreError> {
        let tables = self.tables.clone();
        self.ask(async |session| removal::remove(session, &tables, game, why, at).await)
    }

    fn clear(&mut self) -> Result<bool, StoreError> {
        self.ask(async |session| removal::clear(session).await)
    }

    fn redact(&mut self, game: GameKey, redaction: &Redaction) -> Result<(), StoreError> {
        let tables = self.tables.clone();
        self.ask(async |session| removal::redact(session, &tables, game, redaction).await)
    }

    fn close(&mut self) -> Result<(), StoreError> {
        // Everything is durable. If this fails, other hosts notice the end by themselves.
        let _unknown = self.leave();
        self.session = None;
        Ok(())
    }
}
