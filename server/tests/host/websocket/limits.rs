//! The limits for clients over a WebSocket are the same as over TCP: the size and rate of messages, and how slowly a client may
//! read.

use std::time::{Duration, Instant};

use commlib::LONGEST_FRAME;
use serde_json::{Value, json};
use server::Limits;
use tokio::{
    io::AsyncReadExt,
    net::TcpSocket,
    time::{sleep, sleep_until},
};

use super::{BINARY, CLOSE, PING, PONG, Socket, TEXT, hello};
use crate::{
    counter::Command,
    support::{Port, Served},
};

/// The kind of every part except the first, and the bit that marks the last part.
const CONTINUED: u8 = 0;
const LAST: u8 = 0x80;

impl Socket {
    /// Opens a socket and joins a game.
    async fn in_game(port: &Port, game: &str) -> Self {
        let mut socket = Self::open(port).await;
        socket.send(&hello(json!({"join": {}}), Some(game))).await;
        socket.until("welcome").await;
        socket
    }

    /// The reason, the words and the close code of a farewell. Skips the messages before it.
    async fn farewell(&mut self) -> (Value, String, u16) {
        let closing = self.until("closing").await;
        let words = closing["message"].as_str().expect("words").to_owned();
        let Some((CLOSE, body)) = self.next_frame().await else { panic!("a close frame comes behind the farewell") };
        let (code, reason) = body.split_at(2);
        assert_eq!(closing["reason"].as_str().map(str::as_bytes), Some(reason), "the same reason");
        let code = u16::from_be_bytes([code[0], code[1]]);
        (closing["reason"].clone(), words, code)
    }

    async fn ping(&mut self, number: u64) {
        self.send(&json!({"ping": number})).await;
    }
}

/// Sends a text in parts of `size` bytes.
async fn in_parts(socket: &mut Socket, text: &str, size: usize) {
    let parts: Vec<_> = text.as_bytes().chunks(size).collect();
    for (at, part) in parts.iter().enumerate() {
        let kind = if at == 0 { TEXT } else { CONTINUED };
        let last = if at + 1 == parts.len() { LAST } else { 0 };
        socket.part(kind | last, part).await;
    }
}

#[tokio::test]
async fn a_message_of_many_parts() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let ana = served.creator("10").await;
    // Parts may end within a character.
    for size in [1, 2, 3, 1000] {
        let mut bo = Socket::in_game(&port, ana.game()).await;
        let name = format!("Zoë {size} \u{1f3b2}");
        in_parts(&mut bo, &json!({"command": {"Join": {"name": name}}}).to_string(), size).await;
        assert_eq!(bo.until("event").await["event"], json!({"Greeted": {}}));
        assert_eq!(bo.until("event").await["event"], json!({"Joined": {"name": name}}));
    }
    let mut bo = Socket::in_game(&port, ana.game()).await;
    in_parts(&mut bo, &format!("{{\"ping\":7}}{}", " ".repeat(200_000)), 50_000).await;
    let (reason, words, code) = bo.farewell().await;
    assert_eq!((reason, code), (json!("too_large"), 1009), "all parts together count");
    assert_eq!(words, "message 2: a line of more than 65536 bytes");
}

#[tokio::test]
async fn white_space_between_and_around() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let mut socket = Socket::open(&port).await;
    for blank in ["", " ", "\n", "\r\n\t "] {
        socket.frame(TEXT, blank.as_bytes()).await;
    }
    let list = serde_json::to_string_pretty(&hello(json!("list"), None)).expect("JSON").replace('\n', "\r\n");
    socket.frame(TEXT, format!("\n{list}\r\n\n").as_bytes()).await;
    socket.until("games").await;
    // A line break counts as white space, so the error message has a column but no line.
    socket.frame(TEXT, b"{\r\n\"hello\":\n{\"protocol\":\n!}}").await;
    let (reason, words, code) = socket.farewell().await;
    assert_eq!((reason, code), (json!("bad_message"), 1008));
    assert_eq!(words, "message 2, column 26: expected value");
}

