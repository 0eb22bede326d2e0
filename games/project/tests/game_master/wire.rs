//! Short notations for documents. xmllint checks all documents that clients receive.

use std::{
    fs,
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use commlib::{Delimited, Frame};
use project::documents::{
    Connection, Content, Document, FRAME_END, Guid, Message, Role,
    action::Action,
    exchange::Exchange,
    game_state::{End, GameState, Start},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// The timeout of every test.
pub(crate) const LONG: Duration = Duration::from_secs(300);

/// Long enough to see that no message comes.
const SHORT: Duration = Duration::from_millis(150);

/// A UUID for each number.
pub(crate) fn id(number: u32) -> Guid {
    let mut bytes = [7; 16];
    bytes[12..].copy_from_slice(&number.to_be_bytes());
    Guid::of_random(bytes)
}

/// `#3` for the UUID of the number 3.
fn number(guid: Guid) -> String {
    let tail = guid.as_str().get(28..).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match tail.filter(|tail| id(*tail) == guid) {
        Some(tail) => format!("#{tail}"),
        None => "?".into(),
    }
}

/// A connection to the server.
pub(crate) struct Wire {
    stream: TcpStream,
    frames: Delimited,
    /// All received documents.
    pub(crate) came: Vec<String>,
    /// Received messages that the test has not read yet, each in short notation and with its document.
    waiting: Vec<(String, String)>,
}

impl Wire {
    pub(crate) async fn to(server: std::net::SocketAddr) -> Self {
        let stream = TcpStream::connect(server).await.expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        Self { stream, frames: Delimited::new(FRAME_END, 2 << 20), came: Vec::new(), waiting: Vec::new() }
    }

    pub(crate) async fn say(&mut self, document: &str) {
        let mut frame = document.as_bytes().to_vec();
        frame.push(FRAME_END);
        timeout(LONG, self.stream.write_all(&frame)).await.expect("the server reads").expect("a connection");
    }

    /// Sends a message of a player to the Game Master.
    pub(crate) async fn ask(&mut self, sender: u32, message: u32, content: &str) {
        self.say(&messages(&[one(sender, message, content)])).await;
    }

    /// The next message in short notation; `None` at the end of the connection.
    pub(crate) async fn next(&mut self) -> Option<String> {
        self.next_with_text().await.map(|(words, _)| words)
    }

    /// Like [`next`](Self::next), with the document of the message.
    pub(crate) async fn next_with_text(&mut self) -> Option<(String, String)> {
        while self.waiting.is_empty() {
            let document = timeout(LONG, self.document()).await.expect("the server writes")?;
            let words = words(&document);
            self.waiting = words.into_iter().map(|words| (words, document.clone())).collect();
            self.came.push(document);
        }
        Some(self.waiting.remove(0))
    }

    async fn document(&mut self) -> Option<String> {
        loop {
            match self.frames.next_frame() {
                Some(Frame::Whole(at)) if at.is_empty() => continue,
                Some(Frame::Whole(at)) => {
                    return Some(String::from_utf8(self.frames.bytes(at).to_vec()).expect("text"));
                }
                Some(Frame::TooLong) => panic!("a frame is too long"),
                None => {}
            }
            match self.stream.read(self.frames.space()).await {
                Ok(0) | Err(_) => return None,
                Ok(count) => self.frames.filled(count),
            }
        }
    }

    #[track_caller]
    pub(crate) fn hears(&mut self, expected: &str) -> impl Future<Output = ()> {
        let expected = expected.to_owned();
        let from = std::panic::Location::caller();
        async move {
            let heard = self.next().await.unwrap_or_else(|| "(closed)".into());
            assert_eq!(heard, expected, "asked at {from}");
        }
    }

    pub(crate) async fn hears_nothing(&mut self) {
        assert!(self.waiting.is_empty(), "{:?}", self.waiting);
        if let Ok(document) = timeout(SHORT, self.document()).await {
            panic!("an unexpected document: {document:?}");
        }
    }

    /// Panics unless all received documents match the schemas.
    pub(crate) fn is_valid(&self) {
        validate(&self.came);
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.is_valid();
        }
    }
}

pub(crate) fn request(hash: Guid, role: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Connection xmlns=\"http://messageSchema.something.com\" \
         protocolVersion=\"1\"><Request><Hash>{hash}</Hash><SenderAddress>127.0.0.1:2000</SenderAddress>\
         <Role>{role}</Role></Request></Connection>"
    )
}

/// A message of a player to the Game Master.
pub(crate) fn one(sender: u32, message: u32, content: &str) -> String {
    format!(
        "<Message id=\"{}\"><Sender id=\"{sender}\"/><Receiver id=\"0\"/><Content>{content}</Content></Message>",
        id(message)
    )
}

/// A message from a player to another player, with the id of the exchange.
pub(crate) fn to_player([sender, receiver]: [u32; 2], message: u32, context: Option<u32>, content: &str) -> String {
    let context = context.map(|context| format!(" contextId=\"{}\"", id(context))).unwrap_or_default();
    format!(
        "<Message id=\"{}\"{context}><Sender id=\"{sender}\"/><Receiver id=\"{receiver}\"/><Content>\
         <ExchangeKnowledge>{content}</ExchangeKnowledge></Content></Message>",
        id(message)
    )
}

