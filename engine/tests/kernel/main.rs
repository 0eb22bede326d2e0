//! Tests of the kernel's public interface.
//!
//! - `counter`: a small game with faults that a setup can enable
//! - `java_random`: the generator, compared with the JDK's
//! - `laws`: each law catches a fault
//! - `log`: chains, replay, and logs that were tampered with

mod counter;
mod java_random;
mod laws;
mod log;
