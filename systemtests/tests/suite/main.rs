//! Tests over whole games, in one binary.
//!
//! - `laws`: what every rulebook promises, over thousands of random games of every edition, with their coverage
//! - `coverage`: what those games have shown
//! - `chaos`: who sends what in them

mod chaos;
mod coverage;
mod laws;
