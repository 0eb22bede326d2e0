//! Decodes messages that come one by one, for example over a WebSocket. This module uses no socket.

use crate::{
    Incoming, LONGEST_FRAME, Refused,
    decode::{numbered, read_json},
    frames::{is_blank, too_long},
};

/// Decodes JSON messages that are not separated by line ends, such as those of a WebSocket. It accepts and refuses the same
/// messages as a [`Decoder`](crate::Decoder) does for lines, with the same error texts.
///
/// ```
/// use commlib::{Incoming, TextDecoder};
///
/// let mut decoder = TextDecoder::new(1000);
/// assert_eq!(decoder.message(r#"{"ping": 7}"#), Ok(Incoming::Ping(7)));
/// assert!(decoder.message("hello?").is_err());
/// ```
#[derive(Debug)]
pub struct TextDecoder {
    longest: usize,
    count: u64,
}

impl TextDecoder {
    /// A decoder for messages of up to `longest` bytes, and never more than [`crate::LONGEST_FRAME`].
    pub fn new(longest: usize) -> Self {
        Self { longest: longest.min(LONGEST_FRAME), count: 0 }
    }

    /// Changes the limit, starting with the next message.
    pub fn set_longest(&mut self, longest: usize) {
        self.longest = longest.min(LONGEST_FRAME);
    }

    /// Whether to ignore a text because it contains only white space.
    pub fn ignores(&self, text: &str) -> bool {
        text.len() <= self.longest && is_blank(text.as_bytes())
    }

    /// Reads a message.
    ///
    /// # Errors
    /// If the text is not a message, or is too long.
    pub fn message<'a>(&mut self, text: &'a str) -> Result<Incoming<'a>, Refused> {
        self.count += 1;
        if text.len() > self.longest {
            return Err(numbered(self.count, too_long(self.longest)));
        }
        // serde counts columns from the last line end. Replacing the line ends makes it count from the start of the text.
        let read = if text.bytes().any(is_line_end) {
            read_json(&text.replace(['\n', '\r'], " ")).map(Incoming::into_owned)
        } else {
            read_json(text)
        };
        read.map_err(|malformed| malformed.numbered(self.count))
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}
