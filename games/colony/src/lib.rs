//! The colony rulebook: a cooperative game of survival in three editions.
#![no_std]

extern crate alloc;

mod ids;
pub mod scenario;

pub use ids::*;
pub use scenario::Scenario;
