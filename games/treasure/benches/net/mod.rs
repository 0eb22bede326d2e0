//! The status requests of treasure games, which clients send all the time. Measures requests per second beside a bare axum
//! handler that returns a constant of the same size, and whether clients that keep to the protocol ever get a late answer.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use axum::{Router, http::header, routing::get};
use clients::histogram::Histogram;
use hyper::server::conn::http1;
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use testkit::Request;
use treasure::documents::y2022::{
    answer::{Answer, GameIdentifier},
    request::{HalfMap, HalfNode, Registration},
};
use treasure_rules::Terrain;

use crate::{
    Measured,
    process::{Folder, Process},
    table::{Line, Target, median, print},
};

const RUNS: usize = 5;
const SECONDS: u64 = 4;
const CONNECTIONS: usize = 16;
const GAMES: usize = 99;
/// How long the pollers run that keep to the protocol.
const POLLING: Duration = Duration::from_secs(30);
const BETWEEN: Duration = Duration::from_millis(400);
/// An answer that takes longer than this is late. The polling rule delays answers by a second, so every delayed answer is late.
const LATE: Duration = Duration::from_millis(500);

const HALF: [&str; 5] = ["GGGGMMGGGG", "GFGWWWGMGG", "GGGGWGGGMG", "GWWGGGGWGG", "GGGGMGGGGG"];

pub(crate) const MEASURED: Measured = Measured { parts: &[("treasure", run)], role };

fn role(words: &[&str]) -> bool {
    match *words {
        ["constant", size] => constant(size),
        ["poll", address, path, connections, seconds] => poll(address, path, connections, seconds),
        _ => return false,
    }
    true
}

fn run() {
    let folder = Folder::new();
    let (_host, address) = Process::treasure(&folder.file("treasure.log"), true);
    let player = begin(address);
    let size = ask(address, "GET", &player, "").len();
    let mut bare = Process::role(&["constant", &size.to_string()]);
    let bare_address = bare.address();
    let rate = |address: SocketAddr, path: &str| {
        let count = CONNECTIONS.to_string();
        let line = Process::role(&["poll", &address.to_string(), path, &count, &SECONDS.to_string()]).line();
        line.parse::<f64>().expect("a rate")
    };
    let mut runs = Vec::new();
    for _ in 0..RUNS {
        runs.push((rate(address, &player), rate(bare_address, "/constant")));
    }
    let (ours, limit) =
        (median(runs.iter().map(|run| run.0).collect()), median(runs.iter().map(|run| run.1).collect()));
    let ratio = median(runs.iter().map(|(ours, limit)| ours / limit).collect());

    let (_host, address) = Process::treasure(&folder.file("pollers.log"), false);
    let latencies = poll_as_told(address);
    let millis = |duration: Duration| duration.as_secs_f64() * 1e3;
    let line = |what, unit, ours, limit, found, target| Line { what, unit, ours, limit, found, target };
    let (p50, p99, longest) = (latencies.quantile(0.5), latencies.quantile(0.99), latencies.longest());
    print(
        &format!(
            "treasure: a status of {size} bytes over {CONNECTIONS} connections; {GAMES} games with two who poll every 0.4 s"
        ),
        &[
            line("status requests", "per s", ours, Some(limit), ratio, Target::AtLeast(0.5)),
            line("p50 of a poll", "ms", millis(p50), None, millis(p50), Target::AtMost(millis(LATE))),
            line("p99 of a poll", "ms", millis(p99), None, millis(p99), Target::AtMost(millis(LATE))),
            line(
                "the slowest of all polls",
                "ms",
                millis(longest),
                None,
                millis(longest),
                Target::AtMost(millis(LATE)),
            ),
        ],
    );
    println!("  {} polls in {POLLING:?}", latencies.count());
}

/// Starts a game with a whole map, and returns the status path of one of its players.
fn begin(address: SocketAddr) -> String {
    let id = GameIdentifier::read(&ask(address, "GET", "/games?enableDebugMode=true", "")).expect("an id").0;
    let players = [register(address, &id), register(address, &id)];
    for _ in 0..2 {
        for player in &players {
            let state = ask(address, "GET", &format!("/games/{id}/states/{player}"), "");
            let Ok(Answer::State(state)) = Answer::read(&state) else { panic!("no state") };
            let own = state.players.iter().find(|known| known.id == *player).expect("oneself");
            if own.standing == treasure_rules::Standing::MustAct && state.nodes.len() < 100 {
                let half = HalfMap { player: player.clone(), nodes: nodes() }.write();
                let taken = ask(address, "POST", &format!("/games/{id}/halfmaps"), &half);
                assert_eq!(Answer::read(&taken).expect("an envelope"), Answer::Okay);
            }
        }
    }
    format!("/games/{id}/states/{}", players[0])
}

fn register(address: SocketAddr, game: &str) -> String {
    let registration = Registration { first_name: "A".into(), last_name: "B".into(), account: "c".into() };
    let answer = ask(address, "POST", &format!("/games/{game}/players"), &registration.write());
    let Ok(Answer::Player(id)) = Answer::read(&answer) else { panic!("no player") };
    id
}

