//! How messages come from a client and go to it. Everything above this works on messages and knows no socket.

use std::time::Duration;

use commlib::{Form, Hello, Incoming, ReadError, Reader, Refused, Writer};
use tokio::time::timeout;

use super::websocket::WebSocketTransport;

/// How much a client must read in the time of a stall.
pub(super) const PIECE: usize = 64 << 10;

/// A connection that messages go over.
pub(super) enum Transport {
    /// TCP with frames or lines; the first byte says which.
    Socket { reader: Reader, writer: Writer },
    /// Text messages with the JSON of the lines.
    WebSocket(Box<WebSocketTransport>),
}

/// Why something could not be sent. Part of it may be on its way.
#[derive(Debug)]
pub(super) enum SendError {
    /// The connection has ended.
    Gone,
    /// The client read nothing, or next to nothing, for too long.
    Stalled,
}

impl Transport {
    /// The form to answer in: the client's, or JSON as long as it has not shown one.
    pub(super) fn form(&self) -> Form {
        match self {
            Self::Socket { reader, .. } => reader.form(),
            Self::WebSocket(_) => Form::Json,
        }
    }

    /// The hello that has to come now, in the time and size that the limits give it; `None` at a clean end. Cancel-safe,
    /// but the time starts again.
    pub(super) async fn hello(&mut self) -> Result<Option<Hello>, ReadError> {
        match self {
            Self::Socket { reader, .. } => reader.hello().await,
            Self::WebSocket(socket) => socket.hello().await,
        }
    }

    /// The next message; `None` at a clean end. Cancel-safe.
    pub(super) async fn next_command(&mut self) -> Result<Option<Incoming<'_>>, ReadError> {
        match self {
            Self::Socket { reader, .. } => reader.next_command().await,
            Self::WebSocket(socket) => socket.next_command().await,
        }
    }

    /// Whether nothing of another message had come yet when the last one was taken. Answers at once.
    pub(super) async fn is_between_messages(&mut self) -> bool {
        match self {
            Self::Socket { reader, .. } => reader.is_between_messages(),
            Self::WebSocket(socket) => socket.is_between_messages().await,
        }
    }

    /// How many bytes of messages have come since this was asked last.
    pub(super) fn take_received(&mut self) -> u64 {
        match self {
            Self::Socket { reader, .. } => reader.take_received(),
            Self::WebSocket(socket) => socket.take_received(),
        }
    }

    /// Sends what [`commlib::encode`] wrote in [`Self::form`], one message or many, to a client that reads at least a piece
    /// in the time of a stall.
    pub(super) async fn send(&mut self, encoded: Vec<u8>, stall: Duration) -> Result<(), SendError> {
        match self {
            Self::Socket { writer, .. } => send_in_pieces(writer, &encoded, stall).await,
            Self::WebSocket(socket) => socket.send(encoded, stall).await,
        }
    }

    /// Closes the connection and says why, within the time of a farewell or two. A client that is gone or does not listen
    /// is no matter here.
    pub(super) async fn turn_away(self, refused: Refused) {
        match self {
            Self::Socket { reader, writer } => commlib::turn_away(reader, writer, refused).await,
            Self::WebSocket(socket) => socket.turn_away(refused).await,
        }
    }

    /// Lets go of a client that has left.
    pub(super) async fn leave(self) {
        match self {
            Self::Socket { .. } => {}
            Self::WebSocket(socket) => socket.leave().await,
        }
    }
}

/// Piece by piece: a client that takes long for much is slow, and only one that takes nothing is stalled.
async fn send_in_pieces(writer: &mut Writer, encoded: &[u8], stall: Duration) -> Result<(), SendError> {
    for piece in encoded.chunks(PIECE) {
        match timeout(stall, writer.send(piece)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return Err(SendError::Gone),
            Err(_) => return Err(SendError::Stalled),
        }
    }
    Ok(())
}
