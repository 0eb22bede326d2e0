//! A client that speaks lines of JSON.

use std::{
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use serde_json::{Value, json};

/// The longest wait, with room for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client of one game, and everything that it was told.
pub(crate) struct Client {
    lines: BufReader<TcpStream>,
    pub(crate) game: String,
    token: Value,
    /// All events, the first one first.
    events: Vec<Value>,
    /// The number of the last event.
    seen: u64,
}

/// The kind of an event.
pub(crate) fn kind(event: &Value) -> Option<&str> {
    event.as_object()?.keys().next().map(String::as_str)
}

impl Client {
    pub(crate) fn create(host: SocketAddr, rulebook: &str) -> Self {
        Self::create_with(host, rulebook, "standard")
    }

    pub(crate) fn create_with(host: SocketAddr, rulebook: &str, scenario: &str) -> Self {
        let want = json!({"create": {"rulebook": rulebook, "scenario": scenario, "seed": 7}});
        Self::enter(host, json!({"protocol": 3, "want": want})).expect("a new game")
    }

    pub(crate) fn join(host: SocketAddr, game: &str) -> Self {
        Self::enter(host, json!({"protocol": 3, "want": {"join": {}}, "game": game})).expect("a place")
    }

    pub(crate) fn watch(host: SocketAddr, game: &str) -> Self {
        Self::enter(host, json!({"protocol": 3, "want": {"watch": {}}, "game": game})).expect("a place")
    }

    /// The words with which the host refuses to create a game.
    pub(crate) fn refused(host: SocketAddr, rulebook: &str, scenario: &str) -> String {
        let want = json!({"create": {"rulebook": rulebook, "scenario": scenario}});
        Self::enter(host, json!({"protocol": 3, "want": want})).err().expect("a refusal").to_string()
    }

    /// Says hello. An error is the answer, if it is no welcome.
    fn enter(host: SocketAddr, hello: Value) -> Result<Self, Value> {
        let stream = TcpStream::connect(host).expect("a host");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut client = Self {
            lines: BufReader::new(stream),
            game: String::new(),
            token: Value::Null,
            events: Vec::new(),
            seen: 0,
        };
        client.send(&json!({"hello": hello}));
        let answer = client.receive();
        let welcome = answer.get("welcome").ok_or_else(|| answer.clone())?;
        client.game = welcome["game"].as_str().expect("a name").to_owned();
        client.token = welcome["token"].clone();
        Ok(client)
    }

    /// Resumes on a new connection, and goes on after the last event.
    pub(crate) fn resume(&mut self, host: SocketAddr) {
        let want = json!({"resume": {"token": self.token, "seen": self.seen}});
        let new = Self::enter(host, json!({"protocol": 3, "want": want, "game": self.game})).expect("the same place");
        self.lines = new.lines;
    }

    pub(crate) fn command(&mut self, command: &Value) {
        self.send(&json!({"command": command}));
    }

    fn send(&mut self, message: &Value) {
        self.lines.get_mut().write_all(format!("{message}\n").as_bytes()).expect("an open connection");
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("a line in time");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Receives events until one of this kind.
    pub(crate) fn until(&mut self, wanted: &str) {
        self.until_any(&[wanted]);
    }

    pub(crate) fn until_any(&mut self, wanted: &[&str]) {
        while !self.step().is_some_and(|kind| wanted.contains(&kind.as_str())) {}
    }

    /// Receives everything that was told before now.
    pub(crate) fn settle(&mut self) {
        self.send(&json!({"ping": 1}));
        while self.step().is_some() {}
    }

    /// Receives one message, and returns the kind of an event; `None` for the answer to a ping or the end of the game.
    fn step(&mut self) -> Option<String> {
        let message = self.receive();
        if message.get("pong").is_some() || message.get("closing").is_some() {
            return None;
        }
        let event = message.get("event").unwrap_or_else(|| panic!("an event, not {message}"));
        assert_eq!(event["number"].as_u64(), Some(self.seen + 1), "no event is lost or told twice");
        self.seen += 1;
        self.events.push(event["event"].clone());
        assert!(kind(&event["event"]) != Some("Refused"), "no command of this test is refused: {message}");
        kind(&event["event"]).map(str::to_owned)
    }

    /// The content of all events of a kind.
    pub(crate) fn told<'a>(&'a self, wanted: &'a str) -> impl Iterator<Item = &'a Value> {
        self.events.iter().filter(move |event| kind(event) == Some(wanted)).map(move |event| &event[wanted])
    }
}
