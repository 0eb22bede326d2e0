//! docs/protocol.json, the description of all messages: it matches the types, and it is complete.
//!
//! - `trace`, `pass`, `parts`: find the shape of a type; `types`: represents it
//! - `told`: the audience of each event
//! - `description`: the file; `cargo xtask protocol` writes it
//! - `documents`: the tables of docs/protocol.md and of each rulebook's page agree with the description
//! - `python`: `translate.py` reads only the description, and converts each form of every message to the other

pub(crate) mod description;
pub(crate) mod documents;
mod parts;
mod pass;
pub(crate) mod python;
pub(crate) mod told;
mod trace;
pub(crate) mod types;
