//! Frames that end with a certain byte. This module uses no socket.

use std::{fmt, ops::Range};

/// The size of the first buffer. It is large enough for small frames.
const FIRST: usize = 16 << 10;

/// The maximum size of an empty buffer. A larger one is freed.
const KEPT: usize = 256 << 10;

/// The number of bytes that are searched at once.
const STEP: usize = 64;

/// Splits a stream into frames that end with a certain byte. It reuses one buffer, which never grows beyond one frame of the
/// maximum length.
///
/// ```
/// use commlib::{Delimited, Frame};
///
/// let mut frames = Delimited::new(b';', 10);
/// let bytes = b"one;two;th";
/// frames.space()[..bytes.len()].copy_from_slice(bytes);
/// frames.filled(bytes.len());
///
/// let Some(Frame::Whole(at)) = frames.next_frame() else { panic!("a frame") };
/// assert_eq!(frames.bytes(at), b"one");
/// assert_eq!(frames.next_frame(), Some(Frame::Whole(4..7)));
/// assert_eq!(frames.next_frame(), None, "the last frame is not complete");
/// ```
pub struct Delimited {
    end_byte: u8,
    longest: usize,
    /// The unread bytes are `start..end`; the rest is free.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// How many of the unread bytes were searched without finding an end byte.
    searched: usize,
    /// Whether the current frame is too long, so that its bytes are dropped.
    skipping: bool,
}

/// A frame of a [`Delimited`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A complete frame: its place in the buffer, without the end byte. It is valid until the next call of
    /// [`Delimited::space`].
    Whole(Range<usize>),
    /// A frame that was longer than allowed.
    TooLong,
}

impl Delimited {
    /// Splits at `end_byte`, into frames of at most `longest` bytes.
    pub fn new(end_byte: u8, longest: usize) -> Self {
        Self { end_byte, longest, buffer: Vec::new(), start: 0, end: 0, searched: 0, skipping: false }
    }

    /// The free part of the buffer. Write bytes to its start, and then call [`Self::filled`]. It is never empty if all complete
    /// frames were taken before.
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

    /// Adds `count` bytes that were written to the start of [`Self::space`].
    ///
    /// # Panics
    /// If `count` is larger than the space.
    pub fn filled(&mut self, count: usize) {
        assert!(count <= self.buffer.len() - self.end, "no more than there is space for");
        self.end += count;
    }

    /// The next complete frame.
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

    /// The bytes of a frame.
    pub fn bytes(&self, at: Range<usize>) -> &[u8] {
        &self.buffer[at]
    }
}

/// Leaves out the bytes, because they may be secret.
impl fmt::Debug for Delimited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Delimited").field("unread", &(self.end - self.start)).finish_non_exhaustive()
    }
}

/// The index of the first `wanted` byte. The inner loop has no early exit, so that the compiler can vectorise it.
fn find(bytes: &[u8], wanted: u8) -> Option<usize> {
    let has = |part: &[u8]| part.iter().fold(false, |found, byte| found | (*byte == wanted));
    let step = bytes.chunks(STEP).position(has)?;
    let from = step * STEP;
    bytes[from..].iter().position(|byte| *byte == wanted).map(|at| from + at)
}
