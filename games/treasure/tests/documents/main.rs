//! The documents of both protocol years.
//!
//! - `y2017`, `y2022`: reading and writing, checked against the schemas, with documents of foreign clients
//! - `support`: validates our documents with xmllint

mod support;
mod y2017;
mod y2022;
