//! Playing over a WebSocket, byte by byte: the client here is written by hand from RFC 6455.

mod limits;

use std::{fmt::Write as _, time::Duration};

use commlib::Form;
use serde_json::{Value, json};
use server::Limits;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::support::{LONG, Port, Served, join};

/// The example of RFC 6455.
const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
const ACCEPTED: &str = "s3pplmbitxaq9kygzzhzrbk+xoo=";

const TEXT: u8 = 1;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// The client side of a WebSocket.
pub(crate) struct Socket {
    pub(crate) stream: TcpStream,
}

impl Socket {
    /// Opens a socket and checks that the host accepts it.
    pub(crate) async fn open(port: &Port) -> Self {
        Self::on(TcpStream::connect(port.address).await.expect("a connection"), port).await
    }

    /// The same on an existing connection.
    async fn on(stream: TcpStream, port: &Port) -> Self {
        let (stream, head) = Self::ask_on(stream, port).await;
        assert!(head.starts_with("http/1.1 101 "), "{head}");
        assert!(head.contains(&format!("sec-websocket-accept: {ACCEPTED}")), "{head}");
        Self { stream }
    }

    /// Opens a socket with a header more.
    pub(crate) async fn with_header(port: &Port, header: &str) -> Self {
        let stream = TcpStream::connect(port.address).await.expect("a connection");
        let (stream, head) = Self::ask_with(stream, port, header).await;
        assert!(head.starts_with("http/1.1 101 "), "{head}");
        Self { stream }
    }

    /// Requests a socket. Returns the head of the answer.
    async fn ask_on(stream: TcpStream, port: &Port) -> (TcpStream, String) {
        Self::ask_with(stream, port, "").await
    }

    /// The same with a header more, with its line end.
    async fn ask_with(mut stream: TcpStream, port: &Port, header: &str) -> (TcpStream, String) {
        let request = format!(
            "GET /api/v1/play HTTP/1.1\r\nHost: {}\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\
             {header}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n\r\n",
            port.address
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(timeout(LONG, stream.read_u8()).await.expect("an answer").expect("a head"));
        }
        (stream, String::from_utf8(head).expect("text").to_lowercase())
    }

    /// Sends one whole frame, masked as the RFC requires of clients.
    async fn frame(&mut self, kind: u8, body: &[u8]) {
        self.part(0x80 | kind, body).await;
    }

    async fn part(&mut self, first: u8, body: &[u8]) {
        // If the host has closed the socket meanwhile, the next read notices.
        let _closed = self.stream.write_all(&Self::part_bytes(first, body)).await;
    }

    /// The bytes of a whole text message.
    pub(crate) fn text_bytes(text: &str) -> Vec<u8> {
        Self::part_bytes(0x80 | TEXT, text.as_bytes())
    }

    fn part_bytes(first: u8, body: &[u8]) -> Vec<u8> {
        let mask = [7, 77, 177, 217];
        let mut bytes = vec![first];
        match body.len() {
            short @ 0..126 => bytes.push(0x80 | short as u8),
            middle @ 126..0x1_0000 => {
                bytes.push(0x80 | 126);
                bytes.extend((middle as u16).to_be_bytes());
            }
            long => {
                bytes.push(0x80 | 127);
                bytes.extend((long as u64).to_be_bytes());
            }
        }
        bytes.extend(mask);
        bytes.extend(body.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        bytes
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.frame(TEXT, message.to_string().as_bytes()).await;
    }

    /// The kind and the body of the next frame; `None` at the end of the stream.
    async fn next_frame(&mut self) -> Option<(u8, Vec<u8>)> {
        let read = async {
            let [first, length] = [self.stream.read_u8().await.ok()?, self.stream.read_u8().await.ok()?];
            assert_eq!((first & 0x70, length & 0x80), (0, 0), "no extension and no mask");
            let length = match length {
                126 => self.stream.read_u16().await.ok()?.into(),
                127 => self.stream.read_u64().await.ok()?,
                short => short.into(),
            };
            let mut body = vec![0; length as usize];
            self.stream.read_exact(&mut body).await.ok()?;
            Some((first & 0x0f, body))
        };
        timeout(LONG, read).await.expect("something comes")
    }

    /// The text of the next message; `None` if the host ends the socket.
    pub(crate) async fn next_text(&mut self) -> Option<Vec<u8>> {
        self.next_frame().await.filter(|(kind, _)| *kind == TEXT).map(|(_, body)| body)
    }

    /// The next message.
    pub(crate) async fn next(&mut self) -> Value {
        match self.next_frame().await {
            Some((TEXT, body)) => serde_json::from_slice(&body).expect("JSON"),
            other => panic!("no message: {other:?}"),
        }
    }

    /// The next message of this kind. Skips others.
    pub(crate) async fn until(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await;
            if let Some(found) = message.get(kind) {
                return found.clone();
            }
        }
    }

