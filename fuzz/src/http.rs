//! The ports of a host: HTTP, WebSockets, the wire protocol and TLS handshakes, through the real host, with a new host for every input.
//!
//! The host is in memory: its log, its clock, its randomness and its connections. So the same input always gives the same.

use std::{
    cell::RefCell,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU8, Ordering},
    },
    time::Duration,
};

use commlib::Create;
use server::{
    Dialing, GameTable, Gateway, Host, HttpStreams, Options, ServerTls, World, accounts::AccountsMode, log::MemoryLog,
};
use slog::{Discard, Logger, o};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
    runtime::{Builder, Runtime},
    sync::watch,
    time::timeout,
};

use super::{GAMES, choose, stream::Stream};

/// Bytes that wait in a connection.
const CAPACITY: usize = 64 << 10;

/// No request takes so long, by the clock that jumps as soon as everything waits.
const LONG: Duration = Duration::from_secs(3600);

const CLIENT: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 4000);

/// Bytes of an input: the port, how the bytes arrive and whether there are games, then the bytes of a connection.
pub fn run(input: &[u8]) {
    let _checked = answer(input);
}

/// What the host answers to an input, once it is checked.
pub fn answer(input: &[u8]) -> Option<Vec<u8>> {
    thread_local! {
        static RUNTIME: RefCell<Runtime> =
            RefCell::new(Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime"));
    }
    let [port, how, bytes @ ..] = input else { return None };
    let stream = Stream { bytes, longest: 0, cuts: how >> 2 };
    let kinds = [(b'h', Port::Http), (b'w', Port::Wire), (b't', Port::Game), (b's', Port::Encrypted)];
    let port = choose(&kinds, *port)?;
    RUNTIME.with_borrow_mut(|runtime| {
        runtime.block_on(async {
            let host = open().await;
            if how & 1 == 1 {
                create_games(&host, bytes).await;
            }
            let pieces: Vec<&[u8]> = if how & 2 == 2 { stream.pieces().collect() } else { vec![bytes] };
            let answer = connect(&host, *port, &pieces).await;
            match port {
                Port::Http | Port::Game => check(&answer),
                Port::Encrypted => check_records(&answer),
                Port::Wire => {}
            }
            timeout(LONG, host.stop()).await.expect("a host stops").expect("the log closes");
            Some(answer)
        })
    })
}

/// Which port of the host a client connects to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Port {
    Http,
    Wire,
    /// The HTTP port of a game that has its own.
    Game,
    /// The encrypted form of the wire protocol. Only the handshake is read: no input knows the host's key.
    Encrypted,
}

/// A certificate takes long to make, so all inputs have the same one. `None` in a program without TLS.
static TLS: LazyLock<Option<ServerTls>> = LazyLock::new(|| ServerTls::self_signed(vec!["localhost".into()]).ok());

async fn open() -> Arc<Host> {
    let games = GameTable::new(GAMES.iter().map(|(_, game)| game.hosted).collect());
    let options = Options::new(games, Arc::new(MemoryLog::new()), Logger::root(Discard, o!()));
    Host::open(Options { world: Arc::new(Counting::default()), accounts: AccountsMode::Optional, ..options })
        .await
        .expect("an empty log")
}

/// A game of every rulebook that the bytes name, named like it.
async fn create_games(host: &Arc<Host>, bytes: &[u8]) {
    for (_, game) in GAMES {
        let Some(scenario) = game.hosted.scenarios().first().copied() else { continue };
        let name = game.hosted.name();
        if !bytes.windows(name.len()).any(|part| part == name.as_bytes()) {
            continue;
        }
        let create = Create {
            rulebook: Some(name.into()),
            scenario: scenario.into(),
            edition: None,
            seed: Some(1),
            timeout: None,
        };
        host.create(&create, Some(name)).await.expect("a scenario of its own");
    }
}

/// Sends all pieces, and returns what the host answers until it closes the connection.
async fn connect(host: &Arc<Host>, port: Port, pieces: &[&[u8]]) -> Vec<u8> {
    let (mut client, far) = duplex(CAPACITY);
    // A host that stops ends all connections.
    let (_stop, stopped) = watch::channel(false);
    let serving = tokio::spawn(serve(host.clone(), port, far, stopped));
    let mut answer = Vec::new();
    let (mut reading, mut writing) = tokio::io::split(&mut client);
    let send = async {
        for piece in pieces {
            // The host may have closed the connection already.
            if writing.write_all(piece).await.is_err() {
                break;
            }
            tokio::task::yield_now().await;
        }
        let _ = writing.shutdown().await;
    };
    let receive = reading.read_to_end(&mut answer);
    let talked = timeout(LONG, async { tokio::join!(send, receive) }).await;
    let ((), received) = talked.expect("a host closes what its client has closed");
    received.expect("a connection in memory");
    drop(client);
    timeout(LONG, serving).await.expect("a connection ends").expect("no panic");
    answer
}

async fn serve(host: Arc<Host>, port: Port, stream: DuplexStream, stop: watch::Receiver<bool>) {
    match port {
        Port::Wire => Gateway::serve_stream(host, CLIENT, stream, stop).await,
        Port::Http => HttpStreams::serving(host, true, stop).serve_stream(CLIENT, stream).await,
        Port::Game => {
            let Some(routes) = GAMES.iter().find_map(|(_, game)| game.routes) else { return };
            let port = routes(host.clone()).await;
            HttpStreams::answering(&host, port, true, stop).serve_stream(CLIENT, stream).await;
        }
        Port::Encrypted => {
            let Some(tls) = &*TLS else { return };
            if let Ok(stream) = tls.accept(stream).await {
                Gateway::serve_stream(host, CLIENT, stream, stop).await;
            }
        }
    }
}

/// The answer to a handshake is whole records of TLS: a handshake, a change of the cipher, or an alert.
fn check_records(mut answer: &[u8]) {
    while let [kind, 3, _, high, low, rest @ ..] = answer {
        assert!((20..=23).contains(kind), "a record of kind {kind}");
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        answer = rest.get(length..).expect("a whole record");
    }
    assert!(answer.is_empty(), "{answer:?} is no record");
}

/// No answer says that the host has a bug. Follows the answers as long as they have a length.
fn check(mut answers: &[u8]) {
    while let Some(rest) = answers.strip_prefix(b"HTTP/1.") {
        let status = rest.get(2..5).unwrap_or_default();
        let end = answers.windows(4).position(|part| part == b"\r\n\r\n").expect("an answer has a whole head");
        let head = String::from_utf8_lossy(&answers[..end]).to_lowercase();
        assert!(!status.starts_with(b"500"), "{}", String::from_utf8_lossy(answers));
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.trim().parse::<usize>().ok());
        let Some(length) = length else { return };
        // The answer to HEAD has a length and no body.
        let body = &answers[end + 4..];
        answers = if body.starts_with(b"HTTP/1.") { body } else { body.get(length..).unwrap_or_default() };
    }
}

/// A world whose clock stands and whose random bytes count up from 0.
#[derive(Debug, Default)]
struct Counting(AtomicU8);

impl World for Counting {
    fn now(&self) -> i64 {
        1_700_000_000_000
    }

    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        bytes.fill_with(|| self.0.fetch_add(1, Ordering::Relaxed));
        Ok(())
    }

    fn run_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        tokio::spawn(async { work() });
    }

    fn dial(&self, _: SocketAddr) -> Dialing {
        Box::pin(async { Err(io::ErrorKind::ConnectionRefused.into()) })
    }
}
