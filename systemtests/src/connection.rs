//! A client's connection to a server, over JSON lines.

use std::{
    collections::VecDeque,
    io::{self, BufRead, BufReader, ErrorKind, Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use script::{ReceivedEvent, ScriptedGame};
use serde_json::{Value, json};

use crate::table::{Failure, Outcome};

/// A line may have so many bytes.
const LONGEST_LINE: u64 = 1 << 20;

#[derive(Debug)]
pub(crate) struct Connection {
    /// What the events are of.
    game: &'static dyn ScriptedGame,
    stream: TcpStream,
    lines: BufReader<TcpStream>,
    pub(crate) queue: VecDeque<ReceivedEvent>,
    /// The server has closed the connection.
    pub(crate) closed: bool,
    pings: u64,
    patience: Duration,
}

/// What the answer to a hello was.
pub(crate) enum Answer {
    /// The name of the game.
    Welcome(String),
    Refused(String),
    /// The connection was closed instead.
    Closed,
}

impl Connection {
    pub(crate) fn open(game: &'static dyn ScriptedGame, address: SocketAddr, patience: Duration) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, patience)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(patience))?;
        let lines = BufReader::new(stream.try_clone()?);
        Ok(Self { game, stream, lines, queue: VecDeque::new(), closed: false, pings: 0, patience })
    }

    pub(crate) fn hello(&mut self, hello: &Value) -> Result<Answer, Failure> {
        self.say(&json!({ "hello": hello }))?;
        let Some(answer) = self.hear(Instant::now() + self.patience, "the answer to its hello")? else {
            return Ok(Answer::Closed);
        };
        if let Some(welcome) = answer.get("welcome") {
            return Ok(Answer::Welcome(welcome["game"].as_str().unwrap_or_default().into()));
        }
        match answer.get("refused").or_else(|| answer.get("closing")) {
            Some(refused) => Ok(Answer::Refused(refused["message"].as_str().unwrap_or_default().into())),
            None => Err(protocol(format!("the server answers a hello with {}", shown(&answer.to_string())))),
        }
    }

    /// Sends a message; to a server that has hung up, in vain.
    pub(crate) fn say(&mut self, message: &Value) -> Result<(), Failure> {
        if self.closed {
            return Ok(());
        }
        let sent = self.stream.write_all(format!("{message}\n").as_bytes());
        match sent {
            Ok(()) => Ok(()),
            Err(error) if matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset) => Ok(()),
            Err(error) => {
                Err(Failure::new(Outcome::TimeOut, format!("the server does not read what it is sent: {error}")))
            }
        }
    }

    /// Reads until the server has answered a ping: everything that it said before is in the queue then.
    pub(crate) fn barrier(&mut self) -> Result<(), Failure> {
        if self.closed {
            return Ok(());
        }
        self.pings += 1;
        self.say(&json!({ "ping": self.pings }))?;
        let deadline = Instant::now() + self.patience;
        while let Some(message) = self.hear(deadline, "the pong to its ping")? {
            if message.get("pong").and_then(Value::as_u64) == Some(self.pings) {
                return Ok(());
            }
            if let Some(told) = message.get("event") {
                let told = read_event(self.game, told)?;
                self.queue.push_back(told);
            } else if message.get("closing").is_none() {
                return Err(protocol(format!("the server says {}", shown(&message.to_string()))));
            }
        }
        // Lets a server that has said its last word go.
        self.closed = true;
        let _gone_already = self.stream.shutdown(Shutdown::Both);
        Ok(())
    }

    /// The next message; `None` once the server has closed the connection.
    fn hear(&mut self, deadline: Instant, what: &str) -> Result<Option<Value>, Failure> {
        let late = || {
            let waited = format!("for {:?} a client has been waiting for {what}", self.patience);
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
            Ok(_) => match serde_json::from_slice::<Value>(&line) {
                Ok(message) if message.is_object() => Ok(Some(message)),
                Ok(_) | Err(_) => {
                    let line = String::from_utf8_lossy(&line);
                    let message = format!("the server sent what is no message: {}", shown(line.trim_end()));
                    Err(protocol(format!("{message}\neach line is one JSON object, like {{\"pong\":1}}")))
                }
            },
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Err(late()),
            Err(_) => Ok(None),
        }
    }
}

fn read_event(game: &dyn ScriptedGame, told: &Value) -> Result<ReceivedEvent, Failure> {
    let words = told["text"].as_str().map(str::to_owned);
    game.read_event(&told["event"], words).map_err(|error| {
        let (game, told) = (game.name(), shown(&told.to_string()));
        protocol(format!("the server sent an event that {game} does not have: {told}\n{error}"))
    })
}

fn protocol(message: String) -> Failure {
    Failure::new(Outcome::ProtocolError, message)
}

/// What came, as much of it as a person reads.
fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(200).collect();
    if shown.len() < text.len() {
        shown.push_str(" ..");
    }
    format!("{shown:?}")
}
