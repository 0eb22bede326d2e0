//! The documents of the project game.
//!
//! - `configuration`: files and their problems
//! - `envelope`: the sender and receiver of each message, without a tree
//! - `wire`: documents on the wire, compared with the schemas
//! - `support`: checks with xmllint

mod configuration;
mod envelope;
mod support;
mod wire;
