//! The kernel from outside, in one binary.
//!
//! - `counter`: a game of a few lines, with faults that can be switched on
//! - `java_random`: our generator against the JDK's
//! - `laws`: every law is seen to be broken by a fault
//! - `log`: chains, replay, and logs that were tampered with

mod counter;
mod java_random;
mod laws;
mod log;
