//! The server for one game, as a course starts it.

use std::{
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
};

use colony_rules::{Command as Move, Event};
use commlib::{ClientConnection, Form, Hello, PROTOCOL, ToClient, Want};
use serde_json::{Value, json};

use crate::holdfast;

struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        Self::start_at(["--port", "0"], arguments)
    }

    fn start_at(place: [&str; 2], arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .args(place)
            .args(["--seed", "-77", "--timeout", "300"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let line = lines.find_map(|line| Some(line.ok()?.strip_prefix("listening on ")?.to_owned()));
        let address = line.expect("it listens").parse().expect("an address");
        Self { process, address }
    }

    fn exit_code(mut self) -> Option<i32> {
        self.process.wait().expect("it ends").code()
    }
}

/// The answer to an event of a player who only ends turns.
fn answer(event: &Event) -> Option<Move> {
    if let Event::Characters { c0, c1, .. } = event {
        return Some(Move::SelectCharacters { first: *c0, second: *c1 });
    }
    (*event == Event::ActNow {}).then_some(Move::EndTurn {})
}

/// Plays with two clients over frames. Returns the events of each.
fn over_frames(address: SocketAddr) -> [Vec<Event>; 2] {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        // The first client has its answer before the second registers.
        let (mut ana, mut to_ana) = enter(address, "Ana").await;
        let (mut bo, mut to_bo) = enter(address, "Bo").await;
        tokio::join!(listen(&mut ana, &mut to_ana), listen(&mut bo, &mut to_bo));
        [to_ana, to_bo]
    })
}

async fn enter(address: SocketAddr, name: &str) -> (ClientConnection<Move, Event>, Vec<Event>) {
    let mut connection = ClientConnection::connect(address, Form::Binary).await.expect("a connection");
    let hello = Hello { protocol: PROTOCOL, want: Want::Join { seat: None }, game: None, board: false };
    connection.hello(hello).await.expect("a welcome");
    connection.send(&Move::Register { name: name.into() }).await.expect("sent");
    let config = connection.next().await.expect("an event").expect("an event");
    let ToClient::Event(told) = config else { panic!("{config:?}") };
    assert!(told.text.is_some_and(|text| text.contains("maxPlayers")), "the scenario goes with Config");
    (connection, vec![told.event])
}

async fn listen(connection: &mut ClientConnection<Move, Event>, told: &mut Vec<Event>) {
    while let Ok(Some(message)) = connection.next().await {
        if let ToClient::Event(event) = message {
            if let Some(command) = answer(&event.event) {
                let _over_already = connection.send(&command).await;
            }
            told.push(event.event);
        }
    }
}

/// A client over lines of text, as with `nc`.
struct Lines {
    stream: TcpStream,
    lines: std::io::Lines<BufReader<TcpStream>>,
    told: Vec<Event>,
}

impl Lines {
    fn enter(address: SocketAddr, name: &str) -> Self {
        let mut stream = TcpStream::connect(address).expect("a connection");
        let mut lines = BufReader::new(stream.try_clone().expect("a clone")).lines();
        let hello = json!({"hello": {"protocol": 1, "want": {"join": {}}}});
        let register = json!({"command": ["Register", name]});
        writeln!(stream, "{hello}\n{register}").expect("sent");
        let mut line = || lines.next().expect("a line").expect("a line");
        assert!(line().starts_with(r#"{"welcome":"#));
        let told = vec![event(&line()).expect("Config")];
        Self { stream, lines, told }
    }

    /// Plays until the server closes the connection.
    fn play(mut self) -> Vec<Event> {
        while let Some(Ok(line)) = self.lines.next() {
            let Some(event) = event(&line) else { continue };
            if let Some(command) = answer(&event) {
                let _over_already = writeln!(self.stream, "{}", json!({"command": command}));
            }
            self.told.push(event);
        }
        let _gone_already = self.stream.shutdown(Shutdown::Both);
        self.told
    }
}

fn over_lines(address: SocketAddr) -> [Vec<Event>; 2] {
    let [ana, bo] = ["Ana", "Bo"].map(|name| Lines::enter(address, name));
    let ana = std::thread::spawn(|| ana.play());
    let to_bo = bo.play();
    [ana.join().expect("no panic"), to_bo]
}

fn event(line: &str) -> Option<Event> {
    let message: Value = serde_json::from_str(line).expect("a line of JSON");
    serde_json::from_value(message.get("event")?.get("event")?.clone()).ok()
}

#[test]
fn the_same_game_in_both_forms() {
    let server = Server::start(&["--config", "first-night"]);
    let frames = over_frames(server.address);
    assert_eq!(server.exit_code(), Some(0), "the process ends with the game");
    let server = Server::start(&["--config", "first-night"]);
    let lines = over_lines(server.address);
    assert_eq!(server.exit_code(), Some(0));

    assert_eq!(frames, lines, "same scenario, seed and commands: same events");
    for told in &frames {
        assert!(matches!(told.last(), Some(Event::GameEnd { .. })), "{:?}", told.last());
        assert!(told.len() > 50);
    }
}

/// A server on an address of its own, and a bot that is not told the name of the game.
#[test]
fn a_bot_finds_the_only_game() {
    let server = Server::start_at(["--listen", "127.0.0.1:0"], &["--config", "first-night"]);
    let address = server.address.to_string();
    let bot = holdfast(&["bot", "--connect", &address, "--strategy", "random", "--start"]);
    assert!(bot.status.success(), "{bot:?}");
    assert!(String::from_utf8_lossy(&bot.stdout).starts_with("in game game\n"), "{bot:?}");
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn what_a_server_is_not_started_with() {
    let check = |arguments: &[&str], expected: &str| {
        let course = ["--config", "first-night", "--seed", "1"];
        let output = holdfast(&[&course, arguments].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(expected), "{arguments:?}: {said}");
    };
    check(&["--port", "0", "--timeout", "0"], "the duration must be between 1ms and ");
    check(&["--port", "0", "--timeout", "0ms"], "the duration must be between 1ms and ");
    check(&["--timeout", "5"], "--port <PORT>|--listen <ADDR>");
    check(&["--port", "0", "--listen", "127.0.0.1:0", "--timeout", "5"], "cannot be used with");
    check(&["--listen", "here", "--timeout", "5"], "here");
}

#[test]
fn a_broken_registration_ends_it_well() {
    let server = Server::start(&["--config", "first-night"]);
    let mut stream = TcpStream::connect(server.address).expect("a connection");
    let hello = json!({"hello": {"protocol": 1, "want": {"join": {}}}});
    writeln!(stream, "{hello}\n{}", json!({"command": ["EndTurn"]})).expect("sent");
    let told: Vec<String> = BufReader::new(&stream).lines().map_while(Result::ok).collect();
    assert!(told.last().is_some_and(|last| last.contains("aborted during registration")), "{told:?}");
    drop(stream);
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn what_cannot_be_served_is_said_before_the_port_opens() {
    let arguments = |config, port| ["--config", config, "--port", port, "--seed", "1", "--timeout", "5"];
    let output = holdfast(&arguments("nowhere", "0"));
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nowhere"));

    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let output = holdfast(&arguments("first-night", &port));
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot listen on 127.0.0.1:"), "{output:?}");
}

/// No player registers in time: the server ends as after an aborted registration.
#[test]
fn a_registration_that_nobody_joins_times_out() {
    let output = holdfast(&["--config", "first-night", "--port", "0", "--seed", "1", "--timeout", "1"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}
