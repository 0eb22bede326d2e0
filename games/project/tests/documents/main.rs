//! The documents of the project game.
//!
//! - `configuration`: files, with all that is wrong in them
//! - `envelope`: who sends what to whom, without a tree
//! - `wire`: what comes over the wire, against the schemas
//! - `support`: xmllint, which judges what we write

mod configuration;
mod envelope;
mod support;
mod wire;
