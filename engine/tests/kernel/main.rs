//! Tests of the kernel's public interface.
//!
//! - `cards`: a card game with hidden hands, whose offers have all forms
//! - `counter`: a small game with faults that a setup can enable
//! - `java_random`: the generator, compared with the JDK's
//! - `laws`: each law catches a fault
//! - `log`: chains, replay, and logs that were tampered with
//! - `offers`: forms and answers of offers, and laws that catch each fault in them

mod cards;
mod counter;
mod java_random;
mod laws;
mod log;
mod offers;
