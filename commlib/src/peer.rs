//! Both directions of an accepted connection.

use std::{fmt, io};

use serde::Serialize;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::tcp::{OwnedReadHalf, OwnedWriteHalf},
    time::timeout,
};

use crate::{Decoder, EncodeError, Form, Hello, Incoming, Limits, Refused, ToClient, encode};

/// More than a client sends that means well.
const DRAINED: usize = 64 << 10;

/// What a client says.
#[derive(Debug)]
pub struct Reader {
    stream: OwnedReadHalf,
    decoder: Decoder,
    limits: Limits,
    /// Bytes since somebody asked.
    received: u64,
}

impl Reader {
    pub(crate) fn new(stream: OwnedReadHalf, limits: Limits) -> Self {
        Self { stream, decoder: Decoder::new(limits.hello), limits, received: 0 }
    }

    /// The form to answer in: the client's, or JSON as long as it has not shown one.
    pub fn form(&self) -> Form {
        self.decoder.form().unwrap_or(Form::Json)
    }

    /// Nothing has come of the next message so far.
    pub fn is_between_messages(&self) -> bool {
        self.decoder.is_between_messages()
    }

    /// How many bytes have come since this was asked last.
    pub fn take_received(&mut self) -> u64 {
        std::mem::take(&mut self.received)
    }

    /// The hello that has to come now, in the time and size that the limits give it; `None` at a clean end. Cancel-safe,
    /// but the time starts anew.
    pub async fn hello(&mut self) -> Result<Option<Hello>, ReadError> {
        let limits = self.limits;
        self.decoder.set_longest(limits.hello);
        let late = |_| ReadError::Refused(limits.late_hello());
        match timeout(limits.handshake, self.next()).await.map_err(late)?? {
            None => Ok(None),
            Some(incoming) => incoming.into_hello().map(Some).map_err(ReadError::Refused),
        }
    }

    /// The next message; `None` at a clean end. Cancel-safe.
    pub async fn next_command(&mut self) -> Result<Option<Incoming<'_>>, ReadError> {
        self.decoder.set_longest(self.limits.command);
        self.next().await
    }

    /// Reads and forgets what the client still sends, for the time of a farewell at most, and not a flood of it.
    ///
    /// A socket that is closed with unread bytes resets the connection, and the words that it was closed with are lost.
    pub async fn drain(mut self) {
        let ended = async {
            let mut forgotten = [0; 8 << 10];
            let mut most = DRAINED;
            while let Ok(count @ 1..) = self.stream.read(&mut forgotten).await {
                most = most.saturating_sub(count);
                if most == 0 {
                    // A flood is left in the system's buffers until the time is over: to read it all is what it wants.
                    std::future::pending::<()>().await;
                }
            }
        };
        let _ = timeout(self.limits.farewell, ended).await;
    }

    async fn next(&mut self) -> Result<Option<Incoming<'_>>, ReadError> {
        let found = loop {
            if let Some(found) = self.decoder.locate().map_err(ReadError::Refused)? {
                break found;
            }
            match self.stream.read(self.decoder.space()).await.map_err(ReadError::Io)? {
                0 if self.decoder.is_between_messages() => return Ok(None),
                0 => return Err(ReadError::Cut),
                count => {
                    self.received += count as u64;
                    self.decoder.filled(count);
                }
            }
        };
        self.decoder.read(found).map(Some).map_err(ReadError::Refused)
    }
}

/// What a client is told.
pub struct Writer {
    stream: OwnedWriteHalf,
    buffer: Vec<u8>,
}

impl Writer {
    pub(crate) fn new(stream: OwnedWriteHalf) -> Self {
        Self { stream, buffer: Vec::new() }
    }

    /// Sends what [`encode()`] wrote, one message or many. Waits as long as the client does not read: whoever calls this
    /// has the clock.
    pub async fn send(&mut self, encoded: &[u8]) -> io::Result<()> {
        self.stream.write_all(encoded).await
    }

    pub async fn send_message<E: Serialize>(&mut self, form: Form, message: &ToClient<E>) -> Result<(), WriteError> {
        self.buffer.clear();
        encode(form, message, &mut self.buffer).map_err(WriteError::Encode)?;
        self.stream.write_all(&self.buffer).await.map_err(WriteError::Io)
    }

    /// Tells the client that nothing more comes. Its other direction stays open; see [`Reader::drain`].
    pub async fn close(mut self) -> io::Result<()> {
        self.stream.shutdown().await
    }
}

/// Without the bytes: a token may be among them.
impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("stream", &self.stream).finish_non_exhaustive()
    }
}

/// Closes a connection and says why, within the time of a farewell or two. A client that is gone or does not listen is
/// no matter here.
pub async fn turn_away(reader: Reader, mut writer: Writer, refused: Refused) {
    let form = reader.form();
    let said = async {
        let _ = writer.send_message(form, &ToClient::<()>::Closing(refused)).await;
        let _ = writer.close().await;
    };
    let _ = timeout(reader.limits.farewell, said).await;
    reader.drain().await;
}

/// Why nothing more can be read.
#[derive(Debug)]
pub enum ReadError {
    /// What came breaks a rule or a limit: say so and close.
    Refused(Refused),
    /// The client left in the middle of a message.
    Cut,
    /// The socket failed.
    Io(io::Error),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refused) => refused.fmt(f),
            Self::Cut => f.write_str("the connection ended in the middle of a message"),
            Self::Io(error) => write!(f, "the connection failed: {error}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Why a message was not sent.
#[derive(Debug)]
pub enum WriteError {
    Encode(EncodeError),
    Io(io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encode(error) => error.fmt(f),
            Self::Io(error) => write!(f, "the connection failed: {error}"),
        }
    }
}

impl std::error::Error for WriteError {}
