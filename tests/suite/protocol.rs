//! docs/protocol.json, the description of all messages: it is what the types say, and it is enough.
//!
//! - `trace`, `pass`, `parts`: types are asked what they look like; `types`: the answer
//! - `told`: who hears which event
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
