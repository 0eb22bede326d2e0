//! A client's connection to a server, with JSON lines.

use std::{
    collections::VecDeque,
    io::{self, BufRead, BufReader, ErrorKind, Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use script::{EventReadError, ReceivedEvent, ScriptedGame};
use serde_json::{Value, json};

use crate::target::{Failure, Outcome};

/// The maximum number of bytes of a line.
const LONGEST_LINE: u64 = 1 << 20;

/// The maximum number of events, and of their bytes, that a server may send before it answers a ping.
const MOST_EVENTS: usize = 20_000;
const MOST_BYTES: u64 = 64 << 20;

#[derive(Debug)]
pub(crate) struct Connection {
    /// The game to which the events belong.
    game: &'static dyn ScriptedGame,
    stream: TcpStream,
    lines: BufReader<TcpStream>,
    pub(crate) queue: VecDeque<ReceivedEvent>,
    /// Whether the server has closed the connection.
    pub(crate) closed: bool,
    pings: u64,
    /// The bytes since the last pong.
    unanswered: u64,
    patience: Duration,
}

/// The answer to a hello.
pub(crate) enum Answer {
    /// The name of the joined game, and the token to resume with, or null.
    Welcome {
        game: String,
        token: Value,
    },
    Refused(String),
    /// The server closed the connection instead.
    Closed,
}

impl Connection {
    pub(crate) fn open(game: &'static dyn ScriptedGame, address: SocketAddr, patience: Duration) -> io::Result<Self> {
        let stream = connect(address, patience)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(patience))?;
        let lines = BufReader::new(stream.try_clone()?);
        Ok(Self { game, stream, lines, queue: VecDeque::new(), closed: false, pings: 0, unanswered: 0, patience })
    }

    pub(crate) fn hello(&mut self, hello: &Value) -> Result<Answer, Failure> {
        self.send(&json!({ "hello": hello }))?;
        let Some(answer) = self.receive(Instant::now() + self.patience, "the answer to its hello")? else {
            return Ok(Answer::Closed);
        };
        if let Some(welcome) = answer.get("welcome") {
            let game = welcome["game"].as_str().unwrap_or_default().into();
            return Ok(Answer::Welcome { game, token: welcome["token"].clone() });
        }
        match answer.get("refused").or_else(|| answer.get("closing")) {
            Some(refused) => Ok(Answer::Refused(refused["message"].as_str().unwrap_or_default().into())),
            None => Err(protocol(format!("the server answers a hello with {}", shown(&answer.to_string())))),
        }
    }

    /// Sends a message. Does nothing if the server has closed the connection.
    pub(crate) fn send(&mut self, message: &Value) -> Result<(), Failure> {
        if self.closed {
            return Ok(());
        }
        let sent = self.stream.write_all(format!("{message}\n").as_bytes());
        match sent {
            Ok(()) => Ok(()),
            Err(error) if matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset) => Ok(()),
            Err(error) => {
                Err(Failure::new(Outcome::TimeOut, format!("the server does not read its messages: {error}")))
            }
        }
    }

    /// Sends a ping and reads until the answer. Then all earlier events are in the queue.
    pub(crate) fn barrier(&mut self) -> Result<(), Failure> {
        if self.closed {
            return Ok(());
        }
        self.pings += 1;
        self.send(&json!({ "ping": self.pings }))?;
        let deadline = Instant::now() + self.patience;
        let most = self.queue.len() + MOST_EVENTS;
        self.unanswered = 0;
        while let Some(message) = self.receive(deadline, "the pong to its ping")? {
            if message.get("pong").and_then(Value::as_u64) == Some(self.pings) {
                return Ok(());
            }
            if let Some(event) = message.get("event") {
                let event = read_event(self.game, event)?;
                self.queue.push_back(event);
                if self.queue.len() > most || self.unanswered > MOST_BYTES {
                    let sent = self.queue.len() + MOST_EVENTS - most;
                    let message = format!("the server floods a client: {sent} events ({} KiB)", self.unanswered >> 10);
                    return Err(protocol(format!("{message} came before the pong to its ping")));
                }
            } else if message.get("closing").is_none() {
                return Err(protocol(format!("the server sent {}", shown(&message.to_string()))));
            }
        }
        // Shut down both directions, so that the server can close its side, too.
        self.closed = true;
        let _gone_already = self.stream.shutdown(Shutdown::Both);
        Ok(())
    }

    /// The next message; `None` after the server has closed the connection.
    fn receive(&mut self, deadline: Instant, what: &str) -> Result<Option<Value>, Failure> {
        let late = || {
            let waited = format!("a client has waited {:?} for {what}", self.patience);
            let message = format!("the server hangs: {waited}. Does the server answer every ping?");
            Failure::new(Outcome::TimeOut, message)
        };
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || self.stream.set_read_timeout(Some(left)).is_err() {
            return Err(late());
        }
        let mut line = Vec::new();
        match (&mut self.lines).take(LONGEST_LINE + 2).read_until(b'\n', &mut line) {
            Ok(0) => Ok(None),
            Ok(count) => {
                self.unanswered += count as u64;
                read_message(&line)
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Err(late()),
            Err(_) => Ok(None),
        }
    }
}

/// Connects to a server.
///
/// # Errors
/// If nothing listens on the port. Linux may then connect a socket to itself, if the system would have chosen the same port for it.
pub(crate) fn connect(address: SocketAddr, patience: Duration) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&address, patience)?;
    if stream.local_addr()? == address { Err(ErrorKind::ConnectionRefused.into()) } else { Ok(stream) }
}

fn read_message(line: &[u8]) -> Result<Option<Value>, Failure> {
    match serde_json::from_slice::<Value>(line) {
        Ok(message) if message.is_object() => Ok(Some(message)),
        Ok(_) | Err(_) => {
            let line = String::from_utf8_lossy(line);
            let message = format!("the server sent something that is not a message: {}", shown(line.trim_end()));
            Err(protocol(format!("{message}\neach line is one JSON object, like {{\"pong\":1}}")))
        }
    }
}

/// Reads the content of an `event` message of a server: `{"number": 7, "event": .., "text": ".."}`, or the event alone.
///
/// # Errors
/// If it is not an event of the game.
pub fn received_event(game: &dyn ScriptedGame, message: &Value) -> Result<ReceivedEvent, EventReadError> {
    match message.get("event") {
        Some(event) => game.read_event(event, message["text"].as_str().map(str::to_owned)),
        None => game.read_event(message, None),
    }
}

fn read_event(game: &dyn ScriptedGame, message: &Value) -> Result<ReceivedEvent, Failure> {
    received_event(game, message).map_err(|error| {
        let (game, event) = (game.name(), shown(&message.to_string()));
        protocol(format!("the server sent an event that {game} does not have: {event}\n{error}"))
    })
}

fn protocol(message: String) -> Failure {
    Failure::new(Outcome::ProtocolError, message)
}

/// Quotes a text, shortened for people.
fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(200).collect();
    if shown.len() < text.len() {
        shown.push_str(" ..");
    }
    format!("{shown:?}")
}