#[tokio::test]
async fn messages_that_are_too_long() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let ana = served.creator("10").await;
    let padded = |message: &Value, length: usize| {
        let text = message.to_string();
        let blank = " ".repeat(length - text.len());
        text + &blank
    };
    let list = hello(json!("list"), None);
    let mut socket = Socket::open(&port).await;
    socket.frame(TEXT, padded(&list, LONGEST_FRAME).as_bytes()).await;
    socket.until("games").await;
    socket.frame(TEXT, padded(&list, LONGEST_FRAME + 1).as_bytes()).await;
    let (reason, words, code) = socket.farewell().await;
    assert_eq!((reason, code), (json!("too_large"), 1009));
    assert_eq!(words, format!("message 2: a line of more than {LONGEST_FRAME} bytes"));

    let command = json!({"ping": 5});
    let longest = Limits::default().wire.command;
    let mut socket = Socket::in_game(&port, ana.game()).await;
    socket.frame(TEXT, padded(&command, longest).as_bytes()).await;
    assert_eq!(socket.until("pong").await, json!(5));
    socket.frame(TEXT, padded(&command, longest + 1).as_bytes()).await;
    let (reason, words, code) = socket.farewell().await;
    assert_eq!((reason, code), (json!("too_large"), 1009));
    assert_eq!(words, format!("message 3: a line of more than {longest} bytes"));

    // The message is too long even for the WebSocket library, in one frame or in parts.
    for size in [usize::MAX, 100_000] {
        let mut socket = Socket::in_game(&port, ana.game()).await;
        in_parts(&mut socket, &padded(&command, LONGEST_FRAME + 100_000), size).await;
        let (reason, words, code) = socket.farewell().await;
        assert_eq!((reason, code), (json!("too_large"), 1009));
        assert!(words.contains("too long"), "{words}");
    }
}

#[tokio::test]
async fn what_is_no_text_or_no_websocket() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let mut ana = served.creator("10").await;
    for (first, body, expected) in [
        (LAST | BINARY, &b"{\"ping\":1}"[..], "Messages are text here; binary ones go over TCP."),
        (LAST | TEXT, b"\xff\xfe", "What came cannot be taken: UTF-8 encoding error"),
        (LAST | 3, b"", "What came cannot be taken: WebSocket protocol error"),
        (LAST | CONTINUED, b"{}", "What came cannot be taken: WebSocket protocol error"),
        (LAST | 0x40 | TEXT, b"{}", "What came cannot be taken: WebSocket protocol error"),
        (LAST | TEXT, b"{\"hello\":{\"protocol\":1,\"want\":\"list\"}}", "You are in a game already."),
    ] {
        let mut socket = Socket::in_game(&port, ana.game()).await;
        socket.part(first, body).await;
        let (reason, words, code) = socket.farewell().await;
        assert_eq!((reason, code), (json!("bad_message"), 1008), "{words}");
        assert!(words.starts_with(expected), "{words}");
    }
    assert_eq!(ana.hears().await, "", "and other clients do not notice");
}

#[tokio::test]
async fn a_close_behind_a_backlog_is_answered() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let mut socket = Socket::open(&port).await;
    for _ in 0..50 {
        socket.send(&hello(json!("list"), None)).await;
    }
    socket.frame(CLOSE, &4000_u16.to_be_bytes()).await;
    assert_eq!(socket.rest().await, "games ; ".repeat(50) + "close 4000 ");
}

