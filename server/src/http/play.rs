//! Playing over a WebSocket: the same JSON messages as in lines over TCP, one in each text message. Between the socket and
//! the gateway they are lines, so that everything the gateway does and demands is the same.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{
        State,
        ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code, rejection::WebSocketUpgradeRejection},
    },
    http::{HeaderMap, StatusCode},
    response::Response,
};
use commlib::{Form, LONGEST_FRAME, Peer, Reason, Refused, ToClient};
use serde::de::IgnoredAny;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, split},
    time::timeout,
};

use super::{Visitor, answer::Problem, change::is_no_foreign_page};
use crate::{
    gateway::attend,
    host::Host,
    limits::{Bucket, Pace},
};

/// What a message may have beyond the longest line, so that the gateway is the one to refuse it.
const ALLOWANCE: usize = 1 << 10;

pub(super) async fn play(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    is_no_foreign_page(&headers)?;
    let no_socket = |_| {
        let words = "This is a WebSocket: Connection: Upgrade, Upgrade: websocket, and what belongs to it.";
        Problem::new(StatusCode::UPGRADE_REQUIRED, "bad_message", words)
    };
    let upgrade = upgrade.map_err(no_socket)?;
    let upgrade = upgrade.max_message_size(LONGEST_FRAME + ALLOWANCE).max_frame_size(LONGEST_FRAME + ALLOWANCE);
    let upgrade = upgrade.read_buffer_size(8 << 10).write_buffer_size(0);
    Ok(upgrade.on_upgrade(|socket| carry(socket, visitor, host)))
}

/// Puts a socket to the gateway, and carries what the two say to each other until both have ended.
async fn carry(socket: WebSocket, visitor: Visitor, host: Arc<Host>) {
    let limits = host.options.limits;
    let full = |_| Refused::new(Reason::TooMany, "Too many watch or play already; try again later.");
    let place = host.watching.clone().try_acquire_owned().map_err(full);
    let admitted = match &place {
        Ok(_) => visitor.players.admit(visitor.address.ip(), &limits),
        Err(refused) => Err(refused.clone()),
    };
    let (peer, stream) = Peer::carried(visitor.address, limits.wire);
    let attended = tokio::spawn(attend(peer, admitted, host, visitor.stop));
    let (lines, inbox) = split(stream);
    // Whatever comes first is a line: white space in front of it says so.
    let mut carrier = Carrier { socket, waiting: b"\n".into(), bucket: Bucket::new(limits.messages_per_second) };
    let farewell = carrier.run(lines, inbox).await;
    // The other side answers a farewell, or it has gone.
    let parting = async {
        let Some(farewell) = farewell else { return };
        // Whoever took leave first is answered by what receives.
        let _it_took_leave_first = carrier.socket.send(Message::Close(Some(farewell))).await;
        while let Some(Ok(_)) = carrier.socket.recv().await {}
    };
    let _it_never_answers = timeout(limits.wire.farewell, parting).await;
    let _it_has_no_result = attended.await;
    drop((place, visitor.place));
}

/// Between a socket and lines.
struct Carrier {
    socket: WebSocket,
    /// What has come and waits for the gateway.
    waiting: Vec<u8>,
    /// Pings and pongs, which no gateway counts.
    bucket: Bucket,
}

impl Carrier {
    /// Goes on until one side ends, and gives what the client is to be told; nothing to one that is gone or does not read.
    async fn run(&mut self, lines: ReadHalf<DuplexStream>, mut inbox: WriteHalf<DuplexStream>) -> Option<CloseFrame> {
        let mut lines = BufReader::new(lines).lines();
        let mut last = None;
        loop {
            // Both directions at once: the gateway may wait for somebody to take what it says before it listens.
            tokio::select! {
                line = lines.next_line() => {
                    let Ok(Some(line)) = line else { return Some(closed(last)) };
                    last = farewell(&line);
                    if self.socket.send(Message::Text(line.into())).await.is_err() {
                        return None;
                    }
                }
                taken = inbox.write(&self.waiting), if !self.waiting.is_empty() => match taken {
                    Ok(count) => drop(self.waiting.drain(..count)),
                    // The gateway reads nothing more; what it said last is on its way.
                    Err(_) => self.waiting.clear(),
                },
                came = self.socket.recv(), if self.waiting.is_empty() => {
                    let heard = match came {
                        Some(Ok(message)) => self.hear(message).await,
                        Some(Err(error)) => Err(Some(broken(&error))),
                        None => Err(None),
                    };
                    if let Err(end) = heard {
                        return Some(self.turn_away(end).await);
                    }
                }
            }
        }
    }

    /// Takes a message; an error is the end, with what is wrong if anything is.
    async fn hear(&mut self, message: Message) -> Result<(), Option<Refused>> {
        match message {
            Message::Text(text) => {
                // A line may end between the parts of a message; for the gateway it ends the message.
                self.waiting.extend(text.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
                self.waiting.push(b'\n');
                Ok(())
            }
            Message::Binary(_) => {
                let words = "Messages are text here; binary ones go over TCP.";
                Err(Some(Refused::new(Reason::BadMessage, words)))
            }
            Message::Ping(_) | Message::Pong(_) => {
                while let Pace::Wait(wait) = self.bucket.take() {
                    tokio::time::sleep(wait).await;
                }
                Ok(())
            }
            Message::Close(_) => Err(None),
        }
    }

    /// Says what is wrong, as the gateway would.
    async fn turn_away(&mut self, refused: Option<Refused>) -> CloseFrame {
        let reason = refused.as_ref().map(|refused| refused.reason);
        let mut line = Vec::new();
        if let Some(refused) = refused
            && commlib::encode(Form::Json, &ToClient::<()>::Closing(refused), &mut line).is_ok()
            && let Ok(line) = String::from_utf8(line)
        {
            let _gone_already = self.socket.send(Message::Text(line.trim_end().into())).await;
        }
        closed(reason)
    }
}

/// What is no WebSocket, or too much of one.
fn broken(error: &axum::Error) -> Refused {
    let words = error.to_string();
    // Its kind is behind the box that axum puts it in; the words are not.
    let reason = if words.contains("too long") { Reason::TooLarge } else { Reason::BadMessage };
    Refused::new(reason, format!("What came cannot be taken: {words}."))
}

/// Why the gateway ends the connection, if this is what the line says.
fn farewell(line: &str) -> Option<Reason> {
    if !line.starts_with("{\"closing\":") {
        return None;
    }
    match serde_json::from_str(line) {
        Ok(ToClient::<IgnoredAny>::Closing(refused)) => Some(refused.reason),
        Ok(_) | Err(_) => None,
    }
}

/// The last frame: a number that WebSockets have for it, and our reason by name.
fn closed(reason: Option<Reason>) -> CloseFrame {
    let code = match reason {
        None | Some(Reason::GameOver | Reason::Replaced) => close_code::NORMAL,
        Some(Reason::ShuttingDown) => close_code::AWAY,
        Some(Reason::TooLarge) => close_code::SIZE,
        Some(Reason::TooMany | Reason::StoreFailed) => close_code::AGAIN,
        Some(Reason::Internal) => close_code::ERROR,
        Some(
            Reason::BadMessage
            | Reason::WrongProtocol
            | Reason::UnknownGame
            | Reason::UnknownToken
            | Reason::Full
            | Reason::BadScenario
            | Reason::TooSlow
            | Reason::TooFast
            | Reason::Timeout,
        ) => close_code::POLICY,
    };
    CloseFrame { code, reason: reason.map_or("", Reason::name).into() }
}
