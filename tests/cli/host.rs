//! `holdfast host` as people start it: what it says, what it answers over HTTP, and its log lines.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};

use crate::{PATIENCE, complains, holdfast, wait_until};

/// A host as a process of its own, on ports that the system picks.
pub(crate) struct HostProcess {
    process: Child,
    pub(crate) games: SocketAddr,
    pub(crate) http: SocketAddr,
}

impl HostProcess {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .args(["host", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let mut address = |before: &str| {
            let found = lines.find_map(|line| Some(line.ok()?.strip_prefix(before)?.to_owned()));
            found.unwrap_or_else(|| panic!("it says {before}")).parse().expect("an address")
        };
        let http = address("http on http://");
        let games = address("listening on ");
        Self { process, games, http }
    }

    /// SIGTERM; everything that it wrote to standard error.
    pub(crate) fn stop(mut self) -> String {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill can be called").success());
        let mut log = String::new();
        self.process.stderr.take().expect("it is piped").read_to_string(&mut log).expect("lines of text");
        assert_eq!(self.process.wait().expect("it ends").code(), Some(0), "{log}");
        log
    }
}

impl Drop for HostProcess {
    /// A test that fails leaves nothing behind.
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended_already = self.process.wait();
    }
}

/// A client over lines of text, whatever carries them.
pub(crate) struct Lines<R, W> {
    lines: std::io::Lines<BufReader<R>>,
    writer: W,
}

impl<R: Read, W: Write> Lines<R, W> {
    pub(crate) fn new(reader: R, writer: W) -> Self {
        Self { lines: BufReader::new(reader).lines(), writer }
    }

    pub(crate) fn say(&mut self, message: &Value) {
        writeln!(self.writer, "{message}").and_then(|()| self.writer.flush()).expect("sent");
    }

    pub(crate) fn hear(&mut self) -> Value {
        let line = self.lines.next().expect("the connection is open").expect("a line");
        serde_json::from_str(&line).expect("a line of JSON")
    }
}

pub(crate) fn connect(address: SocketAddr) -> Lines<TcpStream, TcpStream> {
    let stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a time");
    Lines::new(stream.try_clone().expect("a clone"), stream)
}

pub(crate) fn create() -> Value {
    json!({"hello": {"protocol": 1, "want": {"create": {"scenario": "first-night", "seed": 1}}}})
}

/// Everything that is answered to a request without a body.
pub(crate) fn ask(address: SocketAddr, method: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(stream, "{method} {path} HTTP/1.1\r\nHost: host\r\nConnection: close\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn a_game_is_seen_over_http() {
    let host = HostProcess::start(&[]);
    let mut ana = connect(host.games);
    ana.say(&create());
    ana.hear();
    ana.say(&json!({"command": ["Register", "Ana"]}));
    ana.hear();

    let health = ask(host.http, "GET", "/health");
    assert!(health.starts_with("HTTP/1.1 200 OK\r\n"), "{health}");
    let (_, body) = health.split_once("\r\n\r\n").expect("a body");
    let health: Value = serde_json::from_str(body).expect("JSON");
    assert_eq!((&health["status"], &health["games"], &health["connections"]), (&json!("ok"), &json!(1), &json!(1)));

    let metrics = ask(host.http, "GET", "/metrics");
    assert!(metrics.contains("\nholdfast_commands_total 1\n"), "{metrics}");
    host.stop();
}

#[test]
fn a_taken_http_port_is_said_before_games_are_served() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let output = holdfast(&["host", "--listen", "127.0.0.1:0", "--http", &address]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with(&format!("holdfast: cannot listen for HTTP on {address}: ")), "{said}");
}

/// Nobody asked for the usual port, so a host that cannot have it serves games all the same.
#[test]
fn a_taken_usual_http_port_is_a_warning() {
    // If another program has it and gives it back meanwhile, the host may get it, and that says nothing.
    wait_until("the host cannot have the port", || {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 7780));
        let (said, log) = serve_a_moment();
        assert!(said[1].starts_with("listening on "), "{said:?}");
        let warned = log.contains("WARN") && log.contains("no HTTP") && log.contains("127.0.0.1:7780");
        assert!(warned || taken.is_err(), "{log}");
        warned
    });
}

