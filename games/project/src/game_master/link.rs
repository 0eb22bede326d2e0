//! The Game Master's connection to the Communication Server: over TCP, or within the process.

use std::{
    io,
    net::{SocketAddr, SocketAddrV4},
    time::Duration,
};

use commlib::{Delimited, Frame};
use server::{Dialed, Stream, World};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf, split},
    task::JoinHandle,
    time::{Instant, sleep_until, timeout},
};

use crate::{
    LinkError,
    documents::FRAME_END,
    local::{LocalConnection, LocalConnector, PipeReader, PipeWriter, Sent, pipe},
};

/// The maximum size of a received document, in bytes. The server's limit is lower.
const MAX_FRAME_BYTES: usize = 2 << 20;

/// The maximum number of bytes that wait for a server that does not read.
const MAX_WAITING_BYTES: usize = 32 << 20;

/// How long the server may read nothing while a frame waits for it.
const STALL: Duration = Duration::from_secs(20);

/// The interval of keep-alives.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// How long the server may send nothing.
const SILENCE: Duration = Duration::from_secs(20);

/// How long it may take to send the last documents and close the connection.
const FAREWELL: Duration = Duration::from_secs(3);

pub(super) struct Link {
    incoming: Incoming,
    outgoing: PipeWriter,
    /// The task that writes to a socket.
    writing: Option<JoinHandle<()>>,
    /// The local address of a TCP connection.
    pub(super) local: Option<SocketAddr>,
    received: Instant,
    next_keep_alive: Instant,
}

/// A received frame.
pub(super) enum Received {
    Document(Vec<u8>),
    /// The server's answer to a keep-alive.
    Echo,
    TooLong,
}

/// The receiving half.
enum Incoming {
    Socket { reader: ReadHalf<Box<dyn Stream>>, frames: Delimited },
    Local(PipeReader),
}

impl Link {
    /// Connects to another process.
    pub(super) async fn dial(world: &dyn World, server: SocketAddr) -> io::Result<Self> {
        let Dialed { stream, local } = world.dial(server).await?;
        let (reader, writer) = split(stream);
        let (outgoing, queued) = pipe();
        let writing = tokio::spawn(write(writer, queued));
        let incoming = Incoming::Socket { reader, frames: Delimited::new(FRAME_END, MAX_FRAME_BYTES) };
        Ok(Self { writing: Some(writing), local: Some(local), ..Self::new(incoming, outgoing) })
    }

    /// Connects to a server of this process.
    pub(super) async fn connect(server: &LocalConnector) -> io::Result<Self> {
        let LocalConnection { reader, writer } = server.connect().await?;
        Ok(Self::new(Incoming::Local(reader), writer))
    }

    fn new(incoming: Incoming, outgoing: PipeWriter) -> Self {
        let now = Instant::now();
        Self { incoming, outgoing, writing: None, local: None, received: now, next_keep_alive: now + KEEP_ALIVE }
    }

    /// The local address, in the form that the schema requires.
    pub(super) fn address(&self) -> SocketAddrV4 {
        match self.local {
            Some(SocketAddr::V4(address)) => address,
            Some(SocketAddr::V6(address)) => SocketAddrV4::new([0; 4].into(), address.port()),
            None => SocketAddrV4::new([0; 4].into(), 0),
        }
    }

    /// Receives the next frame. Cancel safe.
    pub(super) async fn next(&mut self) -> Result<Received, LinkError> {
        loop {
            if let Some(heard) = self.incoming.buffered() {
                return Ok(heard);
            }
            let due = self.next_keep_alive;
            // Data that has arrived counts, also if this side was too busy to read it.
            tokio::select! {
                biased;
                more = self.incoming.more() => {
                    self.received = Instant::now();
                    if let Some(heard) = more? {
                        return Ok(heard);
                    }
                }
                () = sleep_until(due) => {
                    if self.received.elapsed() > SILENCE {
                        return Err(LinkError::Silent(SILENCE));
                    }
                    self.probe()?;
                }
            }
        }
    }

    /// Sends a document.
    pub(super) fn send(&mut self, document: String) -> Result<(), LinkError> {
        let mut frame = document.into_bytes();
        frame.push(FRAME_END);
        self.put(frame)
    }

    /// Sends a keep-alive. The server answers it after it has read everything before it.
    pub(super) fn probe(&mut self) -> Result<(), LinkError> {
        self.next_keep_alive = Instant::now() + KEEP_ALIVE;
        self.put(vec![FRAME_END])
    }

    fn put(&mut self, frame: Vec<u8>) -> Result<(), LinkError> {
        match self.outgoing.send(frame, MAX_WAITING_BYTES) {
            Sent::Taken => Ok(()),
            Sent::Full => Err(LinkError::NotReading),
            Sent::Gone => Err(LinkError::Broken),
        }
    }

    /// Sends the queued frames, and waits until the server has closed the connection, too.
    pub(super) async fn close(self) {
        let Self { mut incoming, outgoing, writing, .. } = self;
        drop(outgoing);
        if let Some(writing) = writing {
            let _too_slow = timeout(FAREWELL, writing).await;
        }
        let rest = async {
            while incoming.more().await.is_ok() {
                while incoming.buffered().is_some() {}
            }
        };
        let _too_slow = timeout(FAREWELL, rest).await;
    }
}

impl Incoming {
    /// The next frame that was already received.
    fn buffered(&mut self) -> Option<Received> {
        match self {
            Self::Socket { frames, .. } => Some(match frames.next_frame()? {
                Frame::Whole(at) if at.is_empty() => Received::Echo,
                Frame::Whole(at) => Received::Document(frames.bytes(at).to_vec()),
                Frame::TooLong => Received::TooLong,
            }),
            Self::Local(_) => None,
        }
    }

    /// Waits for data. Returns `None` if the data does not complete a frame.
    async fn more(&mut self) -> Result<Option<Received>, LinkError> {
        match self {
            Self::Socket { reader, frames } => {
                let count = reader.read(frames.space()).await?;
                if count == 0 {
                    return Err(LinkError::Closed);
                }
                frames.filled(count);
                Ok(None)
            }
            Self::Local(reader) => {
                let mut frame = reader.next().await.ok_or(LinkError::Closed)?;
                frame.pop();
                Ok(Some(if frame.is_empty() { Received::Echo } else { Received::Document(frame) }))
            }
        }
    }
}

/// Writes each frame with one call. Returns when the link is closed, or the server does not read.
async fn write(mut writer: WriteHalf<Box<dyn Stream>>, mut queued: PipeReader) {
    while let Some(frame) = queued.next().await {
        if !timeout(STALL, writer.write_all(&frame)).await.is_ok_and(|written| written.is_ok()) {
            return;
        }
    }
    let _gone_already = writer.shutdown().await;
}
