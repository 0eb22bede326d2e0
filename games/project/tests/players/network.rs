//! A player over real sockets. The test is the server.

use std::{
    io::ErrorKind,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex},
    time::Duration,
};

use project::LinkError;
use project::documents::{
    Connection, Content, DO_NOT_TRY_AGAIN, Document, FRAME_END, Message, Messages, Role,
    action::Action,
    exchange::{Exchange, KnownTile},
    game_state::{End as EndDocument, GameState, Start},
};
use project::players::{
    End, Guid, Ids, Strategy, TraceTarget,
    network::{self, Failure, News, Options},
};
use project_rules::{Direction, EndReason, Position, Team};
use server::RealWorld;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
    time::timeout,
};

use crate::seat::{at, nature};

const HASH: &str = "2707d2ff-e818-4ea9-be4b-fbce3486431e";
const LONG: Duration = Duration::from_secs(300);

/// A running player, and all its news.
struct Running {
    ends: JoinHandle<Result<End, Failure>>,
    news: Arc<Mutex<Vec<News>>>,
}

impl Running {
    fn news(&self) -> Vec<News> {
        self.news.lock().expect("no thread panics").clone()
    }
}

fn options(server: SocketAddr) -> Options {
    Options {
        server,
        hash: Guid::parse(HASH).expect("a UUID"),
        nature: nature(Strategy::Team),
        attempts: 3,
        interval: Duration::from_millis(200),
        keep_alive: Duration::from_secs(5),
        trace: TraceTarget::Off,
        world: Arc::new(RealWorld),
    }
}

fn run(options: Options) -> Running {
    let news = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&news);
    let ends = tokio::spawn(network::play(options, move |one| kept.lock().expect("no thread panics").push(one)));
    Running { ends, news }
}

async fn ends(running: Running) -> Result<End, Failure> {
    timeout(LONG, running.ends).await.expect("it ends").expect("it does not panic")
}

/// One connection of a player, seen from the server.
struct Peer {
    stream: TcpStream,
    buffer: Vec<u8>,
    /// All received documents.
    heard: Vec<String>,
    keep_alives: usize,
    ids: Ids,
}

impl Peer {
    async fn accept(listener: &TcpListener) -> Self {
        let (stream, _) = timeout(LONG, listener.accept()).await.expect("the player connects").expect("a connection");
        Self { stream, buffer: Vec::new(), heard: Vec::new(), keep_alives: 0, ids: Ids::new([9; 10]) }
    }

    /// The next document; `None` at the end of the connection. Counts keep-alives.
    async fn next(&mut self) -> Option<Document> {
        loop {
            if let Some(end) = self.buffer.iter().position(|byte| *byte == FRAME_END) {
                let frame: Vec<u8> = self.buffer.drain(..=end).collect();
                if end == 0 {
                    self.keep_alives += 1;
                    continue;
                }
                self.heard.push(String::from_utf8(frame[..end].to_vec()).expect("UTF-8"));
                return Some(Document::read(&frame[..end], &Document::LIMITS).expect("it fits the schema"));
            }
            let mut bytes = [0; 4096];
            let read = timeout(LONG, self.stream.read(&mut bytes)).await.expect("it says something");
            match read {
                Ok(0) | Err(_) => return None,
                Ok(count) => self.buffer.extend(&bytes[..count]),
            }
        }
    }

    async fn messages(&mut self) -> Vec<Message> {
        match self.next().await {
            Some(Document::Messages(messages)) => messages.messages,
            other => panic!("{other:?}"),
        }
    }

    async fn message(&mut self) -> Message {
        let mut messages = self.messages().await;
        assert_eq!(messages.len(), 1, "{messages:?}");
        messages.remove(0)
    }

    async fn write(&mut self, text: &str) {
        let bytes: Vec<u8> = text.bytes().chain([FRAME_END]).collect();
        self.stream.write_all(&bytes).await.expect("it reads");
    }

    /// Sends a message of the Game Master or another player to player 2.
    async fn say(&mut self, sender: i32, context: Option<Guid>, content: Content) -> Guid {
        let id = self.ids.next_guid();
        self.write(&Messages::one(Message { id, context, sender, receiver: 2, content }).write()).await;
        id
    }

