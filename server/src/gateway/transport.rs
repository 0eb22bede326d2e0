//! Receives messages from a client and sends messages to it. The layers above work on messages and are independent of sockets.

use std::time::Duration;

use commlib::{Form, Greeting, Incoming, ReadError, Reader, Refused, Writer};
use tokio::time::timeout;

use super::{link_transport::LinkTransport, websocket::WebSocketTransport};

/// The number of bytes that a client must read within the stall time.
pub(super) const PIECE: usize = 64 << 10;

/// A connection that carries messages.
#[expect(clippy::large_enum_variant, reason = "almost every connection is a socket, and it is moved once")]
pub(super) enum Transport {
    /// TCP with frames or lines; the first byte selects the form.
    Socket { reader: Reader, writer: Writer },
    /// A WebSocket. Each text message has the same JSON as a line over TCP.
    WebSocket(Box<WebSocketTransport>),
    /// A client that another host passed on.
    Link(Box<LinkTransport>),
}

/// Why sending failed. Part of the data may have been sent.
#[derive(Debug)]
pub(super) enum SendError {
    /// The connection has ended.
    Gone,
    /// The client read nothing, or almost nothing, for too long.
    Stalled,
}

impl Transport {
    /// The form to answer in: the client's form, or JSON until the client has sent something.
    pub(super) fn form(&self) -> Form {
        match self {
            Self::Socket { reader, .. } => reader.form(),
            Self::WebSocket(_) => Form::Json,
            Self::Link(link) => link.form(),
        }
    }

    /// Receives the hello, or a token of an account before it, within the time and size limits; `None` at a clean end. Cancel-safe, but each call starts the time
    /// limit again.
    pub(super) async fn greeting(&mut self) -> Result<Option<Greeting>, ReadError> {
        match self {
            Self::Socket { reader, .. } => reader.greeting().await,
            Self::WebSocket(socket) => socket.greeting().await,
            Self::Link(link) => link.greeting().await,
        }
    }

    /// How long another host had the last hello before it passed it on.
    pub(super) fn waited(&self) -> Duration {
        match self {
            Self::Link(link) => link.waited(),
            Self::Socket { .. } | Self::WebSocket(_) => Duration::ZERO,
        }
    }

    /// Whether another host said that the client of the last hello knows the reasons of accounts.
    pub(super) fn knows_accounts(&self) -> bool {
        match self {
            Self::Link(link) => link.knows_accounts(),
            Self::Socket { .. } | Self::WebSocket(_) => false,
        }
    }

    /// Receives the next message; `None` at a clean end. Cancel-safe.
    pub(super) async fn next_command(&mut self) -> Result<Option<Incoming<'_>>, ReadError> {
        match self {
            Self::Socket { reader, .. } => reader.next_command().await,
            Self::WebSocket(socket) => socket.next_command().await,
            Self::Link(link) => link.next_command().await,
        }
    }

    /// Whether another message, or a part of it, has already arrived. Does not wait.
    pub(super) async fn has_more(&mut self) -> bool {
        match self {
            Self::Socket { reader, .. } => reader.has_more().await,
            Self::WebSocket(socket) => socket.has_more().await,
            // The other host has counted its messages.
            Self::Link(_) => false,
        }
    }

    /// Resolves when the client has left, unless another message has arrived before. Cancel-safe.
    pub(super) async fn left(&mut self) {
        match self {
            Self::Socket { reader, .. } => reader.left().await,
            Self::WebSocket(socket) => socket.left().await,
            Self::Link(link) => link.left().await,
        }
    }

    /// The number of message bytes received since the last call.
    pub(super) fn take_received(&mut self) -> u64 {
        match self {
            Self::Socket { reader, .. } => reader.take_received(),
            Self::WebSocket(socket) => socket.take_received(),
            Self::Link(_) => 0,
        }
    }

    /// Sends one or more messages that [`commlib::encode`] wrote in [`Self::form`]. The client must read at least [`PIECE`]
    /// bytes within each stall time.
    pub(super) async fn send(&mut self, encoded: Vec<u8>, stall: Duration) -> Result<(), SendError> {
        match self {
            Self::Socket { writer, .. } => send_in_pieces(writer, &encoded, stall).await,
            Self::WebSocket(socket) => socket.send(encoded, stall).await,
            Self::Link(link) => link.send(&encoded, stall).await,
        }
    }

    /// Whether another host took this client and checks its limits.
    pub(super) fn is_link(&self) -> bool {
        match self {
            Self::Link(_) => true,
            Self::Socket { .. } | Self::WebSocket(_) => false,
        }
    }

    /// Sends the reason and closes the connection, within about twice the farewell time. Ignores a client that is gone or does
    /// not read.
    pub(super) async fn turn_away(self, refused: Refused) {
        match self {
            Self::Socket { reader, writer } => commlib::turn_away(reader, writer, refused).await,
            Self::WebSocket(socket) => socket.turn_away(refused).await,
            Self::Link(link) => link.turn_away(refused).await,
        }
    }

    /// Closes the connection of a client that has left.
    pub(super) async fn leave(self) {
        match self {
            Self::Socket { .. } | Self::Link(_) => {}
            Self::WebSocket(socket) => socket.leave().await,
        }
    }
}

/// Sends in pieces: a client that reads a long message slowly is slow, and only a client that reads nothing is stalled.
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
