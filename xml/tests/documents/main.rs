//! The documents of all rulebooks that speak XML.
//!
//! - `reading`: what is a document at all, limits, and bytes of all kinds
//! - `treasure2017`, `treasure2022`: both directions, against the schemas, with examples of others
//! - `support`: xmllint, which judges what we write

mod reading;
mod support;
mod treasure2017;
mod treasure2022;
