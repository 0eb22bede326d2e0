//! The protocol of 2017: [`request`] has the requests of clients, [`answer`] the answers of the server, [`map_text`] the maps.
//!
//! The letter case of names does not matter, children may come in any order, and unknown ones are ignored. Some fields have two
//! names. An answer uses the [`Spelling`] of its request. Coordinates start at 1, as on the wire.

pub mod answer;
pub mod map_text;
pub mod request;
mod spelling;

pub use spelling::Spelling;
