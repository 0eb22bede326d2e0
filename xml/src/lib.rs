//! The XML documents of the rulebooks that speak XML: read with limits on everything, written as their schemas say.
//!
//! [`read`] makes a small tree of a document, or says in words what is wrong with it and where. What a document means is
//! in the crates of games, in both directions.

mod element;
mod problem;
mod reader;
pub mod tag;
mod writer;

pub use element::{Element, no_number, number, words};
pub use problem::{Place, Problem, quoted, tagged};
pub use reader::{Limits, read};
pub use tag::Attribute;
pub use writer::Writer;
