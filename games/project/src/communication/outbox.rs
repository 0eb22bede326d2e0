//! The send queue of a connection: to a socket, or to a pipe within the process.

mod turns;
mod waiting;

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::Notify, time::timeout};

use self::waiting::Waiting;
pub(super) use self::{turns::Turn, waiting::MAX_TALK_REST};
use super::socket::SocketWriter;
use crate::local::PipeWriter;
pub(super) use crate::local::Sent;

/// A pipe has one queue for all players, with room for so many turns.
const PIPE_TURNS: usize = 4;

/// A send queue.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "almost every peer is a socket, and an outbox is never moved in bulk")]
pub(super) enum Outbox {
    Socket(SocketOutbox),
    /// The pipe itself is the queue.
    Local(PipeWriter),
}

impl Outbox {
    pub(super) fn socket(stream: SocketWriter) -> Self {
        Self::Socket(SocketOutbox::new(stream))
    }

    /// Queues a frame with its end byte, unless more than `most` bytes would then be queued. An empty queue accepts any frame.
    pub(super) fn send(&self, frame: &[u8], most: usize) -> Sent {
        match self {
            Self::Socket(socket) => socket.send(frame, most),
            Self::Local(pipe) => pipe.send(frame.to_vec(), most),
        }
    }

    /// Queues a frame of another player. It has a queue of its own, and all frames of [`Self::send`] go before it.
    pub(super) fn send_talk(&self, frame: &[u8], most: usize) -> Sent {
        match self {
            Self::Socket(socket) => socket.send_talk(frame, most),
            // Only a Game Master connects within the process, and players do not talk to it.
            Self::Local(pipe) => pipe.send(frame.to_vec(), most),
        }
    }

    /// The length of the last frame of [`Self::send_talk`] that was discarded because answers came before it again and again.
    /// Each is returned once.
    pub(super) fn take_discarded(&self) -> Option<usize> {
        match self {
            Self::Socket(socket) => socket.lock().take_discarded(),
            Self::Local(_) => None,
        }
    }

    /// Queues a frame of a player to the Game Master, in the turn of this player. `most_each` bytes may wait for a turn. If they
    /// do, waits for room. Returns [`Sent::Full`] if the Game Master has read nothing for `stall`.
    pub(super) async fn send_in_turn(&self, turn: Turn, frame: &[u8], most_each: usize, stall: Duration) -> Sent {
        match self {
            Self::Socket(socket) => socket.send_in_turn(turn, frame, most_each, stall).await,
            // There is no link to share: the Game Master reads as fast as it can.
            Self::Local(pipe) => loop {
                match pipe.send(frame.to_vec(), PIPE_TURNS * most_each) {
                    Sent::Full if timeout(stall, pipe.has_room(frame.len(), PIPE_TURNS * most_each)).await.is_ok() => {}
                    sent @ (Sent::Taken | Sent::Full | Sent::Gone) => return sent,
                }
            },
        }
    }

    /// Queues news of a player for the Game Master, behind the frames of this player.
    pub(super) fn send_news(&self, turn: Turn, frame: &[u8]) -> Sent {
        match self {
            Self::Socket(socket) => socket.queue(|waiting| waiting.send_in_turn(turn, frame, usize::MAX)),
            Self::Local(pipe) => pipe.send(frame.to_vec(), usize::MAX),
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

/// The send queue of a socket. If nothing is queued, a frame is written to the socket directly, so that most frames are never
/// copied.
#[derive(Debug)]
pub(super) struct SocketOutbox {
    waiting: Mutex<Waiting>,
    /// Notifies that data is queued.
    more: Notify,
    /// Notifies that data was written.
    room: Notify,
}

impl SocketOutbox {
    fn new(stream: SocketWriter) -> Self {
        Self { waiting: Mutex::new(Waiting::new(stream)), more: Notify::new(), room: Notify::new() }
    }

    fn send(&self, frame: &[u8], most: usize) -> Sent {
        self.queue(|waiting| waiting.send(frame, most))
    }

    fn send_talk(&self, frame: &[u8], most: usize) -> Sent {
        self.queue(|waiting| waiting.send_talk(frame, most))
    }

    fn queue(&self, send: impl FnOnce(&mut Waiting) -> io::Result<Sent>) -> Sent {
        let mut waiting = self.lock();
        let sent = send(&mut waiting).unwrap_or_else(|_| {
            waiting.close();
            Sent::Gone
        });
        if waiting.stream().is_none() || !waiting.is_empty() {
            self.more.notify_one();
        }
        sent
    }

    async fn send_in_turn(&self, turn: Turn, frame: &[u8], most_each: usize, stall: Duration) -> Sent {
        loop {
            // Created before the attempt, so that no notification is missed between the two.
            let room = self.room.notified();
            match self.queue(|waiting| waiting.send_in_turn(turn, frame, most_each)) {
                Sent::Full if timeout(stall, room).await.is_ok() => {}
                sent @ (Sent::Taken | Sent::Full | Sent::Gone) => return sent,
            }
        }
    }

    async fn run(&self) -> io::Error {
        loop {
            let stream = {
                let waiting = self.lock();
                match waiting.stream() {
                    None => return io::ErrorKind::NotConnected.into(),
                    Some(stream) if !waiting.is_empty() => Some(Arc::clone(stream)),
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

    fn unfinished(&self) -> Option<Arc<SocketWriter>> {
        let waiting = self.lock();
        waiting.stream().filter(|_| !waiting.is_empty()).cloned()
    }

    /// Writes as many frames as the socket accepts now.
    fn write_some(&self) -> io::Result<()> {
        let written = self.lock().write_some()?;
        if written > 0 {
            self.room.notify_waiters();
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