/// The first two lines of a host that is asked for nothing and stopped, and what it logged.
fn serve_a_moment() -> (Vec<String>, String) {
    let mut process = Command::new(env!("CARGO_BIN_EXE_holdfast"))
        .args(["host", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
    let said: Vec<String> = lines.map_while(Result::ok).take(2).collect();
    // Not killed: what was logged is written at the latest when it ends.
    let asked = Command::new("kill").args(["-TERM", &process.id().to_string()]).status();
    assert!(asked.expect("kill can be called").success());
    let mut log = String::new();
    process.stderr.take().expect("it is piped").read_to_string(&mut log).expect("lines of text");
    process.wait().expect("it ends");
    (said, log)
}

#[test]
fn addresses_for_http() {
    complains(&["host", "--http", "7780"], "neither off nor an address like 127.0.0.1:7780");
    complains(&["host", "--http", "on"], "neither off nor an address like 127.0.0.1:7780");
    complains(&["host", "--admin-token", ""], "--admin-token");
}

/// Plays a little: a game with a client that leaves, one that watches, and one that breaks off the registration.
fn play_a_little(host: &HostProcess) -> String {
    let mut ana = connect(host.games);
    ana.say(&create());
    let game = ana.hear()["welcome"]["game"].as_str().expect("a name").to_owned();
    let mut eve = connect(host.games);
    eve.say(&json!({"hello": {"protocol": 1, "want": {"watch": {}}, "game": game}}));
    eve.hear();
    let mut bo = connect(host.games);
    bo.say(&json!({"hello": {"protocol": 1, "want": {"join": {}}, "game": game}}));
    bo.hear();
    drop(bo);
    // Gone before the game is over, or it would be closed.
    wait_until("two connections are left", || ask(host.http, "GET", "/health").contains("\"connections\":2"));
    ana.say(&json!({"command": ["EndTurn"]}));
    while ana.hear().get("closing").is_none() {}
    while eve.hear().get("closing").is_none() {}
    game
}

#[test]
fn every_json_line_names_game_and_client() {
    let host = HostProcess::start(&["--log-format", "json", "-vv"]);
    let game = play_a_little(&host);
    let log = host.stop();

    let mut seen = Vec::new();
    for line in log.lines() {
        let parsed: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let message = parsed["msg"].as_str().expect("a message").to_owned();
        // Whom a line is about: the host, a connection that is in no game yet, a game, or a connection in a game.
        let keys: &[&str] = match message.as_str() {
            "stopping" => &[],
            "connected" => &["connection", "address"],
            "game created" | "game over" | "room closed" => &["game"],
            "in a game" | "closed" | "gone" => &["game", "connection"],
            _ => panic!("a line that this test does not know: {line}"),
        };
        for key in keys.iter().chain(&["ts", "level"]) {
            assert!(parsed.get(key).is_some(), "no {key}: {line}");
        }
        if keys.contains(&"game") {
            assert_eq!(parsed["game"], json!(game), "{line}");
        }
        assert_eq!(line.matches("\"game\":").count(), usize::from(keys.contains(&"game")), "each key once: {line}");
        seen.push((message, parsed.get("client").and_then(Value::as_u64)));
    }
    seen.sort();
    let expected = [
        ("closed", None),
        ("closed", Some(1)),
        ("connected", None),
        ("connected", None),
        ("connected", None),
        ("game created", None),
        ("game over", None),
        ("gone", Some(2)),
        ("in a game", None),
        ("in a game", Some(1)),
        ("in a game", Some(2)),
        ("room closed", None),
        ("stopping", None),
    ];
    let seen: Vec<_> = seen.iter().map(|(message, client)| (message.as_str(), *client)).collect();
    assert_eq!(seen, expected, "whoever watches is no client");
}

#[test]
fn lines_for_people_have_the_same() {
    let host = HostProcess::start(&["-v"]);
    let game = play_a_little(&host);
    let log = host.stop();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("in a game")).collect();
    assert_eq!(lines.len(), 3, "{log}");
    assert!(lines.iter().all(|line| line.contains(&format!("game: {game}"))), "{log}");
    assert!(lines[0].contains("client: 1") && lines[2].contains("client: 2"), "{log}");
    assert!(!log.contains("connected"), "a connection is a line of -vv: {log}");
}

#[test]
fn without_v_a_host_that_is_well_says_nothing() {
    let host = HostProcess::start(&["--log-format", "json"]);
    play_a_little(&host);
    assert_eq!(host.stop(), "");
}
