//! Texts to messages, where something else than lines keeps them apart. Touches no socket.

use crate::{
    Incoming, LONGEST_FRAME, Refused,
    decode::{malformed, numbered, read_json},
    frames::{is_blank, too_long},
};

/// The server's side of a WebSocket, or of anything else that keeps messages apart: each text is one message in JSON. It is
/// refused for what a line is refused for, in the same words.
#[derive(Debug)]
pub struct TextDecoder {
    longest: usize,
    count: u64,
}

impl TextDecoder {
    /// Takes messages of up to `longest` bytes, and never more than [`crate::LONGEST_FRAME`].
    pub fn new(longest: usize) -> Self {
        Self { longest: longest.min(LONGEST_FRAME), count: 0 }
    }

    /// Changes that from the next message on.
    pub fn set_longest(&mut self, longest: usize) {
        self.longest = longest.min(LONGEST_FRAME);
    }

    /// Whether a text is no message, as a line of white space is none.
    pub fn ignores(&self, text: &str) -> bool {
        text.len() <= self.longest && is_blank(text.as_bytes())
    }

    /// The message that a text is.
    pub fn message<'a>(&mut self, text: &'a str) -> Result<Incoming<'a>, Refused> {
        self.count += 1;
        if text.len() > self.longest {
            return Err(numbered(self.count, too_long(self.longest)));
        }
        // Columns are counted as in a line, which has no other line in it.
        let read = if text.bytes().any(is_line_end) {
            read_json(&text.replace(['\n', '\r'], " ")).map(Incoming::into_owned)
        } else {
            read_json(text)
        };
        read.map_err(|words| malformed(self.count, &words))
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}
