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

use crate::documents::FRAME_END;

/// The longest document that is read, in bytes: more than the server lets through.
const LONGEST: usize = 2 << 20;
/// After so many keep-alives without any answer the server is lost.
const UNANSWERED: u32 = 4;

#[derive(Debug)]
pub(super) struct Link {
    stream: TcpStream,
    frames: Delimited,
    heard: Instant,
    said: Instant,
    /// How often the server hears from us.
    keep_alive: Duration,
}

/// What came.
#[derive(Debug)]
pub(super) enum Came {
    Document(Vec<u8>),
    /// It was longer than allowed.
    TooLong,
}

impl Link {
    pub(super) async fn open(server: SocketAddr, keep_alive: Duration) -> io::Result<Self> {
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        let now = Instant::now();
        Ok(Self { stream, frames: Delimited::new(FRAME_END, LONGEST), heard: now, said: now, keep_alive })
    }

    /// Our own address. The schema knows no others than these.
    pub(super) fn address(&self) -> SocketAddrV4 {
        match self.stream.local_addr() {
            Ok(SocketAddr::V4(address)) => address,
            Ok(SocketAddr::V6(address)) => SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, address.port()),
            Err(_) => SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0),
        }
    }

    /// Sends a document in one write.
    pub(super) async fn send(&mut self, document: &str) -> Result<(), String> {
        let frame: Vec<u8> = document.bytes().chain([FRAME_END]).collect();
        self.write(&frame).await
    }

    /// The next document. Nothing is lost if this is dropped before it is done.
    pub(super) async fn next(&mut self) -> Result<Came, String> {
        loop {
            match self.frames.next_frame() {
                // A sign of life.
                Some(Frame::Whole(at)) if at.is_empty() => {}
                Some(Frame::Whole(at)) => return Ok(Came::Document(self.frames.bytes(at).to_vec())),
                Some(Frame::TooLong) => return Ok(Came::TooLong),
                None => self.read().await?,
            }
        }
    }

    async fn read(&mut self) -> Result<(), String> {
        loop {
            let longest = self.keep_alive * UNANSWERED;
            let (keep_alive, silence) = (self.said + self.keep_alive, self.heard + longest);
            tokio::select! {
                read = self.stream.read(self.frames.space()) => {
                    let count = read.map_err(|error| error.to_string())?;
                    if count == 0 {
                        return Err("the server closed the connection".to_owned());
                    }
                    self.frames.filled(count);
                    self.heard = Instant::now();
                    return Ok(());
                }
                () = sleep_until(silence) => return Err(format!("the server says nothing for {longest:?}")),
                // A single byte: it is written, or not at all.
                () = sleep_until(keep_alive) => self.write(&[FRAME_END]).await?,
            }
        }
    }

    async fn write(&mut self, frame: &[u8]) -> Result<(), String> {
        self.said = Instant::now();
        let written = timeout(self.keep_alive * UNANSWERED, self.stream.write_all(frame)).await;
        written.map_err(|_| "the server does not read".to_owned())?.map_err(|error| error.to_string())
    }
}
