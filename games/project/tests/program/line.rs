//! A player of the project game with handwritten XML, for tests with the whole program.

use std::{
    collections::VecDeque,
    io::{ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    thread,
    time::{Duration, Instant},
};

pub(crate) const ROOT: &str = "xmlns=\"http://messageSchema.something.com\" protocolVersion=\"1\"";

/// The timeout of every step, long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A connection to the server.
pub(crate) struct Line {
    stream: TcpStream,
    bytes: Vec<u8>,
    /// Messages of a document that the test has not read yet.
    waiting: VecDeque<String>,
    pub(crate) player: u8,
}

impl Line {
    /// Asks to join until the player is confirmed: while the Game Master is away, the server refuses all players.
    pub(crate) fn to(address: SocketAddr, number: u8) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        stream.set_read_timeout(Some(Duration::from_millis(300))).expect("a timeout");
        let mut line = Self { stream, bytes: Vec::new(), waiting: VecDeque::new(), player: 0 };
        let deadline = Instant::now() + PATIENCE;
        loop {
            assert!(Instant::now() < deadline, "it is never taken");
            line.say(&format!(
                "<Connection {ROOT}><Request><Hash>{}</Hash><SenderAddress>127.0.0.1:1</SenderAddress>\
                 <Role>Player</Role></Request></Connection>",
                uuid(number, 9999)
            ));
            match line.next() {
                Some(answer) if answer.contains("<Confirmation>") => {
                    line.player = within(&answer, "<Id>", "</Id>").expect("an id").parse().expect("a number");
                    return line;
                }
                Some(_) => thread::sleep(Duration::from_millis(50)),
                None => {}
            }
        }
    }

    pub(crate) fn say(&mut self, document: &str) {
        let mut frame = document.as_bytes().to_vec();
        frame.push(0x17);
        self.stream.write_all(&frame).expect("the server is there");
    }

    /// The next message, or a document without messages; `None` if nothing comes soon.
    fn next(&mut self) -> Option<String> {
        if self.waiting.is_empty() {
            let document = self.document()?;
            let messages = document.split("<Message ").skip(1).map(ToOwned::to_owned);
            self.waiting = messages.collect();
            if self.waiting.is_empty() {
                return Some(document);
            }
        }
        self.waiting.pop_front()
    }

    fn document(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.bytes.iter().position(|byte| *byte == 0x17) {
                let frame: Vec<u8> = self.bytes.drain(..=end).collect();
                return Some(String::from_utf8(frame[..end].to_vec()).expect("text"));
            }
            let mut more = [0; 4096];
            match self.stream.read(&mut more) {
                Ok(0) => panic!("the server has closed the connection"),
                Ok(count) => self.bytes.extend_from_slice(&more[..count]),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => return None,
                // A read with a timeout is not restarted after a signal, such as the end of another test's child.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Repeats a request until an answer of this kind comes.
    pub(crate) fn ask(&mut self, id: &str, content: &str, kind: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let player = self.player;
            self.say(&format!(
                "<Messages {ROOT}><Message id=\"{id}\"><Sender id=\"{player}\"/><Receiver id=\"0\"/>\
                 <Content>{content}</Content></Message></Messages>"
            ));
            if let Some(answer) = self.until(&[kind, &format!("contextId=\"{id}\"")]) {
                return answer;
            }
        }
        panic!("{id} is never answered");
    }

    /// Moves, and returns the position after it.
    pub(crate) fn walk(&mut self, id: &str, direction: &str) -> (i32, i32) {
        let content = format!("<Action><Move><Request><Direction>{direction}</Direction></Request></Move></Action>");
        let answer = self.ask(id, &content, "<Move><Response>");
        let number = |before, after| within(&answer, before, after).and_then(|text| text.parse().ok());
        number("<X>", "</X>").zip(number("<Y>", "</Y>")).unwrap_or_else(|| panic!("no position: {answer}"))
    }

    /// The next message that contains all of these texts; `None` if it does not come soon.
    pub(crate) fn until(&mut self, wanted: &[&str]) -> Option<String> {
        while let Some(message) = self.next() {
            if wanted.iter().all(|part| message.contains(part)) {
                return Some(message);
            }
        }
        None
    }
}

pub(crate) fn uuid(player: u8, number: u32) -> String {
    format!("{player:08x}-0000-4000-8000-{number:012x}")
}

pub(crate) fn within<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let from = text.find(before)? + before.len();
    Some(&text[from..from + text[from..].find(after)?])
}
