//! Limits of messages and connections.

use std::time::Duration;

use crate::{Reason, Refused};

/// The maximum number of bytes in the body of a frame, or in a line of JSON without its end.
pub const LONGEST_FRAME: usize = 1 << 20;

/// The maximum nesting of JSON arrays and objects, including the message itself.
pub const DEEPEST_JSON: usize = 32;

/// A server's limits for a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum size of a hello in bytes. A hello may contain a whole scenario. A value above [`LONGEST_FRAME`] has no
    /// effect.
    pub hello: usize,
    /// The maximum size of a message after the hello, in bytes. A value above [`LONGEST_FRAME`] has no effect.
    pub command: usize,
    /// How long the server waits for a complete hello. Receiving a part of it does not extend the time.
    pub handshake: Duration,
    /// How long sending the last message of a connection may take.
    pub farewell: Duration,
}

impl Limits {
    /// The refusal for a client whose hello did not arrive in time.
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
