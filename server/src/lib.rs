//! The host.

pub mod log;
