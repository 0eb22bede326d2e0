//! The Communication Server of the project game: messages per second, compared with a relay that only looks for the ends of
//! frames.

use std::{net::SocketAddr, path::Path, process::Command, time::Duration};

use commlib::{Delimited, Frame};
use project::documents::{Connection, Content, Document, FRAME_END, Guid, Message, Messages, Role, action::Action};
use project_rules::Direction;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::mpsc,
    time::{Instant, timeout},
};

use crate::{
    process::{Folder, Process},
    table::{Line, Target, median, print},
};

const RUNS: usize = 5;
const SECONDS: u64 = 4;
const PLAYERS: usize = 16;
/// The number of messages of each player that are in flight.
const WINDOW: usize = 16;
const LONGEST: usize = 1 << 20;

pub(crate) fn run() {
    let folder = Folder::new();
    let drive = |address: SocketAddr, whom: &str| {
        let line = Process::role(&["messages", &address.to_string(), whom, &SECONDS.to_string()]).line();
        line.parse::<f64>().expect("a rate")
    };
    let mut runs = Vec::new();
    for run in 0..RUNS {
        let (server, address) = Process::communication(&folder.file(&format!("cs-{run}.txt")));
        let ours = drive(address, "cs");
        drop(server);
        let mut bare = Process::role(&["relay"]);
        let limit = drive(bare.address(), "bare");
        runs.push((ours, limit));
    }
    let (ours, limit) =
        (median(runs.iter().map(|run| run.0).collect()), median(runs.iter().map(|run| run.1).collect()));
    let found = median(runs.iter().map(|(ours, limit)| ours / limit).collect());
    let size = message(1, 2).len();
    print(
        &format!(
            "relay: {PLAYERS} players of the Communication Server, messages of {size} bytes, {WINDOW} of each on their way"
        ),
        &[Line { what: "messages", unit: "per s", ours, limit: Some(limit), found, target: Target::AtLeast(0.6) }],
    );
}

impl Process {
    /// Starts the real Communication Server.
    pub(crate) fn communication(log: &Path) -> (Self, SocketAddr) {
        let mut server = Command::new(env!("CARGO_BIN_EXE_holdfast"));
        server.args(["project", "cs", "--listen", "127.0.0.1:0", "--trace-file"]).arg(log);
        let mut process = Self::spawn(&mut server);
        let address = process.address();
        (process, address)
    }
}

/// The role `relay`: forwards every frame from one client of a pair to the other. Clients form pairs in the order in which they
/// connect.
pub(crate) fn relay() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        println!("listening on {}", listener.local_addr().expect("an address"));
        let mut waiting: Option<(OwnedReadHalf, OwnedWriteHalf)> = None;
        while let Ok((stream, _)) = listener.accept().await {
            stream.set_nodelay(true).expect("a socket");
            let (mut reading, mut writing) = stream.into_split();
            // The greeting lets the next client connect only after this one.
            writing.write_all(&[FRAME_END]).await.expect("a greeting");
            match waiting.take() {
                None => waiting = Some((reading, writing)),
                Some((mut other_reading, mut other_writing)) => {
                    tokio::spawn(async move { pass(&mut reading, &mut other_writing).await });
                    tokio::spawn(async move { pass(&mut other_reading, &mut writing).await });
                }
            }
        }
    });
}

async fn pass(reading: &mut OwnedReadHalf, writing: &mut OwnedWriteHalf) {
    let mut frames = Delimited::new(FRAME_END, LONGEST);
    while let Ok(length @ 1..) = reading.read(frames.space()).await {
        frames.filled(length);
        while let Some(frame) = frames.next_frame() {
            let Frame::Whole(range) = frame else { return };
            let whole = range.start..range.end + 1;
            if writing.write_all(frames.bytes(whole)).await.is_err() {
                return;
            }
        }
    }
}

