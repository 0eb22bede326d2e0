//! The HTTP client of the tests and benchmarks: one request per connection, blocking or asynchronous. PostgreSQL servers. And
//! what tests need of the machine.
//!
//! A failure is a failed test, so most functions panic and name the request. Tests of malformed requests write their own bytes.

mod events;
mod need;
mod postgres;
mod programs;
mod request;
mod response;

pub use events::Events;
pub use need::{Need, has};
pub use postgres::Postgres;
pub use request::Request;
pub use response::Response;

use std::time::Duration;

/// The read timeout: far longer than any request takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(300);
