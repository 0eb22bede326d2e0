//! A WebSocket that carries messages: each text message has the same JSON as a line over TCP.

use std::{future, mem, time::Duration};

use axum::{
    body::Bytes,
    extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code},
};
use commlib::{Form, Greeting, Incoming, ReadError, Reason, Refused, TextDecoder, ToClient, json_messages};
use tokio::time::{sleep, timeout};
use tungstenite::error::{Error, ProtocolError};

use super::transport::{PIECE, SendError};
use crate::limits::{Bucket, Limits, Pace};

/// A received text message, or `None` at the end.
type Received = Result<Option<Utf8Bytes>, ReadError>;

/// The WebSocket of a client.
pub(crate) struct WebSocketTransport {
    socket: WebSocket,
    limits: commlib::Limits,
    decoder: TextDecoder,
    /// The message after the last one, if [`Self::look_ahead`] has received it.
    ahead: Option<Received>,
    /// The rate limit for WebSocket pings and pongs, which do not count as messages.
    pings: Bucket,
    /// Whether a received ping or pong still needs a token. Nothing more is read before it has one.
    owes: bool,
    /// Bytes of text messages since the last [`Self::take_received`].
    received: u64,
    /// Whether the client has sent a close frame, which must be answered.
    has_left: bool,
}

impl WebSocketTransport {
    pub(crate) fn new(socket: WebSocket, limits: &Limits) -> Self {
        Self {
            socket,
            limits: limits.wire,
            decoder: TextDecoder::new(limits.wire.hello),
            ahead: None,
            pings: Bucket::new(limits.messages_per_second),
            owes: false,
            received: 0,
            has_left: false,
        }
    }

    /// See [`super::transport::Transport::greeting`].
    pub(super) async fn greeting(&mut self) -> Result<Option<Greeting>, ReadError> {
        let limits = self.limits;
        self.decoder.set_longest(limits.hello);
        let late = |_| ReadError::Refused(limits.late_hello());
        match timeout(limits.handshake, self.next()).await.map_err(late)?? {
            None => Ok(None),
            Some(incoming) => incoming.into_greeting().map(Some).map_err(ReadError::Refused),
        }
    }

