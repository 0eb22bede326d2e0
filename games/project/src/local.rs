//! Connections within the process. They pass whole frames through bounded pipes, without a socket.
//!
//! A Communication Server [listens](LocalListener) for a Game Master that [connects](LocalConnector). Each side drops its end
//! to close the connection. The other side can still read the frames that were sent before.

use std::{
    collections::VecDeque,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, mpsc};

/// The number of connections that may wait to be accepted.
const BACKLOG: usize = 8;

/// The maximum number of frames in a pipe.
const MAX_FRAMES: usize = 4096;

/// Connects to a server of this process.
#[derive(Clone, Debug)]
pub struct LocalConnector(mpsc::Sender<LocalConnection>);

/// Accepts connections from this process.
#[derive(Debug)]
pub struct LocalListener(mpsc::Receiver<LocalConnection>);

/// Creates a listener and its connector.
pub fn local() -> (LocalConnector, LocalListener) {
    let (connector, listener) = mpsc::channel(BACKLOG);
    (LocalConnector(connector), LocalListener(listener))
}

/// One end of a connection.
#[derive(Debug)]
pub(crate) struct LocalConnection {
    pub(crate) reader: PipeReader,
    pub(crate) writer: PipeWriter,
}

impl LocalConnector {
    /// Connects. Does not wait until the server accepts the connection.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::ConnectionRefused`] if the server has ended.
    pub(crate) async fn connect(&self) -> io::Result<LocalConnection> {
        let ((to_server, at_server), (to_client, at_client)) = (pipe(), pipe());
        let accepted = self.0.send(LocalConnection { reader: at_server, writer: to_client }).await;
        accepted.map_err(|_| io::ErrorKind::ConnectionRefused)?;
        Ok(LocalConnection { reader: at_client, writer: to_server })
    }
}

impl LocalListener {
    /// Waits for the next connection. Never returns if all connectors are dropped.
    pub(crate) async fn accept(&mut self) -> LocalConnection {
        match self.0.recv().await {
            Some(connection) => connection,
            None => std::future::pending().await,
        }
    }
}

/// The result of sending a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    Taken,
    /// The queue is full.
    Full,
    /// The reader was dropped.
    Gone,
}

/// Creates a queue of frames.
pub(crate) fn pipe() -> (PipeWriter, PipeReader) {
    let pipe = Arc::<Pipe>::default();
    (PipeWriter(Arc::clone(&pipe)), PipeReader(pipe))
}

/// The sending end. After it is dropped, the reader gets the queued frames and then the end.
#[derive(Debug)]
pub(crate) struct PipeWriter(Arc<Pipe>);

/// The receiving end. After it is dropped, the writer gets [`Sent::Gone`].
#[derive(Debug)]
pub(crate) struct PipeReader(Arc<Pipe>);

#[derive(Debug, Default)]
struct Pipe {
    waiting: Mutex<Waiting>,
    /// For the reader: a frame waits, or the pipe is closed.
    more: Notify,
    /// For the writer: a frame was read, or the pipe is closed.
    room: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    frames: VecDeque<Vec<u8>>,
    bytes: usize,
    closed: bool,
}

impl PipeWriter {
    /// Queues a frame, unless more than `most` bytes would then be queued. An empty queue accepts any frame.
    pub(crate) fn send(&self, frame: Vec<u8>, most: usize) -> Sent {
        let mut waiting = self.0.lock();
        if waiting.closed {
            return Sent::Gone;
        }
        if !waiting.has_room(frame.len(), most) {
            return Sent::Full;
        }
        waiting.bytes += frame.len();
        waiting.frames.push_back(frame);
        self.0.more.notify_one();
        Sent::Taken
    }

    /// Waits until there is room for a frame of this length, or the reader is gone.
    pub(crate) async fn has_room(&self, length: usize, most: usize) {
        self.until(|waiting| waiting.closed || waiting.has_room(length, most)).await;
    }

    /// Waits until all frames are read, or the reader is gone.
    pub(crate) async fn drained(&self) {
        self.until(|waiting| waiting.closed || waiting.frames.is_empty()).await;
    }

