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
use xml::project::FRAME_END;

/// The longest document that is read, in bytes: more than the server lets through.
const LONGEST: usize = 2 << 20;
/// How often the server hears from us, and how long it may say nothing then.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
const SILENCE: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub(super) struct Link {
    stream: TcpStream,
    frames: Delimited,
    heard: Instant,
    said: Instant,
}

/// What came.
#[derive(Debug)]
pub(super) enum Came {
    Document(Vec<u8>),
    /// It was longer than allowed.
    TooLong,
}

impl Link {
    pub(super) async fn open(server: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        let now = Instant::now();
        Ok(Self { stream, frames: Delimited::new(FRAME_END, LONGEST), heard: now, said: now })
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
            let (keep_alive, silence) = (self.said + KEEP_ALIVE, self.heard + SILENCE);
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
                () = sleep_until(silence) => return Err(format!("the server says nothing for {} s", SILENCE.as_secs())),
                // A single byte: it is written, or not at all.
                () = sleep_until(keep_alive) => self.write(&[FRAME_END]).await?,
            }
        }
    }

    async fn write(&mut self, frame: &[u8]) -> Result<(), String> {
        self.said = Instant::now();
        let written = timeout(SILENCE, self.stream.write_all(frame)).await;
        written.map_err(|_| "the server does not read".to_owned())?.map_err(|error| error.to_string())
    }
}
