//! A connection to PostgreSQL, with a deadline for everything that it asks.
//!
//! Nothing is ever cancelled: a commit that is cancelled while it waits for its standby is visible and can still be lost. A
//! connection that does not answer in time is dropped, and its statement may still be executed.

use std::{future::poll_fn, pin::Pin, task::Poll, time::Duration};

use tokio::{task::JoinHandle, time::timeout};
use tokio_postgres::{
    Client, Config, NoTls, Row, Statement,
    error::Error,
    types::{ToSql, Type},
};

use super::address::{PostgresAddress, words};
use crate::log::{PostgresError, StoreError};

/// The time that a statement has.
pub(super) const DEADLINE: Duration = Duration::from_secs(2);

/// The time that a statement has that reads or changes whole tables.
pub(super) const PATIENT: Duration = Duration::from_secs(600);

/// A parameter of a statement, with its type.
pub(crate) type Parameter<'p> = (&'p (dyn ToSql + Sync), Type);

/// A statement under way. Statements are sent in the order in which they are polled first.
pub(super) type Sent<'s> = Pin<Box<dyn Future<Output = Result<Done, Error>> + Send + 's>>;

/// The answer to a statement: its rows, or only their number.
pub(super) struct Done {
    pub(super) rows: Vec<Row>,
    pub(super) count: u64,
}

impl From<Vec<Row>> for Done {
    fn from(rows: Vec<Row>) -> Self {
        let count = rows.len() as u64;
        Self { rows, count }
    }
}

impl From<u64> for Done {
    fn from(count: u64) -> Self {
        Self { rows: Vec::new(), count }
    }
}

/// An open connection.
pub(crate) struct Connection {
    pub(super) client: Client,
    driver: JoinHandle<()>,
}

impl Connection {
    /// Connects to the primary of an address. Each server of the address has a deadline of its own: one that is frozen takes
    /// connections and never answers, and must not keep this host from the next one.
    pub(super) async fn open(address: &PostgresAddress) -> Result<Self, StoreError> {
        let mut servers = address.servers().iter();
        let mut opened = Self::open_one(address, servers.next().unwrap_or(address.config())).await;
        for server in servers {
            if opened.is_ok() {
                break;
            }
            opened = Self::open_one(address, server).await;
        }
        opened
    }

    async fn open_one(address: &PostgresAddress, server: &Config) -> Result<Self, StoreError> {
        let connecting = async {
            match address.tls() {
                Some(tls) => {
                    let (client, connection) = server.connect(tls.connector()).await?;
                    Ok(Self { client, driver: tokio::spawn(async move { drop(connection.await) }) })
                }
                None => {
                    let (client, connection) = server.connect(NoTls).await?;
                    Ok(Self { client, driver: tokio::spawn(async move { drop(connection.await) }) })
                }
            }
        };
        within(DEADLINE, "connecting to the store", connecting).await
    }

    /// Runs statements that return nothing.
    pub(crate) async fn run(&self, doing: &'static str, sql: &str) -> Result<(), StoreError> {
        within(DEADLINE, doing, self.client.batch_execute(sql)).await
    }

    /// Runs statements that return nothing and may take long, such as changes of tables.
    pub(crate) async fn run_patiently(&self, doing: &'static str, sql: &str) -> Result<(), StoreError> {
        within(PATIENT, doing, self.client.batch_execute(sql)).await
    }

    /// Runs a statement, and returns its rows.
    pub(crate) async fn query(
        &self,
        doing: &'static str,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, StoreError> {
        self.query_within(DEADLINE, doing, sql, parameters).await
    }

    /// The same with another deadline.
    pub(super) async fn query_within(
        &self,
        deadline: Duration,
        doing: &'static str,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, StoreError> {
        within(deadline, doing, self.client.query_typed(sql, parameters)).await
    }

    /// Prepares a statement that is used often.
    pub(super) async fn prepare(&self, sql: &str) -> Result<Statement, StoreError> {
        within(DEADLINE, "preparing a statement", self.client.prepare(sql)).await
    }

    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // A connection in use does not answer, or its answer is not wanted: its socket must not stay open.
        self.driver.abort();
    }
}

/// Waits for an answer until the deadline.
pub(super) async fn within<T>(
    deadline: Duration,
    doing: &'static str,
    answer: impl Future<Output = Result<T, Error>>,
) -> Result<T, StoreError> {
    match timeout(deadline, answer).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(failed(doing)(error)),
        Err(_) => Err(StoreError::Postgres { doing, source: PostgresError::Silent { after: deadline } }),
    }
}

/// The error of an operation.
pub(super) fn failed(doing: &'static str) -> impl FnOnce(Error) -> StoreError {
    move |error| {
        let source = match error.as_db_error() {
            Some(refused) => {
                PostgresError::Refused { code: refused.code().code().into(), message: refused.message().into() }
            }
            None => PostgresError::Connection { message: words(&error) },
        };
        StoreError::Postgres { doing, source }
    }
}

/// Reads a column of an answer.
pub(crate) fn column<'r, T: tokio_postgres::types::FromSql<'r>>(row: &'r Row, at: usize) -> Result<T, StoreError> {
    row.try_get(at).map_err(|error| StoreError::Postgres {
        doing: "reading an answer of the store",
        source: PostgresError::Unreadable { message: words(&error) },
    })
}

/// Sends all statements without waiting in between, and waits for their answers. Returns them in order.
pub(super) async fn pipelined(mut sent: Vec<Sent<'_>>) -> Vec<Result<Done, Error>> {
    let mut answers: Vec<Option<Result<Done, Error>>> = sent.iter().map(|_| None).collect();
    poll_fn(|cx| {
        let mut is_done = true;
        for (sent, answer) in sent.iter_mut().zip(&mut answers).filter(|(_, answer)| answer.is_none()) {
            match sent.as_mut().poll(cx) {
                Poll::Ready(found) => *answer = Some(found),
                Poll::Pending => is_done = false,
            }
        }
        if is_done { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    answers.into_iter().flatten().collect()
}