    /// All frames until the end: the kinds of messages, and the code and reason of the close frame.
    pub(crate) async fn rest(&mut self) -> String {
        let mut heard = String::new();
        while let Some((kind, body)) = self.next_frame().await {
            match kind {
                TEXT => {
                    let message: Value = serde_json::from_slice(&body).expect("JSON");
                    let kind = message.as_object().and_then(|message| message.keys().next().cloned());
                    let reason = message.pointer("/closing/reason").and_then(Value::as_str);
                    let _ = write!(heard, "{} {}; ", kind.unwrap_or_default(), reason.unwrap_or_default());
                }
                CLOSE => {
                    let (code, words) = body.split_at(2);
                    let code = u16::from_be_bytes([code[0], code[1]]);
                    let _ = write!(heard, "close {code} {}", String::from_utf8_lossy(words));
                    self.frame(CLOSE, &body).await;
                }
                other => panic!("{other}: {body:?}"),
            }
        }
        heard
    }
}

pub(crate) fn hello(want: Value, game: Option<&str>) -> Value {
    json!({"hello": {"protocol": 1, "want": want, "game": game}})
}

#[tokio::test]
async fn a_game_over_both() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let mut ana = Socket::open(&port).await;
    // A message may have line breaks and arrive in parts, and pings between the parts are answered.
    let create = serde_json::to_string_pretty(&hello(json!({"create": {"scenario": "3"}}), None)).expect("JSON");
    let (first, second) = create.as_bytes().split_at(10);
    ana.part(TEXT, first).await;
    ana.frame(PING, b"there?").await;
    ana.part(0x80, second).await;
    assert_eq!(ana.next_frame().await, Some((PONG, b"there?".to_vec())));
    let welcome = ana.until("welcome").await;
    let (game, token) = (welcome["game"].as_str().expect("a name"), welcome["token"].as_str().expect("a token"));
    ana.send(&json!({"command": {"Join": {"name": "Ana"}}})).await;
    assert_eq!(ana.until("event").await["event"], json!({"Greeted": {}}));
    assert_eq!(ana.until("event").await["event"], json!({"Joined": {"name": "Ana"}}));

    let mut bo = served.enter(Form::Binary, join(game)).await.expect("a place");
    bo.send(crate::counter::Command::Join { name: "Bo".into() }).await;
    assert_eq!(ana.until("event").await["event"], json!({"Joined": {"name": "Bo"}}));
    ana.send(&json!({"command": {"Add": {"amount": 1}}})).await;
    ana.send(&json!({"ping": 7})).await;
    assert_eq!(ana.until("event").await["event"], json!({"Counted": {"count": 1}}));
    assert_eq!(ana.until("pong").await, json!(7));
    assert!(bo.hears().await.ends_with("Counted 1"));

    // A second connection with the same token closes the first, which receives the reason.
    let mut again = Socket::open(&port).await;
    again.send(&hello(json!({"resume": {"token": token, "seen": 3}}), Some(game))).await;
    assert_eq!(again.until("event").await["event"], json!({"Counted": {"count": 1}}));
    assert_eq!(ana.rest().await, "closing replaced; close 1000 replaced");
    again.send(&json!({"command": {"Add": {"amount": 2}}})).await;
    let rest = again.rest().await;
    assert!(rest.ends_with("event ; closing game_over; close 1000 game_over"), "{rest}");
}