/// A document without the namespace, which is optional.
pub(crate) fn messages(all: &[String]) -> String {
    format!("<Messages protocolVersion=\"1\">{}</Messages>", all.concat())
}

pub(crate) fn team(team: &str) -> String {
    format!("<GameState><Setup><Request><Team>{team}</Team></Request></Setup></GameState>")
}

/// The content for `Discover` or `Move Up`.
pub(crate) fn action(words: &str) -> String {
    match words.split_once(' ') {
        Some((kind, direction)) => {
            format!("<Action><{kind}><Request><Direction>{direction}</Direction></Request></{kind}></Action>")
        }
        None => format!("<Action><{words}><Request/></{words}></Action>"),
    }
}

/// A document in short notation, with a line for each message.
fn words(document: &str) -> Vec<String> {
    let read = Document::read(document.as_bytes(), &Document::LIMITS);
    match read.unwrap_or_else(|problem| panic!("{problem}: {document}")) {
        Document::Connection(Connection::Confirmation { id, .. }) => vec![format!("Confirmation {id}")],
        Document::Connection(Connection::Refusal { description, .. }) => vec![format!("Refusal: {description}")],
        Document::Connection(Connection::Request { hash, role, .. }) => {
            vec![format!("Request {} {}", number(hash), role.as_str())]
        }
        Document::Messages(messages) => messages.messages.iter().map(told).collect(),
    }
}

fn told(message: &Message) -> String {
    let content = match &message.content {
        Content::Action(answer) => answered(answer),
        Content::GameState(GameState::SetupConfirmation { role, team }) => {
            format!("{team}{}", if *role == Role::TeamLeader { " leader" } else { "" })
        }
        Content::GameState(GameState::Start(Start { players, width, height, position })) => {
            let players: Vec<String> = players.iter().map(|(id, team)| format!("{id} {team}")).collect();
            format!("Start {width} x {height}, {} at {position}", players.join(", "))
        }
        Content::GameState(GameState::End(End { reason, winner, goals })) => {
            let goals: Vec<String> = goals.iter().map(|(team, goals)| format!("{team} {goals}")).collect();
            format!("End {reason}: {winner}, {}", goals.join(", "))
        }
        Content::Exchange(exchange) => return exchanged(message, exchange),
        Content::GameState(GameState::SetupRequest { .. }) => panic!("{:?}", message.content),
    };
    assert_eq!(message.sender, 0, "only the Game Master says {content}");
    match message.context {
        Some(context) => format!("{content} to {}", number(context)),
        None => content,
    }
}

/// A step of an exchange in short notation.
fn exchanged(message: &Message, exchange: &Exchange) -> String {
    let words = match exchange {
        Exchange::Request => format!("asks as {}", number(message.id)),
        Exchange::Response { allow: true } => "allows".into(),
        Exchange::Response { allow: false } => "declines".into(),
        Exchange::Data(tiles) => format!("tells of {}", tiles.len()),
    };
    format!("{} {words}", message.sender)
}

fn answered(answer: &Action) -> String {
    match answer {
        Action::Moved { success, position: Some(position), distance: Some(distance) } if *success => {
            format!("Moved {position}, {distance} away")
        }
        Action::Moved { success: false, position: Some(position), distance: None } => format!("Stays {position}"),
        Action::Discovered(tiles) => {
            let tiles: Vec<String> = tiles
                .iter()
                .map(|tile| {
                    let player = tile.player.map(|(id, _)| format!(" {id}")).unwrap_or_default();
                    format!("{} {} {:?}{player}", tile.position, tile.distance, tile.object)
                })
                .collect();
            format!("Discovered {}", tiles.join("; "))
        }
        Action::PickedUp { success } => format!("PickedUp {success}"),
        Action::Tested(result) => format!("Tested {result:?}"),
        Action::Placed(result) => format!("Placed {result:?}"),
        Action::Moved { .. } | Action::Move(_) | Action::Discover | Action::PickUp | Action::Test | Action::Place => {
            panic!("{answer:?}")
        }
    }
}

/// Panics unless documents match the schemas.
fn validate(documents: &[String]) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    if documents.is_empty() {
        return;
    }
    let folder = format!("holdfast-project-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = std::env::temp_dir().join(folder);
    fs::create_dir_all(&folder).expect("a folder");
    for (schema, root) in [("Connection.xsd", "<Connection "), ("Messages.xsd", "<Messages ")] {
        let mut files = Vec::new();
        for (number, document) in documents.iter().enumerate().filter(|(_, document)| document.contains(root)) {
            let file = folder.join(format!("{number}.xml"));
            fs::write(&file, document).expect("a file");
            files.push(file);
        }
        if files.is_empty() {
            continue;
        }
        let schema = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("schemas").join(schema);
        let lint = Command::new("xmllint").args(["--noout", "--nonet", "--schema"]).arg(schema).args(&files).output();
        let lint = lint.expect("xmllint is installed");
        assert!(lint.status.success(), "{}", String::from_utf8_lossy(&lint.stderr));
    }
    fs::remove_dir_all(&folder).expect("the folder is ours");
}
