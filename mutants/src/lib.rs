//! Faulty variants of rules: [`read`] reads a table of them, and [`plant`] puts each wrong expression beside the right one in the
//! text of a source file. Which one is evaluated is decided at run time, by `is_chosen` of the crate that the caller names.

mod instrument;
mod rows;

pub use instrument::plant;
pub use rows::{Row, RowError, TableError, read};
