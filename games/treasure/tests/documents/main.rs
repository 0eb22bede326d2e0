//! The documents of both protocol years.
//!
//! - `y2017`, `y2022`: both directions, against the schemas, with examples of others
//! - `support`: xmllint, which judges what we write

mod support;
mod y2017;
mod y2022;
