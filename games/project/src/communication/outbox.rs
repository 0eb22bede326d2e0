//! The send queue of a connection: to a socket, or to a pipe within the process.

use std::{
    collections::VecDeque,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{net::tcp::OwnedWriteHalf, sync::Notify};

use crate::local::PipeWriter;
pub(super) use crate::local::Sent;

/// A larger buffer is freed as soon as it is empty.
const MAX_KEPT_BYTES: usize = 256 << 10;

/// A send queue.
#[derive(Debug)]
pub(super) enum Outbox {
    Socket(SocketOutbox),
    /// The pipe itself is the queue.
    Local(PipeWriter),
}

impl Outbox {
    pub(super) fn socket(stream: OwnedWriteHalf) -> Self {
        Self::Socket(SocketOutbox::new(stream))
    }

    /// Queues a frame with its end byte, unless more than `most` bytes would then be queued. An empty queue accepts any frame.
    pub(super) fn send(&self, frame: &[u8], most: usize) -> Sent {
        match self {
            Self::Socket(socket) => socket.send(frame, most),
            Self::Local(pipe) => pipe.send(frame.to_vec(), most),
        }
    }

    /// Waits until the queue has room, and queues a frame.
    pub(super) async fn send_patiently(&self, frame: &[u8], most: usize) -> Sent {
        match self {
            Self::Socket(socket) => socket.send_patiently(frame, most).await,
            Self::Local(pipe) => loop {
                match pipe.send(frame.to_vec(), most) {
                    Sent::Full => pipe.has_room(frame.len(), most).await,
                    sent @ (Sent::Taken | Sent::Gone) => return sent,
                }
            },
        }
    }

    /// Writes queued data until the connection is broken or closed.
    pub(super) async fn run(&self) -> io::Error {
        match self {
            Self::Socket(socket) => socket.run().await,
            // The reader takes the frames from the pipe. If the reader is gone, the server still reads the frames that it sent
            // before.
            Self::Local(_) => std::future::pending().await,
        }
    }

    /// Writes the data that is queued now.
    pub(super) async fn flush(&self) {
        match self {
            Self::Socket(socket) => socket.flush().await,
            Self::Local(pipe) => pipe.drained().await,
        }
    }

    /// Drops queued data, and accepts no more.
    pub(super) fn close(&self) {
        match self {
            Self::Socket(socket) => socket.close(),
            Self::Local(pipe) => pipe.close(),
        }
    }
}

/// The send queue of a socket. If the queue is empty, `send` writes to the socket directly, so that most frames are never
/// copied.
#[derive(Debug)]
pub(super) struct SocketOutbox {
    waiting: Mutex<Waiting>,
    /// Notifies that data is queued.
    more: Notify,
    /// Notifies that data was written.
    room: Notify,
}

#[derive(Debug)]
struct Waiting {
    /// `None` after the queue is closed.
    stream: Option<Arc<OwnedWriteHalf>>,
    /// The queued data begins at `start`.
    bytes: Vec<u8>,
    start: usize,
    /// The length of each queued frame. For the first frame, the length of the part that is not written yet.
    frames: VecDeque<usize>,
}

impl SocketOutbox {
    fn new(stream: OwnedWriteHalf) -> Self {
        let stream = Some(Arc::new(stream));
        let waiting = Waiting { stream, bytes: Vec::new(), start: 0, frames: VecDeque::new() };
        Self { waiting: Mutex::new(waiting), more: Notify::new(), room: Notify::new() }
    }

    fn send(&self, frame: &[u8], most: usize) -> Sent {
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

    async fn send_patiently(&self, frame: &[u8], most: usize) -> Sent {
        loop {
            let room = self.room.notified();
            match self.send(frame, most) {
                Sent::Full => room.await,
                sent @ (Sent::Taken | Sent::Gone) => return sent,
            }
        }
    }

    async fn run(&self) -> io::Error {
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

    async fn flush(&self) {
        while let Some(stream) = self.unfinished() {
            if stream.writable().await.is_err() || self.write_some().is_err() {
                return;
            }
        }
    }

    fn close(&self) {
        self.lock().close();
        self.more.notify_one();
        self.room.notify_waiters();
    }

    fn unfinished(&self) -> Option<Arc<OwnedWriteHalf>> {
        let waiting = self.lock();
        waiting.stream.clone().filter(|_| waiting.len() > 0)
    }

    /// Writes as many frames as the socket accepts now, each with its own system call.
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
        if self.bytes.capacity() > MAX_KEPT_BYTES {
            self.bytes = Vec::new();
        }
    }
}
