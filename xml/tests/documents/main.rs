//! The documents of all rulebooks that speak XML.
//!
//! - `configuration`: files of the project game, with all that is wrong in them
//! - `envelope`: who sends what to whom, without a tree
//! - `project`: what comes over the wire of the project game, against its schemas
//! - `reading`: what is a document at all, limits, and bytes of all kinds
//! - `treasure2017`, `treasure2022`: both directions, against the schemas, with examples of others
//! - `support`: xmllint, which judges what we write

mod configuration;
mod envelope;
mod project;
mod reading;
mod support;
mod treasure2017;
mod treasure2022;
