//! The Game Master's connection to the Communication Server.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use commlib::{Delimited, Frame};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::mpsc,
    task::JoinHandle,
    time::{Instant, timeout},
};

use crate::documents::FRAME_END;

/// The longest document that is read, in bytes: more than the server lets through.
const LONGEST_FRAME: usize = 2 << 20;

/// How much may wait for a server that does not read: frames, and bytes of them.
const LONGEST_QUEUE: usize = 4096;
const MOST_WAITING: usize = 32 << 20;

/// How long the server may read nothing while something is being sent to it.
const STALL: Duration = Duration::from_secs(20);

/// How often the server hears from us, and how long it may be silent then.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
const SILENCE: Duration = Duration::from_secs(20);

/// How long the last words may take.
const FAREWELL: Duration = Duration::from_secs(3);

pub(super) struct Link {
    reader: OwnedReadHalf,
    frames: Delimited,
    queue: mpsc::Sender<Vec<u8>>,
    /// Bytes in the queue.
    waiting: Arc<AtomicUsize>,
    writing: JoinHandle<()>,
    pub(super) local: SocketAddr,
    heard: Instant,
    next_keep_alive: Instant,
}

/// What came.
pub(super) enum Heard {
    Document(Vec<u8>),
    /// The answer to a lone end of a frame.
    Echo,
    TooLong,
}

impl Link {
    pub(super) async fn connect(server: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        let local = stream.local_addr()?;
        let (reader, writer) = stream.into_split();
        let (queue, queued) = mpsc::channel(LONGEST_QUEUE);
        let waiting = Arc::new(AtomicUsize::new(0));
        let writing = tokio::spawn(write(writer, queued, Arc::clone(&waiting)));
        let frames = Delimited::new(FRAME_END, LONGEST_FRAME);
        let now = Instant::now();
        Ok(Self { reader, frames, queue, waiting, writing, local, heard: now, next_keep_alive: now + KEEP_ALIVE })
    }

    /// The next thing that comes. Nothing is lost if this is dropped before it is done.
    pub(super) async fn next(&mut self) -> Result<Heard, String> {
        loop {
            match self.frames.next_frame() {
                Some(Frame::Whole(at)) if at.is_empty() => return Ok(Heard::Echo),
                Some(Frame::Whole(at)) => return Ok(Heard::Document(self.frames.bytes(at).to_vec())),
                Some(Frame::TooLong) => return Ok(Heard::TooLong),
                None => self.read().await?,
            }
        }
    }

    async fn read(&mut self) -> Result<(), String> {
        loop {
            let due = self.next_keep_alive;
            tokio::select! {
                read = self.reader.read(self.frames.space()) => {
                    let count = read.map_err(|error| error.to_string())?;
                    if count == 0 {
                        return Err("the server closed the connection".into());
                    }
                    self.frames.filled(count);
                    self.heard = Instant::now();
                    return Ok(());
                }
                () = tokio::time::sleep_until(due) => {
                    if self.heard.elapsed() > SILENCE {
                        return Err(format!("the server says nothing for {} s", SILENCE.as_secs()));
                    }
                    self.probe()?;
                }
            }
        }
    }

    /// Sends a document.
    pub(super) fn send(&mut self, document: String) -> Result<(), String> {
        let mut frame = document.into_bytes();
        frame.push(FRAME_END);
        self.put(frame)
    }

    /// Sends what the server sends back when it has taken everything before it.
    pub(super) fn probe(&mut self) -> Result<(), String> {
        self.next_keep_alive = Instant::now() + KEEP_ALIVE;
        self.put(vec![FRAME_END])
    }

    fn put(&mut self, frame: Vec<u8>) -> Result<(), String> {
        let length = frame.len();
        if self.waiting.load(Ordering::Relaxed) + length > MOST_WAITING {
            return Err("the server does not read".to_owned());
        }
        self.waiting.fetch_add(length, Ordering::Relaxed);
        self.queue.try_send(frame).map_err(|full| match full {
            mpsc::error::TrySendError::Full(_) => "the server does not read".to_owned(),
            mpsc::error::TrySendError::Closed(_) => "the connection is broken".to_owned(),
        })
    }

    /// Sends what waits, and waits until the server has closed the connection too.
    pub(super) async fn close(self) {
        let Self { mut reader, queue, writing, .. } = self;
        drop(queue);
        let _too_slow = timeout(FAREWELL, writing).await;
        let mut nowhere = [0; 4096];
        let rest = async { while reader.read(&mut nowhere).await.is_ok_and(|count| count > 0) {} };
        let _too_slow = timeout(FAREWELL, rest).await;
    }
}

/// One write for a frame. Ends when nobody sends any more, or nobody reads.
async fn write(mut writer: OwnedWriteHalf, mut queued: mpsc::Receiver<Vec<u8>>, waiting: Arc<AtomicUsize>) {
    while let Some(frame) = queued.recv().await {
        if !timeout(STALL, writer.write_all(&frame)).await.is_ok_and(|written| written.is_ok()) {
            return;
        }
        waiting.fetch_sub(frame.len(), Ordering::Relaxed);
    }
    let _gone_already = writer.shutdown().await;
}
