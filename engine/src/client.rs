//! The identity of a client.

use core::fmt::{self, Display};

use serde::{Deserialize, Serialize};

/// A client of one game. The room assigns it when the client joins, and it survives reconnects and restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CommId(pub u32);

impl Display for CommId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}