    async fn confirm(&mut self) {
        let request = self.next().await;
        let Some(Document::Connection(Connection::Request { hash, role: Role::Player, address })) = request else {
            panic!("{request:?}")
        };
        assert_eq!(hash.as_str(), HASH);
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        self.write(&Connection::Confirmation { hash: HASH.to_uppercase(), id: 2 }.write()).await;
    }

    /// Performs the handshake, and starts the game with the player at this tile.
    async fn start(&mut self, position: Position) {
        self.confirm().await;
        let setup = self.message().await;
        assert_eq!((setup.sender, setup.receiver), (2, 0));
        assert_eq!(setup.content, Content::GameState(GameState::SetupRequest { team: Team::Blue }));
        let given = GameState::SetupConfirmation { role: Role::Player, team: Team::Blue };
        self.say(0, Some(setup.id), Content::GameState(given)).await;
        self.say(0, None, Content::GameState(GameState::Start(started(position)))).await;
    }

    async fn end(&mut self, reason: EndReason) {
        let end = EndDocument { reason, winner: Team::Red, goals: [(Team::Red, 3), (Team::Blue, 1)] };
        self.say(0, None, Content::GameState(GameState::End(end))).await;
    }

    /// Answers a request to move with success.
    async fn moved(&mut self, from: Position, distance: i32) -> Position {
        let request = self.message().await;
        let Content::Action(Action::Move(direction)) = request.content else { panic!("{request:?}") };
        let position = from.toward(direction);
        let answer = Action::Moved { success: true, position: Some(position), distance: Some(distance) };
        self.say(0, Some(request.id), Content::Action(answer)).await;
        position
    }
}

fn started(position: Position) -> Start {
    let players = vec![(1, Team::Blue), (2, Team::Blue), (3, Team::Red), (4, Team::Red)];
    Start { players, width: 4, height: 8, position }
}

async fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    (listener, address)
}

/// A folder that is removed with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("holdfast-player-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = std::fs::remove_dir_all(&self.0);
    }
}

