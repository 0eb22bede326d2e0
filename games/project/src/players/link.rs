//! A connection to the Communication Server.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr, SocketAddrV4},
    time::Duration,
};

use commlib::{Delimited, Frame};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, sleep_until, timeout},
};

use crate::{LinkError, documents::FRAME_END};

/// The maximum size of a received document, in bytes. The server's limit is lower.
const MAX_DOCUMENT_BYTES: usize = 2 << 20;
/// The number of unanswered keep-alives after which the server counts as lost.
const UNANSWERED: u32 = 4;

#[derive(Debug)]
pub(super) struct Link {
    stream: TcpStream,
    frames: Delimited,
    received: Instant,
    sent: Instant,
    /// The interval of keep-alives.
    keep_alive: Duration,
}

/// A received frame.
#[derive(Debug)]
pub(super) enum Received {
    Document(Vec<u8>),
    /// A document that was longer than allowed.
    TooLong,
}

impl Link {
    pub(super) async fn open(server: SocketAddr, keep_alive: Duration) -> io::Result<Self> {
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        let now = Instant::now();
        Ok(Self { stream, frames: Delimited::new(FRAME_END, MAX_DOCUMENT_BYTES), received: now, sent: now, keep_alive })
    }

    /// The local address. The schema allows only IPv4.
    pub(super) fn address(&self) -> SocketAddrV4 {
        match self.stream.local_addr() {
            Ok(SocketAddr::V4(address)) => address,
            Ok(SocketAddr::V6(address)) => SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, address.port()),
            Err(_) => SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0),
        }
    }

    /// Sends a document in one write.
    pub(super) async fn send(&mut self, document: &str) -> Result<(), LinkError> {
        let frame: Vec<u8> = document.bytes().chain([FRAME_END]).collect();
        self.write(&frame).await
    }

    /// Receives the next document. Cancel safe.
    pub(super) async fn next(&mut self) -> Result<Received, LinkError> {
        loop {
            match self.frames.next_frame() {
                // The answer to a keep-alive.
                Some(Frame::Whole(at)) if at.is_empty() => {}
                Some(Frame::Whole(at)) => return Ok(Received::Document(self.frames.bytes(at).to_vec())),
                Some(Frame::TooLong) => return Ok(Received::TooLong),
                None => self.read().await?,
            }
        }
    }

    async fn read(&mut self) -> Result<(), LinkError> {
        loop {
            let longest = self.keep_alive * UNANSWERED;
            let (keep_alive, silence) = (self.sent + self.keep_alive, self.received + longest);
            tokio::select! {
                read = self.stream.read(self.frames.space()) => {
                    let count = read?;
                    if count == 0 {
                        return Err(LinkError::Closed);
                    }
                    self.frames.filled(count);
                    self.received = Instant::now();
                    return Ok(());
                }
                () = sleep_until(silence) => return Err(LinkError::Silent(longest)),
                // A single byte is written completely or not at all.
                () = sleep_until(keep_alive) => self.write(&[FRAME_END]).await?,
            }
        }
    }

    async fn write(&mut self, frame: &[u8]) -> Result<(), LinkError> {
        self.sent = Instant::now();
        let written = timeout(self.keep_alive * UNANSWERED, self.stream.write_all(frame)).await;
        Ok(written.map_err(|_| LinkError::NotReading)??)
    }
}
