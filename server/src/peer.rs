//! A connection as a room sees it: a queue that never makes the room wait.

use std::sync::{Arc, OnceLock};

use commlib::{ConnectionId, Dialect, Form, Reason, Refused, ToClient, Token, Welcome};
use tokio::{sync::mpsc, time::Instant};

use crate::{limits::Allowance, stream::Subscriber};

/// The maximum number of batches that wait for a slow reader before it is disconnected.
pub(crate) const LONGEST_OUTBOX: usize = 256;

/// A connection that has joined a room.
#[derive(Debug)]
pub struct Peer {
    pub(crate) connection: ConnectionId,
    pub(crate) form: Form,
    pub(crate) dialect: Dialect,
    pub(crate) subscriber: Subscriber,
    pub(crate) sink: Sink,
    /// When the client sent its hello.
    pub(crate) greeted: Instant,
    /// Messages that are collected until they are sent together.
    pub(crate) scratch: Vec<u8>,
    pub(crate) notices: Wish,
    /// Lines of chat that this connection may still write, for one without a seat.
    pub(crate) chat_allowance: Option<Allowance>,
    /// The number of a spectator that has written.
    pub(crate) spectator: Option<u32>,
    /// Reports that this connection may still send.
    pub(crate) report_allowance: Option<Allowance>,
    /// The writers whose lines of chat this connection does not want.
    pub(crate) muted: Vec<String>,
}

/// Whether a connection receives notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    Unasked,
    /// It waits for the snapshot, which waits for the chat.
    Waiting,
    Told,
}

/// The facts of a welcome.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'p> {
    pub(crate) game: &'p str,
    pub(crate) rulebook: &'p str,
    pub(crate) edition: &'p str,
    /// The scenario of the game.
    pub(crate) scenario: Option<&'p str>,
    /// The number of commands of the peer that the game has received.
    pub(crate) commands: u64,
}

/// The sending side of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Sink {
    queue: mpsc::Sender<Vec<u8>>,
    /// Why the connection must end; the first reason is kept.
    farewell: Arc<OnceLock<Refused>>,
}

impl Sink {
    pub(crate) fn new() -> (Self, mpsc::Receiver<Vec<u8>>, Arc<OnceLock<Refused>>) {
        let (queue, receiver) = mpsc::channel(LONGEST_OUTBOX);
        let farewell = Arc::new(OnceLock::new());
        (Self { queue, farewell: farewell.clone() }, receiver, farewell)
    }

    /// Queues bytes, or ends a connection that does not read. Returns false if the connection has ended.
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

    /// Ends the connection after the queued messages are sent and the sink is dropped.
    pub(crate) fn close(&self, reason: Reason, message: &str) {
        let _first_counts = self.farewell.set(Refused { reason, message: message.into() });
    }
}

impl Peer {
    pub(crate) fn new(
        connection: ConnectionId,
        (form, dialect): (Form, Dialect),
        subscriber: Subscriber,
        sink: Sink,
    ) -> Self {
        Self {
            connection,
            form,
            dialect,
            subscriber,
            sink,
            greeted: Instant::now(),
            scratch: Vec::new(),
            notices: Wish::Unasked,
            chat_allowance: None,
            spectator: None,
            report_allowance: None,
            muted: Vec::new(),
        }
    }

    /// Queues the welcome: the client, the game, and the last event that the client has seen.
    pub(crate) fn welcome(&mut self, place: &Place<'_>, token: Option<Token>, seen: u64) {
        let (client, scenario) = match self.subscriber {
            Subscriber::Client { client, .. } => (Some(client.0), None),
            Subscriber::Watcher => (None, place.scenario),
        };
        let welcome = Welcome {
            protocol: self.dialect.protocol,
            game: place.game.into(),
            client,
            token,
            next: seen.saturating_add(1),
            rulebook: place.rulebook.into(),
            edition: place.edition.into(),
            commands: place.commands,
            scenario: scenario.map(Into::into),
        };
        commlib::encode_welcome(self.form, welcome, &mut self.scratch).expect("a scenario fits a frame");
    }

    /// Sends the collected messages. Returns false if the connection has ended.
    pub(crate) fn flush(&mut self) -> bool {
        self.scratch.is_empty() || self.sink.send(std::mem::take(&mut self.scratch))
    }

    pub(crate) fn tell(&mut self, message: &ToClient<()>) {
        commlib::encode(self.form, message, &mut self.scratch).expect("what a host says is short enough");
    }

    /// Refuses a command, with a reason that the client knows.
    pub(crate) fn refuse(&mut self, refused: Refused) {
        self.tell(&ToClient::Refused(refused.in_dialect(self.dialect)));
    }
}
