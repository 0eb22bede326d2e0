//! The XML documents of the rulebooks that speak XML: read with limits on everything, written as their schemas say.
//!
//! [`read`] makes a small tree of a document, or says in words what is wrong with it and where. What a document means is
//! in [`treasure`] and [`project`], in both directions.

mod element;
mod problem;
pub mod project;
mod reader;
mod tag;
pub mod treasure;
mod writer;

pub use element::{Attribute, Element};
pub use problem::{Place, Problem};
pub use reader::{Limits, read};
