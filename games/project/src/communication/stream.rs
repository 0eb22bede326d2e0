//! The sending half of a stream that is no socket of this module: the server writes to it without waiting, as to a socket.

use std::{
    fmt, io,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use server::Stream;
use tokio::{
    io::{AsyncWrite, WriteHalf},
    sync::Notify,
};

pub(super) struct StreamWriter {
    stream: Mutex<WriteHalf<Box<dyn Stream>>>,
    room: Arc<Room>,
}

/// Whether the stream has room.
struct Room {
    is_full: AtomicBool,
    changed: Notify,
}

impl Wake for Room {
    fn wake(self: Arc<Self>) {
        self.is_full.store(false, Ordering::Release);
        self.changed.notify_one();
    }
}

impl StreamWriter {
    pub(super) fn new(stream: WriteHalf<Box<dyn Stream>>) -> Self {
        let room = Room { is_full: AtomicBool::new(false), changed: Notify::new() };
        Self { stream: Mutex::new(stream), room: Arc::new(room) }
    }

    /// Waits until the stream may accept bytes.
    pub(super) async fn writable(&self) {
        while self.room.is_full.load(Ordering::Acquire) {
            self.room.changed.notified().await;
        }
    }

    /// Writes the bytes that the stream accepts now. Fails with [`io::ErrorKind::WouldBlock`] if it accepts none.
    pub(super) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        // Set before the attempt, because the stream may have room again before the attempt returns.
        self.room.is_full.store(true, Ordering::Release);
        match self.poll(|stream, context| stream.poll_write(context, bytes)) {
            Poll::Ready(written) => {
                self.room.is_full.store(false, Ordering::Release);
                written
            }
            Poll::Pending => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    fn poll<T>(&self, poll: impl FnOnce(Pin<&mut WriteHalf<Box<dyn Stream>>>, &mut Context<'_>) -> Poll<T>) -> Poll<T> {
        let waker = Waker::from(Arc::clone(&self.room));
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        poll(Pin::new(&mut *stream), &mut Context::from_waker(&waker))
    }
}

/// As a socket, it tells the other end that no more bytes come.
impl Drop for StreamWriter {
    fn drop(&mut self) {
        let _too_late_to_wait = self.poll(|stream, context| stream.poll_shutdown(context));
    }
}

impl fmt::Debug for StreamWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StreamWriter")
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, duplex, split};

    use super::*;

    #[tokio::test]
    async fn a_full_stream_has_room_again_after_it_was_read() {
        let (near, mut far) = duplex(4);
        let (_reader, writer) = split(Box::new(near) as Box<dyn Stream>);
        let writer = StreamWriter::new(writer);
        writer.writable().await;
        assert_eq!(writer.try_write(b"abcdef").expect("room"), 4);
        assert_eq!(writer.try_write(b"ef").expect_err("no room").kind(), io::ErrorKind::WouldBlock);
        let mut read = [0; 4];
        let (_, count) = tokio::join!(writer.writable(), far.read(&mut read));
        assert_eq!((count.expect("bytes"), &read), (4, b"abcd"));
        assert_eq!(writer.try_write(b"ef").expect("room"), 2);
        drop(writer);
        let mut rest = Vec::new();
        far.read_to_end(&mut rest).await.expect("the end");
        assert_eq!(rest, b"ef");
    }
}
