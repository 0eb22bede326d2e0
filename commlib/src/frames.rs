//! Splits a stream of bytes into messages of either form. This module uses no socket.

use std::{fmt, ops::Range};

use crate::{Form, LONGEST_FRAME, Reason, Refused};

/// The number of bytes of the length before a frame.
pub(crate) const PREFIX: usize = 4;

/// The size of the first buffer. It is large enough for small messages.
const FIRST: usize = 4 << 10;

/// The maximum size of an empty buffer. A larger one is freed.
const KEPT: usize = 64 << 10;

/// The received bytes that are not read yet, in one buffer that is reused.
///
/// The buffer never grows beyond one message of the maximum length and its prefix. Then [`Self::space`] is empty.
pub(crate) struct Frames {
    /// The unread bytes are `start..end`; the rest is free.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// How many of the unread bytes were searched without finding a line end.
    searched: usize,
    longest: usize,
    form: Option<Form>,
}

impl Frames {
    pub(crate) fn new(longest: usize) -> Self {
        let longest = longest.min(LONGEST_FRAME);
        Self { buffer: Vec::new(), start: 0, end: 0, searched: 0, longest, form: None }
    }

    /// The form of the messages; `None` before the first byte.
    pub(crate) fn form(&self) -> Option<Form> {
        self.form
    }

    /// Changes the limit, starting with the next message.
    pub(crate) fn set_longest(&mut self, longest: usize) {
        self.longest = longest.min(LONGEST_FRAME);
    }

    pub(crate) fn capacity(&self) -> usize {
        self.buffer.capacity()
    }

    /// Whether the buffer contains no part of a message. White space between JSON lines does not count.
    pub(crate) fn is_between_messages(&self) -> bool {
        let unread = &self.buffer[self.start..self.end];
        match self.form {
            None | Some(Form::Binary) => unread.is_empty(),
            Some(Form::Json) => is_blank(unread),
        }
    }

    /// The free part of the buffer; then call [`Self::filled`]. It is empty only if a complete message waits to be located.
    pub(crate) fn space(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            if self.buffer.len() > KEPT {
                self.buffer = Vec::new();
            }
        }
        if self.end == self.buffer.len() && self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        if self.end == self.buffer.len() {
            // Grow with the received bytes, not with the length that a frame claims to have.
            let size = (2 * self.end).max(FIRST).min(self.longest + PREFIX).max(self.end);
            self.buffer.reserve_exact(size - self.end);
            self.buffer.resize(size, 0);
        }
        &mut self.buffer[self.end..]
    }

    /// Adds `count` bytes that were written to the start of [`Self::space`].
    pub(crate) fn filled(&mut self, count: usize) {
        assert!(count <= self.buffer.len() - self.end, "no more than there is space for");
        self.end += count;
    }

    /// Copies as many bytes as the buffer has space for, and returns their number.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> usize {
        let space = self.space();
        let count = bytes.len().min(space.len());
        space[..count].copy_from_slice(&bytes[..count]);
        self.filled(count);
        count
    }

    /// The place of the next complete message. It is valid until the next call of [`Self::space`].
    pub(crate) fn locate(&mut self) -> Result<Option<Range<usize>>, Refused> {
        let Some(&first) = self.buffer[self.start..self.end].first() else { return Ok(None) };
        let form = match self.form {
            Some(form) => form,
            None => *self.form.insert(form_of(first)?),
        };
        match form {
            Form::Binary => self.frame(),
            Form::Json => self.line(),
        }
    }

    pub(crate) fn bytes(&self, at: Range<usize>) -> &[u8] {
        &self.buffer[at]
    }

    fn frame(&mut self) -> Result<Option<Range<usize>>, Refused> {
        let Some((prefix, body)) = self.buffer[self.start..self.end].split_first_chunk::<PREFIX>() else {
            return Ok(None);
        };
        let length = u32::from_be_bytes(*prefix);
        if length == 0 {
            return Err(Refused::new(Reason::BadMessage, "a frame of no bytes"));
        }
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if length > self.longest {
            let words = format!("a frame of {length} bytes; {} are the most", self.longest);
            return Err(Refused::new(Reason::TooLarge, words));
        }
        if body.len() < length {
            return Ok(None);
        }
        let from = self.start + PREFIX;
        self.start = from + length;
        Ok(Some(from..self.start))
    }

    fn line(&mut self) -> Result<Option<Range<usize>>, Refused> {
        loop {
            let unread = &self.buffer[self.start..self.end];
            let end = unread[self.searched..].iter().position(|byte| *byte == b'\n').map(|at| self.searched + at);
            let line = &unread[..end.unwrap_or(unread.len())];
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.len() > self.longest {
                return Err(too_long(self.longest));
            }
            let Some(end) = end else {
                self.searched = unread.len();
                return Ok(None);
            };
            let found = self.start..self.start + line.len();
            let blank = is_blank(line);
            self.start += end + 1;
            self.searched = 0;
            if !blank {
                return Ok(Some(found));
            }
        }
    }
}

/// Leaves out the bytes, because they may contain a token.
impl fmt::Debug for Frames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unread = self.end - self.start;
        f.debug_struct("Frames").field("form", &self.form).field("unread", &unread).finish_non_exhaustive()
    }
}

/// The form of a message, from its first byte. A frame of a valid length starts with a zero byte; a line of JSON never does.
fn form_of(first: u8) -> Result<Form, Refused> {
    match first {
        0 => Ok(Form::Binary),
        b'{' | b' ' | b'\t' | b'\r' | b'\n' => Ok(Form::Json),
        _ => {
            // Every answer of a web server starts with `H`.
            let hint = if first == b'H' { "; if this is HTTP, it is the port of a page" } else { "" };
            let words = format!(
                "a connection starts with 00 (binary frames) or {{ (lines of JSON), not with {first:02x}{hint}"
            );
            Err(Refused::new(Reason::BadMessage, words))
        }
    }
}

/// The refusal of a JSON message that is too long.
pub(crate) fn too_long(longest: usize) -> Refused {
    Refused::new(Reason::TooLarge, format!("a line of more than {longest} bytes"))
}

pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}
