//! Protocol 2017: what clients ask is in [`request`], what the server says in [`answer`], maps are in [`map_text`].
//!
//! Names are matched in any case, children may come in any order, unknown ones are ignored. Some fields have two names.
//! How the names of a request were written is its [`Spelling`], and its answer is written alike. Coordinates are as on the
//! wire: from 1.

pub mod answer;
pub mod map_text;
pub mod request;
mod spelling;

pub use spelling::Spelling;
