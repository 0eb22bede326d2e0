//! A connection as a room sees it: a queue that never makes the room wait.

use std::sync::{Arc, OnceLock};

use commlib::{ConnectionId, Form, PROTOCOL, Reason, Refused, ToClient, Token, Welcome};
use tokio::sync::mpsc;

use crate::stream::Listener;

/// How many batches of bytes may wait for a slow reader before it is dropped.
pub(crate) const LONGEST_OUTBOX: usize = 256;

/// A connection that has taken part in a room.
#[derive(Debug)]
pub struct Peer {
    pub(crate) connection: ConnectionId,
    pub(crate) form: Form,
    pub(crate) listener: Listener,
    pub(crate) sink: Sink,
    /// What is being told, until it is sent in one piece.
    pub(crate) scratch: Vec<u8>,
}

/// The way to a connection.
#[derive(Clone, Debug)]
pub(crate) struct Sink {
    queue: mpsc::Sender<Vec<u8>>,
    /// Why the connection is to end; the first reason counts.
    farewell: Arc<OnceLock<Refused>>,
}

impl Sink {
    pub(crate) fn new() -> (Self, mpsc::Receiver<Vec<u8>>, Arc<OnceLock<Refused>>) {
        let (queue, receiver) = mpsc::channel(LONGEST_OUTBOX);
        let farewell = Arc::new(OnceLock::new());
        (Self { queue, farewell: farewell.clone() }, receiver, farewell)
    }

    /// Sends bytes, or ends a connection that does not read. False: it is over.
    pub(crate) fn send(&self, bytes: Vec<u8>) -> bool {
        match self.queue.try_send(bytes) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Closed(_)) => false,
            Err(mpsc::error::TrySendError::Full(_)) => {
                self.close(Reason::TooSlow, "Too much is waiting for you; read faster, and resume.");
                false
            }
        }
    }

    /// Ends the connection, once what is waiting has been sent and the sink is dropped.
    pub(crate) fn close(&self, reason: Reason, message: &str) {
        let _first_counts = self.farewell.set(Refused { reason, message: message.into() });
    }
}

impl Peer {
    pub(crate) fn new(connection: ConnectionId, form: Form, listener: Listener, sink: Sink) -> Self {
        Self { connection, form, listener, sink, scratch: Vec::new() }
    }

    /// Says who the peer is, and with which event it goes on.
    pub(crate) fn welcome(&mut self, game: &str, token: Option<Token>, seen: u64) {
        let client = match self.listener {
            Listener::Client { client, .. } => Some(client.0),
            Listener::Watcher => None,
        };
        let next = seen.saturating_add(1);
        self.tell(&ToClient::Welcome(Welcome { protocol: PROTOCOL, game: game.into(), client, token, next }));
    }

    /// Sends what was gathered. False: the connection is over.
    pub(crate) fn flush(&mut self) -> bool {
        self.scratch.is_empty() || self.sink.send(std::mem::take(&mut self.scratch))
    }

    pub(crate) fn tell(&mut self, message: &ToClient<()>) {
        commlib::encode(self.form, message, &mut self.scratch).expect("what a host says is short");
    }
}