/// Checks with xmllint that all received documents match the schemas.
fn validate(folder: &Folder, documents: &[String]) {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    for (at, document) in documents.iter().enumerate() {
        let file = folder.0.join(format!("{at}.xml"));
        std::fs::write(&file, document).expect("written");
        let schema = if document.contains("<Connection") { "Connection.xsd" } else { "Messages.xsd" };
        let mut xmllint = Command::new("xmllint");
        xmllint.arg("--noout").arg("--schema").arg(schemas.join(schema)).arg(&file);
        let output = xmllint.output().expect("xmllint is installed");
        assert!(output.status.success(), "{document}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[tokio::test]
async fn a_game_from_the_handshake_to_the_end() {
    let folder = Folder::new("whole");
    let (listener, address) = listen().await;
    let player = run(Options { trace: TraceTarget::Folder(folder.0.clone()), ..options(address) });
    let mut peer = Peer::accept(&listener).await;
    peer.start(at(1, 1)).await;
    let here = peer.moved(at(1, 1), 1).await;
    assert_eq!(here, at(1, 2), "a piece can only lie there");
    let request = peer.message().await;
    assert!(matches!(request.content, Content::Action(Action::Move(_))), "{request:?}");

    // Meanwhile the player's leader asks for an exchange, which the player must allow.
    let asked = peer.say(1, None, Content::Exchange(Exchange::Request)).await;
    let response = peer.message().await;
    assert_eq!((response.receiver, response.context), (1, Some(asked)));
    assert_eq!(response.content, Content::Exchange(Exchange::Response { allow: true }));
    let tile = project_rules::Tile {
        position: at(0, 0),
        distance: 3,
        player: None,
        object: project_rules::TileObject::NonGoal,
    };
    let theirs = Exchange::Data(vec![KnownTile { tile, pursued: None, timestamp: None }]);
    peer.say(1, Some(asked), Content::Exchange(theirs)).await;
    let data = peer.message().await;
    assert_eq!((data.receiver, data.context), (1, Some(asked)));
    let Content::Exchange(Exchange::Data(tiles)) = data.content else { panic!("{:?}", data.content) };
    assert!(tiles.iter().any(|known| known.tile.position == here && known.tile.player == Some((2, Team::Blue))));
    assert!(tiles.iter().all(|known| known.timestamp.is_some()));

    peer.end(EndReason::Success).await;
    assert!(peer.next().await.is_none(), "it leaves");
    let news = player.news();
    let end = ends(player).await.expect("an end");
    assert_eq!((end.reason, end.winner, end.goals), (EndReason::Success, Team::Red, [1, 3]));
    let started = News::Started { players: 4, width: 4, height: 8 };
    let tracing = News::Tracing { file: folder.0.join("player-2.txt") };
    assert_eq!(news, [tracing, News::Joined { player: 2 }, News::Team { team: Team::Blue, leader: false }, started]);

    let trace = folder.read("player-2.txt");
    for part in ["connected to", "sent <?xml", "<Role>Player</Role>", "heard <?xml", "the game is over: Success"] {
        assert!(trace.contains(part), "{part} is not in {trace}");
    }
    validate(&folder, &peer.heard);
}

#[tokio::test]
async fn nonsense_is_traced_and_the_connection_stays_open() {
    let folder = Folder::new("nonsense");
    let (listener, address) = listen().await;
    let player = run(Options { trace: TraceTarget::File(folder.0.join("trace.txt")), ..options(address) });
    let mut peer = Peer::accept(&listener).await;
    peer.write("").await;
    peer.write("<Connection").await;
    peer.start(at(1, 1)).await;
    let other = "<Messages xmlns=\"http://other.example\" protocolVersion=\"1\"/>";
    for nonsense in ["no document", "<a><b></a>", other, "", &"x".repeat(3 << 20)] {
        peer.write(nonsense).await;
    }
    let request = peer.message().await;
    // A wrong receiver, a wrong sender, and an answer without a context.
    let moved = || Content::Action(Action::Moved { success: true, position: Some(at(3, 5)), distance: Some(0) });
    let id = peer.ids.next_guid();
    let message = Message { id, context: Some(request.id), sender: 0, receiver: 3, content: moved() };
    peer.write(&Messages::one(message).write()).await;
    peer.say(3, Some(request.id), moved()).await;
    peer.say(0, None, moved()).await;
    peer.say(0, None, Content::Exchange(Exchange::Request)).await;
    // Positions that are on no possible board.
    let far = Some(at(i32::MAX, 1000));
    let moved = Content::Action(Action::Moved { success: true, position: far, distance: Some(0) });
    peer.say(0, Some(request.id), moved).await;
    let start = Start { width: 100_000, height: 100_000, ..started(at(1, 1)) };
    peer.say(0, None, Content::GameState(GameState::Start(start))).await;
    // The answer to a failed move, with only the required elements.
    let failed = Action::Moved { success: false, position: None, distance: None };
    peer.say(0, Some(request.id), Content::Action(failed)).await;
    let next = peer.message().await;
    assert_ne!(next.id, request.id, "it goes on");
    peer.end(EndReason::Timeout).await;
    assert_eq!(ends(player).await.expect("an end").reason, EndReason::Timeout);
    let trace = folder.read("trace.txt");
    let discarded = trace.matches("discarded: ").count();
    assert_eq!(discarded, 11, "{trace}");
}

#[tokio::test]
async fn a_refused_player_reports_the_reason() {
    let folder = Folder::new("refused");
    let (listener, address) = listen().await;
    let player = run(Options { trace: TraceTarget::Folder(folder.0.clone()), ..options(address) });
    let mut peer = Peer::accept(&listener).await;
    peer.next().await.expect("a request");
    let strange = Guid::of_random([3; 16]).to_string();
    peer.write(&Connection::Refusal { hash: strange, description: "not you".into() }.write()).await;
    let description = format!("all seats are taken. {DO_NOT_TRY_AGAIN}");
    peer.write(&Connection::Refusal { hash: HASH.into(), description: description.clone() }.write()).await;
    assert_eq!(ends(player).await, Err(Failure::Refused(description)));
    assert!(folder.read("player.txt").contains("refused: all seats are taken"), "it has no number");
}

#[tokio::test]
async fn a_player_tries_again_whatever_the_words_of_a_server() {
    let (listener, address) = listen().await;
    let player = run(options(address));
    for words in ["no GM", "brak mistrza gry", "later"] {
        let mut peer = Peer::accept(&listener).await;
        peer.next().await.expect("a request");
        peer.write(&Connection::Refusal { hash: HASH.into(), description: words.into() }.write()).await;
    }
    assert_eq!(ends(player).await, Err(Failure::Refused("later".into())), "three attempts are allowed");
}

#[tokio::test]
async fn an_absent_server_is_tried_as_often_as_allowed() {
    let (listener, address) = listen().await;
    drop(listener);
    let since = tokio::time::Instant::now();
    let Err(Failure::Unreachable { attempts: 3, last, .. }) = ends(run(options(address))).await else { panic!() };
    assert_eq!(last, LinkError::Io(ErrorKind::ConnectionRefused));
    let waited = since.elapsed();
    assert!(waited.as_millis() >= 400, "two intervals of 200 ms: {waited:?}");
}

#[tokio::test]
async fn a_lost_player_comes_back_with_its_hash_and_its_request() {
    let (listener, address) = listen().await;
    let player = run(options(address));
    let mut peer = Peer::accept(&listener).await;
    peer.start(at(1, 1)).await;
    let request = peer.message().await;
    drop(peer);

    // The first attempt is refused, because the Game Master may be away as well.
    let mut refusing = Peer::accept(&listener).await;
    refusing.next().await.expect("a request");
    let refusal = Connection::Refusal { hash: HASH.into(), description: "the Game Master is away".into() };
    refusing.write(&refusal.write()).await;
    drop(refusing);

    let mut peer = Peer::accept(&listener).await;
    peer.confirm().await;
    let again = peer.message().await;
    assert_eq!((again.id, again.content), (request.id, request.content), "the same request with the same id");
    peer.say(0, None, Content::GameState(GameState::Start(started(at(1, 1))))).await;
    let Content::Action(Action::Move(Direction::Up)) = peer_answered(&mut peer, request.id).await else { panic!() };

    // Only the Game Master was away. It confirms the player again on the same connection.
    peer.write(&Connection::Confirmation { hash: HASH.into(), id: 2 }.write()).await;
    let once_more = peer.message().await;
    assert!(matches!(once_more.content, Content::Action(_)), "{once_more:?}");
    peer.end(EndReason::Success).await;
    let news = player.news();
    assert!(ends(player).await.is_ok());
    assert!(news.contains(&News::Back) && news.iter().any(|one| matches!(one, News::Lost { .. })), "{news:?}");
}

/// Answers the first request with a step up, and returns the second request.
async fn peer_answered(peer: &mut Peer, request: Guid) -> Content {
    let answer = Action::Moved { success: true, position: Some(at(1, 2)), distance: Some(2) };
    peer.say(0, Some(request), Content::Action(answer)).await;
    peer.message().await.content
}

#[tokio::test]
async fn an_idle_player_sends_keep_alives() {
    let (listener, address) = listen().await;
    let player = run(Options { keep_alive: Duration::from_millis(100), ..options(address) });
    let mut peer = Peer::accept(&listener).await;
    peer.confirm().await;
    let setup = peer.message().await;
    let given = GameState::SetupConfirmation { role: Role::TeamLeader, team: Team::Red };
    peer.say(0, Some(setup.id), Content::GameState(given)).await;
    // Like the server, send back every keep-alive.
    for _ in 0..10 {
        let mut byte = [0];
        let read = timeout(LONG, peer.stream.read_exact(&mut byte)).await.expect("a sign of life");
        assert!(read.is_ok() && byte == [FRAME_END]);
        peer.stream.write_all(&byte).await.expect("it reads");
    }
    peer.end(EndReason::Success).await;
    assert!(ends(player).await.is_ok(), "a second without anything else is no silence");
}

#[tokio::test]
async fn a_silent_server_is_lost() {
    let (listener, address) = listen().await;
    let player = run(Options { keep_alive: Duration::from_millis(50), ..options(address) });
    let mut peer = Peer::accept(&listener).await;
    peer.confirm().await;
    let mut back = Peer::accept(&listener).await;
    back.confirm().await;
    assert!(matches!(&player.news()[1], News::Lost { error: LinkError::Silent(_) }), "{:?}", player.news());
    back.message().await;
    back.end(EndReason::Success).await;
    assert!(ends(player).await.is_ok());
}
