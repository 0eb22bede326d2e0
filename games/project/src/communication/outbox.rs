//! What waits to be written to one connection.

use std::{
    collections::VecDeque,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{net::tcp::OwnedWriteHalf, sync::Notify};

/// A buffer that grew beyond this is given back when it is empty.
const KEPT: usize = 256 << 10;

/// What waits to be written. Whoever sends writes at once if nothing waits, so that most frames are never copied.
#[derive(Debug)]
pub(super) struct Outbox {
    waiting: Mutex<Waiting>,
    /// Something waits.
    more: Notify,
    /// Something was written.
    room: Notify,
}

/// What became of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    Taken,
    /// Too much waits already.
    Full,
    /// Nobody will read it.
    Gone,
}

#[derive(Debug)]
struct Waiting {
    /// Until it is closed.
    stream: Option<Arc<OwnedWriteHalf>>,
    /// What waits is from `start` on.
    bytes: Vec<u8>,
    start: usize,
    /// How long each frame is, or what is left of the first.
    frames: VecDeque<usize>,
}

impl Outbox {
    pub(super) fn new(stream: OwnedWriteHalf) -> Self {
        let stream = Some(Arc::new(stream));
        let waiting = Waiting { stream, bytes: Vec::new(), start: 0, frames: VecDeque::new() };
        Self { waiting: Mutex::new(waiting), more: Notify::new(), room: Notify::new() }
    }

    /// Takes a frame with its end, unless more than `most` bytes would wait. A frame that is alone is always taken.
    pub(super) fn send(&self, frame: &[u8], most: usize) -> Sent {
        let mut waiting = self.lock();
        let Some(stream) = &waiting.stream else {
            return Sent::Gone;
        };
        if waiting.len() > 0 {
            if waiting.len() + frame.len() > most {
                return Sent::Full;
            }
            waiting.push(frame);
            return Sent::Taken;
        }
        let written = match stream.try_write(frame) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
            Err(_) => {
                waiting.close();
                self.more.notify_one();
                return Sent::Gone;
            }
        };
        if written < frame.len() {
            waiting.push(&frame[written..]);
            self.more.notify_one();
        }
        Sent::Taken
    }

    /// The same, but waits for room.
    pub(super) async fn send_patiently(&self, frame: &[u8], most: usize) -> Sent {
        loop {
            let room = self.room.notified();
            match self.send(frame, most) {
                Sent::Full => room.await,
                sent @ (Sent::Taken | Sent::Gone) => return sent,
            }
        }
    }

    /// Writes what waits, whenever that is possible, until the connection is broken or closed.
    pub(super) async fn run(&self) -> io::Error {
        loop {
            let stream = {
                let waiting = self.lock();
                match &waiting.stream {
                    None => return io::ErrorKind::NotConnected.into(),
                    Some(stream) if waiting.len() > 0 => Some(Arc::clone(stream)),
                    Some(_) => None,
                }
            };
            let Some(stream) = stream else {
                self.more.notified().await;
                continue;
            };
            if let Err(error) = stream.writable().await {
                return error;
            }
            if let Err(error) = self.write_some() {
                return error;
            }
        }
    }

    /// Writes what waits, and nothing that comes later.
    pub(super) async fn flush(&self) {
        while let Some(stream) = self.unfinished() {
            if stream.writable().await.is_err() || self.write_some().is_err() {
                return;
            }
        }
    }

    /// Forgets what waits, and takes no more.
    pub(super) fn close(&self) {
        self.lock().close();
        self.more.notify_one();
        self.room.notify_waiters();
    }

    fn unfinished(&self) -> Option<Arc<OwnedWriteHalf>> {
        let waiting = self.lock();
        waiting.stream.clone().filter(|_| waiting.len() > 0)
    }

    /// As many frames as the connection takes now, each in a write of its own.
    fn write_some(&self) -> io::Result<()> {
        let result = self.lock().write_some();
        self.room.notify_waiters();
        result
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
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

    fn write_some(&mut self) -> io::Result<()> {
        let Some(stream) = &self.stream else {
            return Ok(());
        };
        while let Some(left) = self.frames.front_mut() {
            match stream.try_write(&self.bytes[self.start..self.start + *left]) {
                Ok(count) => {
                    self.start += count;
                    *left -= count;
                    if *left == 0 {
                        self.frames.pop_front();
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        self.clear();
        Ok(())
    }

    fn close(&mut self) {
        self.stream = None;
        self.clear();
    }

    fn clear(&mut self) {
        self.frames.clear();
        self.bytes.clear();
        self.start = 0;
        if self.bytes.capacity() > KEPT {
            self.bytes = Vec::new();
        }
    }
}
