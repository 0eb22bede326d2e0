//! XML documents, and those of rulebooks that speak XML.
//!
//! - `reading`: what is a document at all, limits, and bytes of all kinds
//! - `support`: xmllint, which judges what we write

mod reading;
mod support;