#[tokio::test]
async fn a_client_that_waits_for_answers_is_slowed_down_and_stays() {
    let served = Served::with(Limits { messages_per_second: 20, ..Limits::default() }).await;
    let port = Port::of(&served).await;
    let ana = served.creator("10").await;
    let mut bo = Socket::in_game(&port, ana.game()).await;
    let begun = Instant::now();
    for number in 0..40 {
        // A ping or pong frame does not count as a message that arrives too early.
        bo.ping(number).await;
        bo.frame(PONG, b"").await;
        assert_eq!(bo.until("pong").await, json!(number));
    }
    assert!(begun.elapsed() > Duration::from_millis(900), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_flood_of_pings_waits_and_nothing_else_does() {
    let served = Served::with(Limits { messages_per_second: 20, ..Limits::default() }).await;
    let port = Port::of(&served).await;
    let mut ana = served.creator("10").await;
    let mut bo = Socket::in_game(&port, ana.game()).await;
    bo.send(&json!({"command": {"Join": {"name": "Bo"}}})).await;
    bo.until("event").await;
    bo.until("event").await;
    let begun = Instant::now();
    for number in 0..40_u8 {
        bo.frame(PING, &[number]).await;
    }
    bo.ping(7).await;
    ana.add(1).await;
    let mut pongs = 0;
    loop {
        match bo.next_frame().await {
            Some((PONG, body)) => {
                assert_eq!(body, [pongs], "each ping is answered");
                pongs += 1;
            }
            Some((TEXT, body)) if body.starts_with(b"{\"event\":") => {
                assert!(pongs < 40, "what happens does not wait for pings");
            }
            Some((TEXT, body)) => break assert_eq!(body, b"{\"pong\":7}"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(pongs, 40);
    assert!(begun.elapsed() > Duration::from_millis(900), "{:?}", begun.elapsed());
}

/// The operating system buffers a few megabytes, and reports free space only when a large part of them is free. The stall time
/// must be longer than this takes.
#[tokio::test]
async fn a_slow_reader_stays() {
    const MESSAGES: usize = 12;
    const LENGTH: usize = 1_000_000;
    const BYTES_A_MILLISECOND: u32 = 4_000;
    let stall = Duration::from_millis(1500);
    let served = Served::with(Limits { stall, ..Limits::default() }).await;
    let port = Port::of(&served).await;
    let mut ana = served.creator("10").await;
    let small = TcpSocket::new_v4().expect("a socket");
    small.set_recv_buffer_size(256 << 10).expect("a small buffer");
    let stream = small.connect(port.address).await.expect("a connection");
    let mut slow = Socket::on(stream, &port).await;
    slow.send(&hello(json!({"watch": {}}), Some(ana.game()))).await;
    slow.until("welcome").await;
    slow.until("event").await;
    let begun = tokio::time::Instant::now();
    // The reader starts at once: on a busy machine, all messages together may take longer than the stall time.
    let shouting = async {
        for _ in 0..MESSAGES {
            ana.send(Command::Shout { length: LENGTH as u32 }).await;
            assert!(ana.hears().await.ends_with("Shouted 1000000"));
        }
    };
    let reading = async {
        let mut piece = vec![0; 64 << 10];
        let mut read = 0;
        while read < MESSAGES * LENGTH {
            let count = slow.stream.read(&mut piece).await.expect("more");
            assert_ne!(count, 0, "cut off behind {read} bytes, after {:?}", begun.elapsed());
            read += count;
            sleep_until(begun + Duration::from_millis(1) * read as u32 / BYTES_A_MILLISECOND).await;
        }
    };
    tokio::join!(shouting, reading);
    assert!(begun.elapsed() > stall, "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_client_that_reads_nothing_is_dropped() {
    let limits = Limits { stall: Duration::from_millis(300), ..Limits::default() };
    let served = Served::with(limits).await;
    let port = Port::of(&served).await;
    let mut ana = served.creator("10").await;
    let mut slow = Socket::in_game(&port, ana.game()).await;
    slow.send(&json!({"command": {"Join": {"name": "Slow"}}})).await;
    slow.until("event").await;
    assert_eq!(ana.next().await, "3 Joined Slow");
    for _ in 0..60 {
        ana.send(Command::Shout { length: 500_000 }).await;
        assert!(ana.hears().await.ends_with("Shouted 500000"), "a client that reads hears everything");
    }
    sleep(limits.stall * 3).await;
    let mut told = 0;
    while let Some((TEXT, body)) = slow.next_frame().await {
        let message: Value = serde_json::from_slice(&body).expect("only whole messages");
        told += usize::from(message["event"]["event"]["Shouted"].is_object());
    }
    assert!(told < 60, "a client that does not read is not waited for");
}
