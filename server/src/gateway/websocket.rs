//! A WebSocket that messages go over: the same JSON as in lines over TCP, one message in each text.

use std::{future, mem, time::Duration};

use axum::{
    body::Bytes,
    extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code},
};
use commlib::{Form, Hello, Incoming, ReadError, Reason, Refused, TextDecoder, ToClient, json_messages};
use tokio::time::{sleep, timeout};
use tungstenite::error::{Error, ProtocolError};

use super::transport::{PIECE, SendError};
use crate::limits::{Bucket, Limits, Pace};

/// What came: a text that is a message, or the end.
type Received = Result<Option<Utf8Bytes>, ReadError>;

/// The WebSocket of a client.
pub(crate) struct WebSocketTransport {
    socket: WebSocket,
    limits: commlib::Limits,
    decoder: TextDecoder,
    /// What came behind the last message, once it was looked for.
    ahead: Option<Received>,
    has_looked_ahead: bool,
    /// Pings and pongs of the WebSocket itself, which are no messages.
    pings: Bucket,
    /// One of those has come and is not paid for: nothing more is read before.
    owes: bool,
    /// Bytes of texts since the last [`Self::take_received`].
    received: u64,
    /// The client has sent a close frame, which is to be answered.
    has_left: bool,
}

impl WebSocketTransport {
    pub(crate) fn new(socket: WebSocket, limits: &Limits) -> Self {
        Self {
            socket,
            limits: limits.wire,
            decoder: TextDecoder::new(limits.wire.hello),
            ahead: None,
            has_looked_ahead: false,
            pings: Bucket::new(limits.messages_per_second),
            owes: false,
            received: 0,
            has_left: false,
        }
    }

    /// As [`super::transport::Transport::hello`].
    pub(super) async fn hello(&mut self) -> Result<Option<Hello>, ReadError> {
        let limits = self.limits;
        self.decoder.set_longest(limits.hello);
        let late = |_| ReadError::Refused(limits.late_hello());
        match timeout(limits.handshake, self.next()).await.map_err(late)?? {
            None => Ok(None),
            Some(incoming) => incoming.into_hello().map(Some).map_err(ReadError::Refused),
        }
    }

    /// As [`super::transport::Transport::next_command`].
    pub(super) async fn next_command(&mut self) -> Result<Option<Incoming<'static>>, ReadError> {
        self.decoder.set_longest(self.limits.command);
        self.next().await
    }

    /// As [`super::transport::Transport::is_between_messages`]: a message that comes while the client is made to wait has not
    /// come too early, so there is one look for each message.
    pub(super) async fn is_between_messages(&mut self) -> bool {
        if !mem::replace(&mut self.has_looked_ahead, true) {
            self.look_ahead().await;
        }
        !matches!(self.ahead, Some(Ok(Some(_))))
    }

    pub(super) fn take_received(&mut self) -> u64 {
        mem::take(&mut self.received)
    }

    /// As [`super::transport::Transport::send`]. A client that takes nothing at all is noticed below, where the port has a
    /// clock for every write; one that takes a little now and then is noticed here.
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

    /// As [`super::transport::Transport::turn_away`]: the words, and then a close frame with the same reason.
    pub(super) async fn turn_away(mut self: Box<Self>, refused: Refused) {
        let farewell = self.limits.farewell;
        let last = close_frame(refused.reason);
        let said = async {
            let mut line = Vec::new();
            if commlib::encode(Form::Json, &ToClient::<()>::Closing(refused), &mut line).is_ok() {
                let _it_may_be_gone = self.send(line, farewell).await;
            }
            // A client that took leave first is answered by what receives.
            let _it_may_have_left = self.socket.send(Message::Close(Some(last))).await;
        };
        let _it_does_not_read = timeout(farewell, said).await;
        self.end().await;
    }

    /// As [`super::transport::Transport::leave`].
    pub(super) async fn leave(self: Box<Self>) {
        if self.has_left {
            self.end().await;
        }
    }

    /// Until both sides have said the last word, for the time of a farewell at most. What still comes is forgotten.
    async fn end(mut self: Box<Self>) {
        let ended = async { while let Some(Ok(_)) = self.socket.recv().await {} };
        let _it_never_answers = timeout(self.limits.farewell, ended).await;
    }

    /// Cancel-safe: between what is received and its return nothing waits.
    async fn next(&mut self) -> Result<Option<Incoming<'static>>, ReadError> {
        let received = match self.ahead.take() {
            Some(received) => received,
            None => self.receive().await,
        };
        self.has_looked_ahead = false;
        // Nothing is kept of the text: the socket reads into the same memory again.
        let Some(text) = received? else { return Ok(None) };
        self.decoder.message(&text).map(|incoming| Some(incoming.into_owned())).map_err(ReadError::Refused)
    }

    async fn receive(&mut self) -> Received {
        loop {
            while self.owes {
                match self.pings.take() {
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

    /// Takes what is there already, up to a message.
    async fn look_ahead(&mut self) {
        while self.ahead.is_none() {
            if self.owes && self.pings.take() != Pace::Go {
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

    /// What the gateway hears of something that came; `None` if it is nothing.
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

/// What went wrong while something was read: it is no WebSocket, or too much of one, or the client is gone.
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

/// The last frame: a number that WebSockets have for the reason, and the reason by name.
fn close_frame(reason: Reason) -> CloseFrame {
    let code = match reason {
        Reason::GameOver | Reason::Replaced => close_code::NORMAL,
        Reason::ShuttingDown => close_code::AWAY,
        Reason::TooLarge => close_code::SIZE,
        Reason::TooMany | Reason::StoreFailed => close_code::AGAIN,
        Reason::Internal => close_code::ERROR,
        Reason::BadMessage
        | Reason::WrongProtocol
        | Reason::UnknownGame
        | Reason::UnknownToken
        | Reason::Full
        | Reason::BadScenario
        | Reason::TooSlow
        | Reason::TooFast
        | Reason::Timeout => close_code::POLICY,
    };
    CloseFrame { code, reason: reason.name().into() }
}