#[tokio::test]
async fn whoever_breaks_a_limit_is_told() {
    let mut limits = Limits::default();
    limits.wire.handshake = Duration::from_secs(3);
    let served = Served::with(limits).await;
    let port = Port::of(&served).await;
    let list = hello(json!("list"), None).to_string();
    let silent = Socket::open(&port).await.rest().await;
    assert_eq!(silent, "closing timeout; close 1008 timeout");
    let long = format!("{{\"hello\":{}", " ".repeat(commlib::LONGEST_FRAME));
    for (kind, body, expected) in [
        (TEXT, "{nonsense}", "closing bad_message; close 1008 bad_message"),
        (TEXT, "\0\0\0\u{5}\0\u{1}\0\0\0", "closing bad_message; close 1008 bad_message"),
        (TEXT, "{\"ping\":1}", "closing bad_message; close 1008 bad_message"),
        (TEXT, &format!("{list}\n{list}"), "closing bad_message; close 1008 bad_message"),
        (BINARY, &list, "closing bad_message; close 1008 bad_message"),
        (TEXT, &long, "closing too_large; close 1009 too_large"),
    ] {
        let mut socket = Socket::open(&port).await;
        socket.frame(kind, body.as_bytes()).await;
        assert_eq!(socket.rest().await, expected, "{}", &body[..body.len().min(40)]);
    }
    let mut leaving = Socket::open(&port).await;
    leaving.frame(CLOSE, &1000_u16.to_be_bytes()).await;
    assert_eq!(leaving.rest().await, "close 1000 ", "a close frame is answered");
}

/// The claimed length is much larger than all buffers. The host must refuse it without reading the body, which the client never
/// sends.
#[tokio::test]
async fn a_length_that_is_only_claimed_is_refused() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let mut socket = Socket::open(&port).await;
    socket.stream.write_all(&[0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4]).await.expect("sent");
    assert_eq!(socket.rest().await, "closing too_large; close 1009 too_large");
}

#[tokio::test]
async fn a_request_that_is_no_websocket_is_told() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let answer = port.get("/api/v1/play").await;
    assert!(answer.status == 426 && answer.body.contains("WebSocket"), "{answer:?}");
}

#[tokio::test]
async fn so_many_may_play() {
    for limits in [
        Limits { watchers: 1, ..Limits::default() },
        Limits { connections: 1, ..Limits::default() },
        Limits { connections_per_address: 1, ..Limits::default() },
    ] {
        let served = Served::with(limits).await;
        let port = Port::of(&served).await;
        let mut first = Socket::open(&port).await;
        first.send(&hello(json!("list"), None)).await;
        first.until("games").await;
        let mut second = Socket::open(&port).await;
        assert_eq!(second.rest().await, "closing too_many; close 1013 too_many");
        first.send(&hello(json!("list"), None)).await;
        first.until("games").await;
        drop(first);
        let in_time = async {
            loop {
                let mut next = Socket::open(&port).await;
                next.send(&hello(json!("list"), None)).await;
                if next.next().await.get("games").is_some() {
                    return;
                }
            }
        };
        timeout(LONG, in_time).await.expect("a place becomes free");
    }
}

/// A connection that became a WebSocket still counts as a connection of the port.
#[tokio::test]
async fn sockets_are_connections_of_the_port() {
    let served = Served::with(Limits { http_connections: 1, ..Limits::default() }).await;
    let port = Port::of(&served).await;
    let socket = Socket::open(&port).await;
    let waiting = timeout(Duration::from_millis(200), port.get("/health")).await;
    assert!(waiting.is_err(), "it waits for a place");
    drop(socket);
    let answer = timeout(LONG, port.get("/health")).await.expect("a place becomes free");
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[tokio::test]
async fn whoever_plays_hears_that_the_host_stops() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let mut ana = Socket::open(&port).await;
    ana.send(&hello(json!({"create": {"scenario": "3"}}), None)).await;
    ana.until("welcome").await;
    let mut visitor = Socket::open(&port).await;
    visitor.send(&hello(json!("list"), None)).await;
    visitor.until("games").await;
    served.stop().await;
    port.stop.send_replace(true);
    assert_eq!(ana.rest().await, "closing shutting_down; close 1001 shutting_down");
    assert_eq!(visitor.rest().await, "closing shutting_down; close 1001 shutting_down");
    timeout(LONG, port.serving).await.expect("it stops soon").expect("and well");
}

#[tokio::test]
async fn whoever_reads_nothing_keeps_no_place() {
    let served = Served::with(Limits { watchers: 1, stall: Duration::from_millis(200), ..Limits::default() }).await;
    let port = Port::of(&served).await;
    let mut ana = served.creator("9").await;
    let mut deaf = Socket::open(&port).await;
    deaf.send(&hello(json!({"watch": {}}), Some(ana.game()))).await;
    deaf.until("welcome").await;
    let mut patience = 0;
    loop {
        ana.send(crate::counter::Command::Shout { length: 200_000 }).await;
        ana.hears().await;
        let mut next = Socket::open(&port).await;
        next.send(&hello(json!("list"), None)).await;
        if next.next().await.get("games").is_some() {
            break;
        }
        patience += 1;
        assert!(patience < 5000, "it keeps its place");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop(deaf);
}