    /// Drops the queued frames, and accepts no more.
    pub(crate) fn close(&self) {
        self.0.close();
    }

    async fn until(&self, wanted: impl Fn(&Waiting) -> bool) {
        loop {
            // Created before the check, so that no notification is missed between the two.
            let changed = self.0.room.notified();
            if wanted(&self.0.lock()) {
                return;
            }
            changed.await;
        }
    }
}

impl PipeReader {
    /// Receives the next frame; `None` at the end. Cancel safe.
    pub(crate) async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            let next = {
                let mut waiting = self.0.lock();
                let next = waiting.frames.pop_front();
                waiting.bytes -= next.as_ref().map_or(0, Vec::len);
                if next.is_none() && waiting.closed {
                    return None;
                }
                next
            };
            if next.is_some() {
                self.0.room.notify_waiters();
                return next;
            }
            self.0.more.notified().await;
        }
    }
}

impl Drop for PipeWriter {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.more.notify_one();
    }
}

impl Drop for PipeReader {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Pipe {
    fn close(&self) {
        *self.lock() = Waiting { closed: true, ..Waiting::default() };
        self.more.notify_one();
        self.room.notify_waiters();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn has_room(&self, length: usize, most: usize) -> bool {
        self.frames.is_empty() || self.frames.len() < MAX_FRAMES && self.bytes + length <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_pipe_is_bounded() {
        let (writer, mut reader) = pipe();
        assert_eq!(writer.send(vec![0; 9], 4), Sent::Taken, "alone");
        assert_eq!(writer.send(vec![1], 9), Sent::Full);
        assert_eq!(writer.send(vec![1], 10), Sent::Taken);
        assert_eq!(reader.next().await, Some(vec![0; 9]));
        for _ in 1..MAX_FRAMES {
            assert_eq!(writer.send(vec![2], usize::MAX), Sent::Taken);
        }
        assert_eq!(writer.send(vec![2], usize::MAX), Sent::Full, "however short");
    }

    #[tokio::test]
    async fn a_writer_waits_for_room() {
        let (writer, mut reader) = pipe();
        assert_eq!(writer.send(vec![0; 3], 4), Sent::Taken);
        let read = async {
            tokio::task::yield_now().await;
            reader.next().await
        };
        let ((), read) = tokio::join!(writer.has_room(2, 4), read);
        assert_eq!((read, writer.send(vec![1; 2], 4)), (Some(vec![0; 3]), Sent::Taken));
        let read = async {
            tokio::task::yield_now().await;
            reader.next().await
        };
        tokio::join!(writer.drained(), read);
    }

    #[tokio::test]
    async fn each_side_sees_that_the_other_is_gone() {
        let (writer, mut reader) = pipe();
        assert_eq!(writer.send(vec![7], 9), Sent::Taken);
        drop(writer);
        assert_eq!((reader.next().await, reader.next().await), (Some(vec![7]), None), "what waits is read");

        let (writer, reader) = pipe();
        assert_eq!(writer.send(vec![7], 9), Sent::Taken);
        drop(reader);
        writer.drained().await;
        assert_eq!(writer.send(vec![7], 9), Sent::Gone);

        let (writer, mut reader) = pipe();
        assert_eq!(writer.send(vec![7], 9), Sent::Taken);
        writer.close();
        assert_eq!(reader.next().await, None, "what waits is forgotten");
    }

    #[tokio::test]
    async fn a_connection_has_two_ends() {
        let (connector, mut listener) = local();
        let mut client = connector.connect().await.expect("a listener");
        let mut server = listener.accept().await;
        assert_eq!(client.writer.send(vec![1], 9), Sent::Taken);
        assert_eq!(server.reader.next().await, Some(vec![1]));
        assert_eq!(server.writer.send(vec![2], 9), Sent::Taken);
        assert_eq!(client.reader.next().await, Some(vec![2]));
        drop(listener);
        let refused = connector.connect().await.expect_err("no listener");
        assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
    }
}
