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
    documents::FRAME_END,
    local::{LocalConnection, LocalConnector, PipeReader, PipeWriter, Sent, pipe},
};

/// The longest document that is read, in bytes: more than the server lets through.
const LONGEST_FRAME: usize = 2 << 20;

/// How many bytes may wait for a server that does not read.
const MOST_WAITING: usize = 32 << 20;

/// How long the server may read nothing while something is being sent to it.
const STALL: Duration = Duration::from_secs(20);

/// How often the server hears from us, and how long it may be silent then.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
const SILENCE: Duration = Duration::from_secs(20);

/// How long the last words may take.
const FAREWELL: Duration = Duration::from_secs(3);

pub(super) struct Link {
    incoming: Incoming,
    outgoing: PipeWriter,
    /// Brings what goes out to a socket.
    writing: Option<JoinHandle<()>>,
    /// Its own address, over TCP.
    pub(super) local: Option<SocketAddr>,
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

/// Where frames come from.
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
        let incoming = Incoming::Socket { reader, frames: Delimited::new(FRAME_END, LONGEST_FRAME) };
        Ok(Self { writing: Some(writing), local: Some(local), ..Self::new(incoming, outgoing) })
    }

    /// Connects to a server of this process.
    pub(super) async fn connect(server: &LocalConnector) -> io::Result<Self> {
        let LocalConnection { reader, writer } = server.connect().await?;
        Ok(Self::new(Incoming::Local(reader), writer))
    }

    fn new(incoming: Incoming, outgoing: PipeWriter) -> Self {
        let now = Instant::now();
        Self { incoming, outgoing, writing: None, local: None, heard: now, next_keep_alive: now + KEEP_ALIVE }
    }

    /// Its own address, as the schema knows addresses.
    pub(super) fn address(&self) -> SocketAddrV4 {
        match self.local {
            Some(SocketAddr::V4(address)) => address,
            Some(SocketAddr::V6(address)) => SocketAddrV4::new([0; 4].into(), address.port()),
            None => SocketAddrV4::new([0; 4].into(), 0),
        }
    }

    /// The next thing that comes. Nothing is lost if this is dropped before it is done.
    pub(super) async fn next(&mut self) -> Result<Heard, String> {
        loop {
            if let Some(heard) = self.incoming.buffered() {
                return Ok(heard);
            }
            let due = self.next_keep_alive;
            tokio::select! {
                more = self.incoming.more() => {
                    self.heard = Instant::now();
                    if let Some(heard) = more? {
                        return Ok(heard);
                    }
                }
                () = sleep_until(due) => {
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
        match self.outgoing.send(frame, MOST_WAITING) {
            Sent::Taken => Ok(()),
            Sent::Full => Err("the server does not read".to_owned()),
            Sent::Gone => Err("the connection is broken".to_owned()),
        }
    }

    /// Sends what waits, and waits until the server has closed the connection too.
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
    /// What came already.
    fn buffered(&mut self) -> Option<Heard> {
        match self {
            Self::Socket { frames, .. } => Some(match frames.next_frame()? {
                Frame::Whole(at) if at.is_empty() => Heard::Echo,
                Frame::Whole(at) => Heard::Document(frames.bytes(at).to_vec()),
                Frame::TooLong => Heard::TooLong,
            }),
            Self::Local(_) => None,
        }
    }

    /// Waits until something comes; nothing if it is no whole frame yet.
    async fn more(&mut self) -> Result<Option<Heard>, String> {
        const CLOSED: &str = "the server closed the connection";
        match self {
            Self::Socket { reader, frames } => {
                let count = reader.read(frames.space()).await.map_err(|error| error.to_string())?;
                if count == 0 {
                    return Err(CLOSED.to_owned());
                }
                frames.filled(count);
                Ok(None)
            }
            Self::Local(reader) => {
                let mut frame = reader.next().await.ok_or(CLOSED)?;
                frame.pop();
                Ok(Some(if frame.is_empty() { Heard::Echo } else { Heard::Document(frame) }))
            }
        }
    }
}

/// One write for a frame. Ends when nobody sends any more, or nobody reads.
async fn write(mut writer: WriteHalf<Box<dyn Stream>>, mut queued: PipeReader) {
    while let Some(frame) = queued.next().await {
        if !timeout(STALL, writer.write_all(&frame)).await.is_ok_and(|written| written.is_ok()) {
            return;
        }
    }
    let _gone_already = writer.shutdown().await;
}
