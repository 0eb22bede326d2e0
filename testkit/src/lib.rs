//! The HTTP client of the tests and benchmarks: one request per connection, blocking or asynchronous. PostgreSQL servers, alone
//! and under Patroni. Certificates. Networks that can be cut. And what tests need of the machine.
//!
//! A failure is a failed test, so most functions panic and name the request. Tests of malformed requests write their own bytes.

mod certificates;
mod events;
mod need;
mod network;
mod patroni;
mod postgres;
mod programs;
mod request;
mod response;

pub use certificates::{Certificates, Validity};
pub use events::Events;
pub use need::{Need, has};
pub use network::{Machine, Network};
pub use patroni::Patroni;
pub use postgres::Postgres;
pub use request::Request;
pub use response::Response;

use std::time::Duration;

/// The read timeout: far longer than any request takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(300);
