//! Frames that end with a byte which is in none of them. Touches no socket.

use std::{fmt, ops::Range};

/// The first buffer; a connection that only ever sees small frames keeps it.
const FIRST: usize = 16 << 10;

/// A buffer that grew beyond this is given back when it is empty.
const KEPT: usize = 256 << 10;

/// So much is searched at once.
const STEP: usize = 64;

/// The bytes that came and were not read yet, in one buffer that is used again. It never holds more than one frame of the
/// longest kind, whatever is fed.
pub struct Delimited {
    end_byte: u8,
    longest: usize,
    /// All of it may be written to; what came and is unread is `start..end`.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// How many of the unread bytes are known to have no end of a frame.
    searched: usize,
    /// The frame that is coming is too long: its bytes are forgotten as they come.
    skipping: bool,
}

/// What came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// Without its end, which is the byte behind it. Its bytes stay where they are until there is more space.
    Whole(Range<usize>),
    /// It is over, and was longer than allowed.
    TooLong,
}

impl Delimited {
    /// Frames of at most `longest` bytes without their end.
    pub fn new(end_byte: u8, longest: usize) -> Self {
        Self { end_byte, longest, buffer: Vec::new(), start: 0, end: 0, searched: 0, skipping: false }
    }

    /// Where the next bytes go; then say [`Self::filled`]. Ask for all frames before: then it is never empty.
    pub fn space(&mut self) -> &mut [u8] {
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
            let size = (2 * self.end).max(FIRST).min(self.longest + 1).max(self.end);
            self.buffer.reserve_exact(size - self.end);
            self.buffer.resize(size, 0);
        }
        &mut self.buffer[self.end..]
    }

    /// So many bytes were written to the front of [`Self::space`].
    pub fn filled(&mut self, count: usize) {
        assert!(count <= self.buffer.len() - self.end, "no more than there is space for");
        self.end += count;
    }

    /// The next frame that has come whole.
    pub fn next_frame(&mut self) -> Option<Frame> {
        let unread = &self.buffer[self.start..self.end];
        let Some(length) = find(&unread[self.searched..], self.end_byte).map(|at| self.searched + at) else {
            self.searched = unread.len();
            if self.searched > self.longest || self.skipping {
                self.skipping = true;
                (self.start, self.end, self.searched) = (0, 0, 0);
            }
            return None;
        };
        let frame = self.start..self.start + length;
        self.start = frame.end + 1;
        self.searched = 0;
        if std::mem::take(&mut self.skipping) || length > self.longest {
            return Some(Frame::TooLong);
        }
        Some(Frame::Whole(frame))
    }

    pub fn bytes(&self, at: Range<usize>) -> &[u8] {
        &self.buffer[at]
    }
}

/// Without the bytes, which are somebody else's.
impl fmt::Debug for Delimited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Delimited").field("unread", &(self.end - self.start)).finish_non_exhaustive()
    }
}

/// Where a byte is first. The inner loop has no exit, so that the compiler looks at many bytes at once.
fn find(bytes: &[u8], wanted: u8) -> Option<usize> {
    let has = |part: &[u8]| part.iter().fold(false, |found, byte| found | (*byte == wanted));
    let step = bytes.chunks(STEP).position(has)?;
    let from = step * STEP;
    bytes[from..].iter().position(|byte| *byte == wanted).map(|at| from + at)
}
