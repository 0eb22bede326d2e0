//! docs/protocol.json, the description of all messages: it matches the types, and it is complete.
//!
//! - `trace`, `pass`, `parts`: find the shape of a type; `types`: the shape
//! - `told`: the audience of each event
//! - `description`: the file; `cargo xtask protocol` writes it
//! - `documents`: the tables of docs/protocol.md and of each rulebook's page say the same
//! - `python`: `translate.py` knows the file and nothing else, and turns each form of every message into the other

pub(crate) mod description;
pub(crate) mod documents;
mod parts;
mod pass;
pub(crate) mod python;
pub(crate) mod told;
mod trace;
pub(crate) mod types;
