//! The frames that wait for a socket: those of the Game Master and of the server itself, those of players to the Game Master,
//! and those of other players.
//!
//! Frames of players are written only while no other frame waits. A frame that has begun cannot be interrupted, because its
//! receiver sees one stream of bytes. So if an answer comes while a long frame of a player is being written, the server ends
//! that frame early. Its receiver discards it, because it is no whole document, and gets it again after the answer.

use std::{collections::VecDeque, io, sync::Arc};

use super::{
    Sent,
    turns::{Turn, Turns},
};
use crate::{communication::socket::SocketWriter, documents::FRAME_END};

/// A larger buffer is freed as soon as it is empty.
const MAX_KEPT_BYTES: usize = 256 << 10;

/// The most bytes of a player's frame that are written at once. The system accepts a whole write if its buffer is not full.
const MAX_TALK_WRITE: usize = 8 << 10;

/// A player's frame that has begun is written to its end before an answer if at most this many bytes are left. On a link of
/// 1 Mb/s, they take 0.55 s.
pub(in crate::communication) const MAX_TALK_REST: usize = 64 << 10;

/// A player's frame is discarded if it had to be ended early this often, so that the frames behind it get their turn.
const MAX_ATTEMPTS: u32 = 3;

#[derive(Debug)]
pub(super) struct Waiting {
    /// `None` after the queue is closed.
    stream: Option<Arc<SocketWriter>>,
    answers: Answers,
    /// Frames of players to the Game Master.
    turns: Turns,
    talk: Talk,
    /// The length of the last frame of a player that was discarded.
    discarded: Option<usize>,
}

impl Waiting {
    pub(super) fn new(stream: SocketWriter) -> Self {
        Self { stream: Some(Arc::new(stream)), ..Self::closed() }
    }

    pub(super) fn stream(&self) -> Option<&Arc<SocketWriter>> {
        self.stream.as_ref()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.answers.is_empty() && self.turns.is_empty() && self.talk.frames.is_empty()
    }

    /// Writes or queues a frame of the Game Master or of the server.
    pub(super) fn send(&mut self, frame: &[u8], most: usize) -> io::Result<Sent> {
        let Some(stream) = &self.stream else {
            return Ok(Sent::Gone);
        };
        if !self.answers.is_empty() && self.answers.len() + frame.len() > most {
            return Ok(Sent::Full);
        }
        let mut written = 0;
        if self.answers.is_empty() && self.talk.begun == 0 && !self.turns.has_begun() {
            written = accepted(stream.try_write(frame))?;
        } else if self.talk.must_end_early() {
            self.end_talk_early();
        }
        if written < frame.len() {
            self.answers.push(&frame[written..]);
        }
        Ok(Sent::Taken)
    }

    /// Writes or queues a frame of a player to the Game Master. `most` bytes may wait for the turn of this player.
    pub(super) fn send_in_turn(&mut self, turn: Turn, frame: &[u8], most: usize) -> io::Result<Sent> {
        let Some(stream) = &self.stream else {
            return Ok(Sent::Gone);
        };
        if !self.turns.has_room(turn, frame.len(), most) {
            return Ok(Sent::Full);
        }
        let mut written = 0;
        if self.is_empty() {
            written = write_part(stream, frame)?;
        } else if self.talk.must_end_early() {
            self.end_talk_early();
        }
        if written < frame.len() {
            self.turns.push(turn, frame, written);
        }
        Ok(Sent::Taken)
    }

    /// Writes or queues a frame of another player.
    pub(super) fn send_talk(&mut self, frame: &[u8], most: usize) -> io::Result<Sent> {
        let Some(stream) = &self.stream else {
            return Ok(Sent::Gone);
        };
        if !self.talk.frames.is_empty() && self.talk.bytes + frame.len() > most {
            return Ok(Sent::Full);
        }
        let mut written = 0;
        if self.is_empty() {
            written = write_part(stream, frame)?;
        }
        if written < frame.len() {
            self.talk.push(frame, written);
        }
        Ok(Sent::Taken)
    }