fn nodes() -> Vec<HalfNode> {
    let letters = HALF.iter().zip(0..).flat_map(|(row, y)| row.chars().zip(0..).map(move |(letter, x)| (letter, x, y)));
    let node = |(letter, x, y)| {
        let terrain = match letter {
            'M' => Terrain::Mountain,
            'W' => Terrain::Water,
            _ => Terrain::Grass,
        };
        HalfNode { x, y, fort: letter == 'F', terrain }
    };
    letters.map(node).collect()
}

/// Runs 198 clients, each of which polls exactly every 0.4 s.
fn poll_as_told(address: SocketAddr) -> Histogram {
    let mut paths = Vec::new();
    for _ in 0..GAMES {
        let id = GameIdentifier::read(&ask(address, "GET", "/games?enableDebugMode=true", "")).expect("an id").0;
        paths.extend([0, 1].map(|_| format!("/games/{id}/states/{}", register(address, &id))));
    }
    let start = Instant::now() + Duration::from_secs(1);
    let count = paths.len() as u32;
    let pollers: Vec<_> = paths
        .into_iter()
        .zip(0..)
        .map(|(path, at)| {
            thread::spawn(move || {
                let mut connection = Connection::new(address, &path);
                let mut latencies = Histogram::default();
                let mut due = start + BETWEEN * at / count;
                while due < start + POLLING {
                    thread::sleep(due.saturating_duration_since(Instant::now()));
                    let since = Instant::now();
                    connection.ask();
                    latencies.record(since.elapsed());
                    due += BETWEEN;
                }
                latencies
            })
        })
        .collect();
    pollers.into_iter().fold(Histogram::default(), |mut all, poller| {
        all.merge(&poller.join().expect("a poller"));
        all
    })
}

/// The role `poll`: sends as many requests as possible on all connections, and prints requests per second.
fn poll(address: &str, path: &str, connections: &str, seconds: &str) {
    let address: SocketAddr = address.parse().expect("an address");
    let (connections, seconds): (usize, u64) =
        (connections.parse().expect("a number"), seconds.parse().expect("a number"));
    let end = Instant::now() + Duration::from_secs(seconds);
    let pollers: Vec<_> = (0..connections)
        .map(|_| {
            let path = path.to_owned();
            thread::spawn(move || {
                let mut connection = Connection::new(address, &path);
                let mut count = 0_u64;
                while Instant::now() < end {
                    connection.ask();
                    count += 1;
                }
                count
            })
        })
        .collect();
    let count: u64 = pollers.into_iter().map(|poller| poller.join().expect("a poller")).sum();
    println!("{}", count as f64 / seconds as f64);
}

/// The role `constant`: an axum server that always returns the same answer.
fn constant(size: &str) {
    let body = "x".repeat(size.parse().expect("a size"));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let body = axum::body::Bytes::from(body);
        let answer = move || {
            let body = body.clone();
            async move { ([(header::CONTENT_TYPE, "application/xml"), (header::CACHE_CONTROL, "no-store")], body) }
        };
        let router = Router::new().route("/constant", get(answer));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        println!("listening on {}", listener.local_addr().expect("an address"));
        while let Ok((stream, _)) = listener.accept().await {
            stream.set_nodelay(true).expect("a socket");
            let service = TowerToHyperService::new(router.clone());
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
}

/// A connection that sends the same request repeatedly.
struct Connection {
    stream: BufReader<TcpStream>,
    request: Vec<u8>,
    body: Vec<u8>,
}

impl Connection {
    fn new(address: SocketAddr, path: &str) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("a socket");
        let request = format!("GET {path} HTTP/1.1\r\nHost: here\r\n\r\n").into_bytes();
        Self { stream: BufReader::with_capacity(64 << 10, stream), request, body: Vec::new() }
    }

    fn ask(&mut self) {
        self.stream.get_mut().write_all(&self.request).expect("a request");
        let mut length = 0;
        let mut line = String::new();
        loop {
            line.clear();
            self.stream.read_line(&mut line).expect("a head");
            if let Some(number) = line.strip_prefix("content-length: ") {
                length = number.trim_end().parse().expect("a length");
            }
            if line == "\r\n" {
                break;
            }
        }
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body).expect("a body");
    }
}

/// Sends one request on its own connection. Returns the body.
fn ask(address: SocketAddr, method: &str, path: &str, body: &str) -> Vec<u8> {
    Request::new(method, path).body(body).send_blocking(address).body.into_bytes()
}

impl Process {
    /// Starts the real server of treasure games, with or without the polling rule.
    fn treasure(log: &Path, at_once: bool) -> (Self, SocketAddr) {
        let mut server = Command::new(env!("CARGO_BIN_EXE_holdfast"));
        server.args(["treasure", "serve", "--listen", "127.0.0.1:0", "--http", "off", "--log"]).arg(log);
        if at_once {
            server.arg("--no-polling-delay");
        }
        let mut process = Self::spawn(&mut server);
        let address = process.after("treasure on http://");
        (process, address)
    }
}
