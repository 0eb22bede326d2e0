//! The connections that read. They have a runtime of their own, so that a caller needs none.

use std::{
    pin::Pin,
    sync::{Arc, Mutex},
};

use tokio::{runtime::Runtime, sync::Semaphore};

use super::{address::PostgresAddress, connection::Connection};
use crate::{
    log::{Fault, PostgresError, Reading, StoreError},
    sync::lock,
};

/// The maximum number of connections that read.
const CONNECTIONS: usize = 4;

/// An answer that is read over a connection.
pub(crate) type Answer<'c, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'c>>;

/// Lends connections to readers.
pub(crate) struct ReaderPool {
    shared: Arc<Shared>,
    /// `None` after the drop has begun.
    runtime: Option<Runtime>,
}

struct Shared {
    address: PostgresAddress,
    permits: Semaphore,
    /// With the number of writing connections that there were before.
    idle: Mutex<Vec<(u64, Connection)>>,
}

impl ReaderPool {
    pub(crate) fn new(address: PostgresAddress) -> Result<Self, StoreError> {
        let built = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("log reader")
            .enable_all()
            .build();
        let runtime = built.map_err(|source| StoreError::Io { path: address.path(), source })?;
        let shared = Shared { address, permits: Semaphore::new(CONNECTIONS), idle: Mutex::default() };
        Ok(Self { shared: Arc::new(shared), runtime: Some(runtime) })
    }

    pub(crate) fn address(&self) -> &PostgresAddress {
        &self.shared.address
    }

    /// Reads over a connection. A read that finds its connection broken is done again over a new one, so `read` must not have
    /// told anyone of what it has read by then, unless it is done `once`.
    pub(crate) fn read<T: Send + 'static>(
        &self,
        once: bool,
        read: impl for<'c> Fn(&'c Connection) -> Answer<'c, T> + Send + Sync + 'static,
    ) -> Reading<'_, T> {
        let shared = self.shared.clone();
        let reading = self.runtime.as_ref().map(|runtime| runtime.spawn(async move { shared.read(once, read).await }));
        Box::pin(async move {
            match reading {
                Some(reading) => reading.await.unwrap_or(Err(StoreError::Closed)),
                None => Err(StoreError::Closed),
            }
        })
    }

    /// Closes the idle connections.
    pub(super) fn forget(&self) {
        lock(&self.shared.idle).clear();
    }
}

impl Drop for ReaderPool {
    fn drop(&mut self) {
        // Waiting for its threads is not allowed on a thread of another runtime.
        self.runtime.take().into_iter().for_each(Runtime::shutdown_background);
    }
}

impl Shared {
    async fn read<T>(
        &self,
        once: bool,
        read: impl for<'c> Fn(&'c Connection) -> Answer<'c, T>,
    ) -> Result<T, StoreError> {
        let _permit = self.permits.acquire().await.map_err(|_| StoreError::Closed)?;
        let idle = self.idle();
        let mut is_new = idle.is_none();
        let (mut writers, mut connection) = match idle {
            Some(connection) => connection,
            None => self.open().await?,
        };
        loop {
            let answer = read(&connection).await;
            match &answer {
                Err(error) if error.fault() == Fault::Passing && !is_refusal(error) => {
                    if is_new || once {
                        return answer;
                    }
                    (writers, connection) = self.open().await?;
                    is_new = true;
                }
                Ok(_) | Err(_) => {
                    lock(&self.idle).push((writers, connection));
                    return answer;
                }
            }
        }
    }

    async fn open(&self) -> Result<(u64, Connection), StoreError> {
        Ok((self.address.writers(), Connection::open(&self.address).await?))
    }

    /// A connection to read over. When the writer has connected again, there may be another primary: connections from before may
    /// lead to a server that was frozen, and that does not have what was stored since then.
    fn idle(&self) -> Option<(u64, Connection)> {
        let mut idle = lock(&self.idle);
        idle.retain(|(writers, connection)| *writers == self.address.writers() && !connection.is_closed());
        idle.pop()
    }
}

/// Whether the server answered, outside of a transaction: the connection can be used again.
fn is_refusal(error: &StoreError) -> bool {
    matches!(error, StoreError::Postgres { source: PostgresError::Refused { .. }, .. })
}
