//! The documents of all rulebooks that speak XML.
//!
//! - `reading`: what is a document at all, limits, and bytes of all kinds
//! - `treasure2022`: both directions, against the schema, with examples of others
//! - `support`: xmllint, which judges what we write

mod reading;
mod support;
mod treasure2022;