    /// Writes until the socket is full or nothing is left. Returns the number of bytes that were written.
    pub(super) fn write_some(&mut self) -> io::Result<usize> {
        let Some(stream) = &self.stream else {
            return Ok(0);
        };
        let mut written = 0;
        loop {
            let has_begun = self.talk.begun > 0 || self.turns.has_begun();
            let (count, length) = if !has_begun && let Some(frame) = self.answers.next() {
                let (count, length) = (accepted(stream.try_write(frame))?, frame.len());
                self.answers.written(count);
                (count, length)
            } else if self.talk.begun == 0
                && let Some(rest) = self.turns.rest()
            {
                let (count, length) = (write_part(stream, rest)?, rest.len());
                self.turns.written(count);
                (count, length)
            } else if let Some(rest) = self.talk.rest() {
                let (count, length) = (write_part(stream, rest)?, rest.len());
                self.talk.written(count);
                (count, length)
            } else {
                return Ok(written);
            };
            written += count;
            if count < length {
                return Ok(written);
            }
        }
    }

    /// The length of the last frame of a player that was ended early too often, once.
    pub(super) fn take_discarded(&mut self) -> Option<usize> {
        self.discarded.take()
    }

    /// Ends the player's frame that has begun, so that other frames do not wait for it.
    fn end_talk_early(&mut self) {
        self.answers.push(&[FRAME_END]);
        self.discarded = self.talk.begin_again().or(self.discarded);
    }

    pub(super) fn close(&mut self) {
        *self = Self::closed();
    }

    fn closed() -> Self {
        Self {
            stream: None,
            answers: Answers::default(),
            turns: Turns::default(),
            talk: Talk::default(),
            discarded: None,
        }
    }
}

/// The number of bytes that a full socket accepts is 0.
fn accepted(written: io::Result<usize>) -> io::Result<usize> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
        written => written,
    }
}

/// Writes what the socket accepts now of a player's frame.
fn write_part(stream: &SocketWriter, frame: &[u8]) -> io::Result<usize> {
    let mut written = 0;
    for part in frame.chunks(MAX_TALK_WRITE) {
        let count = accepted(stream.write_within_limits(part))?;
        written += count;
        if count < part.len() {
            break;
        }
    }
    Ok(written)
}

/// Frames of the Game Master and of the server.
#[derive(Debug, Default)]
struct Answers {
    /// The queued data begins at `start`.
    bytes: Vec<u8>,
    start: usize,
    /// The length of each queued frame. For the first frame, the length of the part that is not written yet.
    frames: VecDeque<usize>,
}

impl Answers {
    fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    fn push(&mut self, frame: &[u8]) {
        if self.start > self.bytes.len() / 2 {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        self.bytes.extend_from_slice(frame);
        self.frames.push_back(frame.len());
    }

    /// The rest of the first frame.
    fn next(&self) -> Option<&[u8]> {
        let length = self.frames.front()?;
        Some(&self.bytes[self.start..self.start + length])
    }

    fn written(&mut self, count: usize) {
        self.start += count;
        if let Some(left) = self.frames.front_mut() {
            *left -= count;
            if *left == 0 {
                self.frames.pop_front();
            }
        }
        if self.frames.is_empty() {
            self.bytes.clear();
            self.start = 0;
            if self.bytes.capacity() > MAX_KEPT_BYTES {
                self.bytes = Vec::new();
            }
        }
    }
}

/// Frames of other players.
#[derive(Debug, Default)]
struct Talk {
    frames: VecDeque<Box<[u8]>>,
    /// The length of all frames.
    bytes: usize,
    /// How many bytes of the first frame are written.
    begun: usize,
    /// How often the first frame was ended early.
    attempts: u32,
}

impl Talk {
    fn push(&mut self, frame: &[u8], written: usize) {
        if self.frames.is_empty() {
            self.begun = written;
        }
        self.bytes += frame.len();
        self.frames.push_back(frame.into());
    }

    /// The part of the first frame that is not written yet.
    fn rest(&self) -> Option<&[u8]> {
        self.frames.front().map(|frame| &frame[self.begun..])
    }

    fn written(&mut self, count: usize) {
        self.begun += count;
        if self.rest().is_some_and(<[u8]>::is_empty) {
            self.pop();
        }
    }

    /// Whether a frame has begun, and too much of it is left for an answer to wait.
    fn must_end_early(&self) -> bool {
        self.begun > 0 && self.rest().is_some_and(|rest| rest.len() > MAX_TALK_REST)
    }

    /// Begins the first frame again. After the last attempt, discards it and returns its length.
    fn begin_again(&mut self) -> Option<usize> {
        self.begun = 0;
        self.attempts += 1;
        (self.attempts >= MAX_ATTEMPTS).then(|| self.pop())
    }

    /// Removes the first frame, and returns its length.
    fn pop(&mut self) -> usize {
        let length = self.frames.pop_front().map_or(0, |frame| frame.len());
        self.bytes -= length;
        (self.begun, self.attempts) = (0, 0);
        length
    }
}
