//! How much of everything there may be.

use std::time::Duration;

use crate::{Reason, Refused};

/// The most bytes in the body of a frame, or in a line of JSON without its end.
pub const LONGEST_FRAME: usize = 1 << 20;

/// The most arrays and objects of JSON inside each other, the message itself among them.
pub const DEEPEST_JSON: usize = 32;

/// What a server allows a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of a hello, which may have a whole scenario in it. More than [`LONGEST_FRAME`] has no effect.
    pub hello: usize,
    /// The most bytes of a message after the hello. More than [`LONGEST_FRAME`] has no effect.
    pub command: usize,
    /// How long the server waits for a whole hello, however its bytes trickle in.
    pub handshake: Duration,
    /// How long a connection that is being closed may take to hear why.
    pub farewell: Duration,
}

impl Limits {
    /// What a client is told whose hello did not come in time.
    pub fn late_hello(&self) -> Refused {
        Refused::new(Reason::Timeout, format!("no whole hello within {:?}", self.handshake))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            hello: LONGEST_FRAME,
            command: LONGEST_FRAME,
            handshake: Duration::from_secs(10),
            farewell: Duration::from_secs(1),
        }
    }
}