    /// See [`super::transport::Transport::next_command`].
    pub(super) async fn next_command(&mut self) -> Result<Option<Incoming<'static>>, ReadError> {
        self.decoder.set_longest(self.limits.command);
        self.next().await
    }

    /// See [`super::transport::Transport::has_more`]. A message that arrives in parts counts when it is complete.
    pub(super) async fn has_more(&mut self) -> bool {
        self.look_ahead().await;
        matches!(self.ahead, Some(Ok(Some(_))))
    }

    /// See [`super::transport::Transport::left`].
    pub(super) async fn left(&mut self) {
        if self.ahead.is_none() {
            self.ahead = Some(self.receive().await);
        }
        match &self.ahead {
            Some(Ok(None) | Err(_)) => {}
            Some(Ok(Some(_))) | None => future::pending().await,
        }
    }

    pub(super) fn take_received(&mut self) -> u64 {
        mem::take(&mut self.received)
    }

    /// See [`super::transport::Transport::send`]. The write timeout of the port detects a client that reads nothing. This
    /// function detects a client that reads too little.
    pub(super) async fn send(&mut self, encoded: Vec<u8>, stall: Duration) -> Result<(), SendError> {
        let encoded = Bytes::from(encoded);
        for line in json_messages(&encoded) {
            let text = Utf8Bytes::try_from(encoded.slice_ref(line)).expect("JSON is UTF-8");
            let pieces = u32::try_from(line.len().div_ceil(PIECE)).unwrap_or(u32::MAX);
            match timeout(stall.saturating_mul(pieces), self.socket.send(Message::Text(text))).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Err(SendError::Gone),
                Err(_) => return Err(SendError::Stalled),
            }
        }
        Ok(())
    }

    /// See [`super::transport::Transport::turn_away`]. Sends the reason, then a close frame with the same reason.
    pub(super) async fn turn_away(mut self: Box<Self>, refused: Refused) {
        let farewell = self.limits.farewell;
        let last = close_frame(refused.reason);
        let said = async {
            let mut line = Vec::new();
            if commlib::encode(Form::Json, &ToClient::<()>::Closing(refused), &mut line).is_ok() {
                let _it_may_be_gone = self.send(line, farewell).await;
            }
            // If the client has sent a close frame first, the receiving side answers it.
            let _it_may_have_left = self.socket.send(Message::Close(Some(last))).await;
        };
        let _it_does_not_read = timeout(farewell, said).await;
        self.end().await;
    }

    /// See [`super::transport::Transport::leave`].
    pub(super) async fn leave(self: Box<Self>) {
        if self.has_left {
            self.end().await;
        }
    }

    /// Waits until both sides have closed, for at most the farewell time. Discards further messages.
    async fn end(mut self: Box<Self>) {
        let ended = async { while let Some(Ok(_)) = self.socket.recv().await {} };
        let _it_never_answers = timeout(self.limits.farewell, ended).await;
    }

    /// Cancel-safe: there is no await between receiving a message and returning it.
    async fn next(&mut self) -> Result<Option<Incoming<'static>>, ReadError> {
        let received = match self.ahead.take() {
            Some(received) => received,
            None => self.receive().await,
        };
        // The text is not kept, so the socket can reuse its memory.
        let Some(text) = received? else { return Ok(None) };
        self.decoder.message(&text).map(|incoming| Some(incoming.into_owned())).map_err(ReadError::Refused)
    }

    async fn receive(&mut self) -> Received {
        loop {
            while self.owes {
                match self.pings.take(1) {
                    Pace::Go => self.owes = false,
                    Pace::Wait(wait) => sleep(wait).await,
                }
            }
            let came = self.socket.recv().await;
            if let Some(received) = self.sort(came) {
                return received;
            }
        }
    }

    /// Receives everything that has already arrived, up to and including one message.
    async fn look_ahead(&mut self) {
        while self.ahead.is_none() {
            if self.owes && self.pings.take(1) != Pace::Go {
                return;
            }
            self.owes = false;
            let came = tokio::select! {
                biased;
                came = self.socket.recv() => came,
                () = future::ready(()) => return,
            };
            self.ahead = self.sort(came);
        }
    }

    /// Converts a received WebSocket message for the gateway; `None` if the gateway ignores it.
    fn sort(&mut self, came: Option<Result<Message, axum::Error>>) -> Option<Received> {
        match came {
            Some(Ok(Message::Text(text))) => {
                self.received += text.len() as u64;
                (!self.decoder.ignores(&text)).then_some(Ok(Some(text)))
            }
            Some(Ok(Message::Binary(_))) => {
                let words = "Messages are text here; binary ones go over TCP.";
                Some(Err(ReadError::Refused(Refused::new(Reason::BadMessage, words))))
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {
                self.owes = true;
                None
            }
            Some(Ok(Message::Close(_))) => {
                self.has_left = true;
                Some(Ok(None))
            }
            Some(Err(error)) => Some(Err(read_error(error))),
            None => Some(Ok(None)),
        }
    }
}

/// Converts a read error: a violation of the protocol, a message that is too long, or a client that is gone.
fn read_error(error: axum::Error) -> ReadError {
    let refuse = |reason, error: &dyn std::error::Error| {
        ReadError::Refused(Refused::new(reason, format!("What came cannot be taken: {error}.")))
    };
    match error.into_inner().downcast().map(|error| *error) {
        Ok(Error::Io(error)) => ReadError::Io(error),
        Ok(Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)) => ReadError::Cut,
        Ok(error @ Error::Capacity(_)) => refuse(Reason::TooLarge, &error),
        Ok(error) => refuse(Reason::BadMessage, &error),
        Err(error) => refuse(Reason::BadMessage, &*error),
    }
}

/// The close frame: the WebSocket close code for the reason, and the name of the reason.
fn close_frame(reason: Reason) -> CloseFrame {
    let code = match reason {
        Reason::GameOver | Reason::Replaced => close_code::NORMAL,
        Reason::ShuttingDown => close_code::AWAY,
        Reason::TooLarge => close_code::SIZE,
        Reason::TooMany | Reason::StoreFailed | Reason::StoreUnavailable => close_code::AGAIN,
        Reason::Internal | Reason::Damaged => close_code::ERROR,
        Reason::BadMessage
        | Reason::WrongProtocol
        | Reason::UnknownGame
        | Reason::UnknownToken
        | Reason::Full
        | Reason::BadScenario
        | Reason::TooSlow
        | Reason::TooFast
        | Reason::Timeout
        | Reason::AccountRequired
        | Reason::NameTaken
        | Reason::Denied => close_code::POLICY,
    };
    CloseFrame { code, reason: reason.name().into() }
}
