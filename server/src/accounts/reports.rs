//! Lines of chat that were reported, for the operator.

use commlib::ChatLine;
use serde::{Deserialize, Serialize};

/// How many lines before and after a reported line are kept with it.
pub(crate) const CONTEXT: usize = 10;

/// A reported line of chat, with the lines around it as they were then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The game.
    pub game: String,
    /// The number of the reported line.
    pub line: u64,
    /// The reported line and those around it, oldest first.
    pub lines: Vec<ChatLine>,
    /// Who reported it: a name, as the writer of a line.
    pub by: String,
    /// When it was reported, in milliseconds since 1970.
    pub at: i64,
}
