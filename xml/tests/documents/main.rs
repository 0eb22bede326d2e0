//! Tests of the XML reader.
//!
//! - `reading`: documents, limits, mistakes, and random bytes

mod reading;
