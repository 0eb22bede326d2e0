//! The two directions of an accepted connection.

use std::{fmt, future::poll_fn, io, pin::Pin, task::Poll};

use serde::Serialize;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf},
    time::timeout,
};

use crate::{Decoder, EncodeError, Form, Greeting, Incoming, Limits, Refused, ToClient, encode};

/// The maximum number of bytes to read and drop from a connection that is being closed.
const DRAINED: usize = 64 << 10;

/// Splits a connection of any kind into its two directions.
pub fn split_stream<S>(stream: S, limits: Limits) -> (Reader, Writer)
where
    S: AsyncRead + AsyncWrite + Send + 'static,
{
    let (reading, writing) = tokio::io::split(stream);
    (Reader::new(reading, limits), Writer::new(writing))
}

/// Receives a client's messages.
pub struct Reader {
    stream: Box<dyn AsyncRead + Send + Unpin>,
    decoder: Decoder,
    limits: Limits,
    /// The number of bytes since the last [`Self::take_received`].
    received: u64,
}

impl Reader {
    pub(crate) fn new(stream: impl AsyncRead + Send + Unpin + 'static, limits: Limits) -> Self {
        Self { stream: Box::new(stream), decoder: Decoder::new(limits.hello), limits, received: 0 }
    }

    /// The form of the answers: the client's form, or JSON before the first byte.
    pub fn form(&self) -> Form {
        self.decoder.form().unwrap_or(Form::Json)
    }

    /// Whether a part of the next message has arrived. Reads what the system has already received, and does not wait.
    pub async fn has_more(&mut self) -> bool {
        let Self { stream, decoder, .. } = self;
        if decoder.is_between_messages() {
            let read = poll_fn(|context| {
                let mut space = ReadBuf::new(decoder.space());
                // The next read returns the same end or error again.
                let _nothing_yet = Pin::new(&mut *stream).poll_read(context, &mut space);
                Poll::Ready(space.filled().len())
            });
            let count = read.await;
            self.received += count as u64;
            self.decoder.filled(count);
        }
        !self.decoder.is_between_messages()
    }

    /// Resolves when the client has closed the connection, unless another message has arrived before. Cancel-safe: bytes that
    /// arrive are kept for the next message.
    pub async fn left(&mut self) {
        while self.decoder.is_between_messages() {
            let space = self.decoder.space();
            if space.is_empty() {
                break;
            }
            match self.stream.read(space).await {
                // The next read returns the same end or error again.
                Ok(0) | Err(_) => return,
                Ok(count) => {
                    self.received += count as u64;
                    self.decoder.filled(count);
                }
            }
        }
        std::future::pending().await
    }

    /// The number of bytes received since the last call.
    pub fn take_received(&mut self) -> u64 {
        std::mem::take(&mut self.received)
    }

    /// Receives the hello, within the limits of its time and size; `None` if the client closes the connection. Cancel-safe, but
    /// each call restarts the time limit.
    ///
    /// # Errors
    /// If the message is not a hello or breaks a limit, or if the connection fails.
    pub async fn greeting(&mut self) -> Result<Option<Greeting>, ReadError> {
        let limits = self.limits;
        self.decoder.set_longest(limits.hello);
        let late = |_| ReadError::Refused(limits.late_hello());
        match timeout(limits.handshake, self.next()).await.map_err(late)?? {
            None => Ok(None),
            Some(incoming) => incoming.into_greeting().map(Some).map_err(ReadError::Refused),
        }
    }

    /// Receives the next message; `None` if the client closes the connection. Cancel-safe.
    ///
    /// # Errors
    /// If the bytes are not a message or break a limit, or if the connection fails.
    pub async fn next_command(&mut self) -> Result<Option<Incoming<'_>>, ReadError> {
        self.decoder.set_longest(self.limits.command);
        self.next().await
    }

    /// Reads and drops the bytes that the client still sends, for at most [`Limits::farewell`] and up to a maximum number of
    /// bytes.
    ///
    /// Closing a socket with unread bytes resets the connection, and the client may lose the last message.
    pub async fn drain(mut self) {
        let ended = async {
            let mut dropped = [0; 8 << 10];
            let mut most = DRAINED;
            while let Ok(count @ 1..) = self.stream.read(&mut dropped).await {
                most = most.saturating_sub(count);
                if most == 0 {
                    // Do not spend more time on a flood: leave it in the system's buffers until the time is over.
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

/// Leaves out the bytes, because they may contain a token.
impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// Sends messages to a client.
pub struct Writer {
    stream: Box<dyn AsyncWrite + Send + Unpin>,
    buffer: Vec<u8>,
}

impl Writer {
    pub(crate) fn new(stream: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        Self { stream: Box::new(stream), buffer: Vec::new() }
    }

    /// Sends the bytes of one or more messages that [`encode()`] wrote. It waits while the client does not read, so the caller
    /// needs a timeout.
    ///
    /// # Errors
    /// If the connection fails.
    pub async fn send(&mut self, encoded: &[u8]) -> io::Result<()> {
        self.stream.write_all(encoded).await?;
        // An encrypted stream keeps what the system does not take at once.
        self.stream.flush().await
    }

    /// Encodes and sends a message.
    ///
    /// # Errors
    /// If the message cannot be encoded, or the connection fails.
    pub async fn send_message<E: Serialize>(&mut self, form: Form, message: &ToClient<E>) -> Result<(), WriteError> {
        self.buffer.clear();
        encode(form, message, &mut self.buffer).map_err(WriteError::Encode)?;
        self.stream.write_all(&self.buffer).await.map_err(WriteError::Io)?;
        self.stream.flush().await.map_err(WriteError::Io)
    }

    /// Closes the direction to the client. The other direction stays open; see [`Reader::drain`].
    ///
    /// # Errors
    /// If the connection fails.
    pub async fn close(mut self) -> io::Result<()> {
        self.stream.shutdown().await
    }
}

/// Leaves out the bytes, because they may contain a token.
impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

/// Closes a connection with a last message, within twice [`Limits::farewell`]. It ignores errors: the client may be gone.
pub async fn turn_away(reader: Reader, mut writer: Writer, refused: Refused) {
    let form = reader.form();
    let farewell = async {
        let _ = writer.send_message(form, &ToClient::<()>::Closing(refused)).await;
        let _ = writer.close().await;
    };
    let _ = timeout(reader.limits.farewell, farewell).await;
    reader.drain().await;
}

/// Why nothing more can be read.
#[derive(Debug)]
pub enum ReadError {
    /// The client's bytes break the protocol or a limit. Send this refusal and close the connection.
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
    /// The message cannot be encoded.
    Encode(EncodeError),
    /// The socket failed.
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