/// The role `messages`: pairs of players answer each other. Prints the number of received messages per second.
pub(crate) fn messages(address: &str, whom: &str, seconds: &str) {
    let address: SocketAddr = address.parse().expect("an address");
    let seconds: u64 = seconds.parse().expect("a number");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let count = runtime.block_on(async {
        let _master = if whom == "cs" { Some(master(address).await) } else { None };
        let mut players = Vec::new();
        for id in 1..=PLAYERS {
            let mut stream = TcpStream::connect(address).await.expect("a connection");
            stream.set_nodelay(true).expect("a socket");
            if whom == "cs" {
                join(&mut stream, id).await;
            } else {
                let greeting = stream.read_u8().await.expect("a greeting");
                assert_eq!(greeting, FRAME_END);
            }
            players.push((id, stream));
        }
        let end = Instant::now() + Duration::from_secs(seconds);
        let playing: Vec<_> = players.into_iter().map(|(id, stream)| tokio::spawn(answer(id, stream, end))).collect();
        let mut count = 0;
        for one in playing {
            count += one.await.expect("a player");
        }
        count
    });
    println!("{}", count as f64 / seconds as f64);
}

/// Sends [`WINDOW`] messages to the partner, and one more for each message that it receives. Returns the number of received
/// messages.
async fn answer(id: usize, stream: TcpStream, end: Instant) -> u64 {
    let partner = if id % 2 == 1 { id + 1 } else { id - 1 };
    let message = message(id, partner);
    let (mut reading, mut writing) = stream.into_split();
    for _ in 0..WINDOW {
        writing.write_all(&message).await.expect("sent");
    }
    let mut frames = Delimited::new(FRAME_END, LONGEST);
    let mut count = 0;
    loop {
        match timeout(end.saturating_duration_since(Instant::now()), reading.read(frames.space())).await {
            Ok(Ok(length @ 1..)) => frames.filled(length),
            Ok(_) | Err(_) => return count,
        }
        while let Some(frame) = frames.next_frame() {
            if matches!(&frame, Frame::Whole(range) if range.is_empty()) {
                continue;
            }
            count += 1;
            if writing.write_all(&message).await.is_err() {
                return count;
            }
        }
    }
}

/// A frame from one player to another.
fn message(sender: usize, receiver: usize) -> Vec<u8> {
    let message = Message {
        id: guid(sender),
        context: None,
        sender: sender as i32,
        receiver: receiver as i32,
        content: Content::Action(Action::Move(Direction::Up)),
    };
    framed(Messages::one(message).write())
}

fn guid(number: usize) -> Guid {
    let mut bytes = [7; 16];
    bytes[..8].copy_from_slice(&(number as u64).to_le_bytes());
    Guid::of_random(bytes)
}

fn framed(document: String) -> Vec<u8> {
    let mut bytes = document.into_bytes();
    bytes.push(FRAME_END);
    bytes
}

async fn join(stream: &mut TcpStream, id: usize) {
    let request = Connection::Request { hash: guid(id), address: "127.0.0.1:1".into(), role: Role::Player };
    stream.write_all(&framed(request.write())).await.expect("sent");
    let confirmed = next(stream).await;
    assert_eq!(confirmed, Connection::Confirmation { hash: guid(id).to_string(), id: id as i32 });
}

/// Reads the next handshake, byte by byte, so that it reads nothing beyond its end.
async fn next(stream: &mut TcpStream) -> Connection {
    loop {
        let mut bytes = Vec::new();
        loop {
            match stream.read_u8().await.expect("a byte") {
                FRAME_END => break,
                byte => bytes.push(byte),
            }
        }
        if bytes.is_empty() {
            continue;
        }
        let Ok(Document::Connection(connection)) = Document::read(&bytes, &Document::LIMITS) else {
            panic!("no handshake: {}", String::from_utf8_lossy(&bytes));
        };
        return connection;
    }
}

/// Starts a Game Master that confirms every player. It stays connected until the returned sender is dropped.
async fn master(address: SocketAddr) -> mpsc::Sender<()> {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let request = Connection::Request { hash: guid(0), address: "127.0.0.1:1".into(), role: Role::GameMaster };
    stream.write_all(&framed(request.write())).await.expect("sent");
    assert!(matches!(next(&mut stream).await, Connection::Confirmation { id: 0, .. }));
    let (alive, mut ended) = mpsc::channel::<()>(1);
    tokio::spawn(async move {
        for id in 1..=PLAYERS {
            let Connection::Request { hash, .. } = next(&mut stream).await else { panic!("no request") };
            let confirmation = Connection::Confirmation { hash: hash.to_string(), id: id as i32 };
            stream.write_all(&framed(confirmation.write())).await.expect("sent");
        }
        let _until_the_end = ended.recv().await;
    });
    alive
}
