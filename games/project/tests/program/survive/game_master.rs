//! A Game Master is killed again and again. Its players stay connected to the server and repeat their requests. Every answer
//! that they received is in the log.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use engine::{Emission, Entry, EntryOf};
use project_rules::{Answer, Event, Game};

use super::line::{Line, uuid, within};
use crate::{
    gate::Gate,
    process::Scratch,
    stored::{self, wait},
};

const CONFIGURATION: &str = "<GameConfiguration><BoardWidth>6</BoardWidth><BoardHeight>12</BoardHeight>
    <ServerAddress>127.0.0.1</ServerAddress>
    <ReconnectionAttemptsCount>4</ReconnectionAttemptsCount><ReconnectionAttemptInterval>1</ReconnectionAttemptInterval>
    <PlayersPerTeam>1</PlayersPerTeam><Pieces>8</Pieces><ShamsPercentage>25</ShamsPercentage>
    <GoalsPositions><Position><X>1</X><Y>1</Y></Position></GoalsPositions>
    <ActionCosts><Move>5</Move></ActionCosts></GameConfiguration>";

const KILLS: u32 = 5;
const ACTIONS: u32 = 400;
/// The number of actions of a player between two kills.
const APART: u32 = 60;

/// The timeout of every step, long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

#[test]
fn a_killed_game_master_continues_its_game() {
    let scratch = Scratch::new("project");
    let (config, log) = (scratch.path("game.xml"), scratch.path("game.log"));
    fs::write(&config, CONFIGURATION).expect("a configuration");
    let trace = |name: &str| scratch.path(name).display().to_string();
    let mut server = Program::start(&[
        "cs",
        "--listen",
        "127.0.0.1:0",
        "--attempts",
        "600",
        "--interval",
        "1",
        "--trace-file",
        &trace("cs.txt"),
    ]);
    let address = server.says("listening on ");
    let begin = || {
        let files = [config.display().to_string(), log.display().to_string(), trace("gm.txt")];
        let [config, log, trace] = &files;
        let arguments =
            ["gm", "--config", config, "--connect", &address, "--log", log, "--trace-file", trace, "--http", "off"];
        let mut master = Program::start(&arguments);
        master.says("Game Master of ");
        master
    };
    let mut master = begin();
    let address: SocketAddr = address.parse().expect("an address");
    let gate = Arc::new(Gate::closed());
    let players = [(1, "Blue"), (2, "Red")].map(|(number, team)| {
        let gate = gate.clone();
        thread::spawn(move || play(address, number, team, &gate))
    });
    for kill in 1..=KILLS {
        gate.open_until(kill * APART);
        // Kill the Game Master while the players walk, before either can take its last step.
        gate.wait_for(kill * APART - APART / 2);
        master.kill();
        master = begin();
    }
    gate.open();
    let told = players.map(|player| player.join().expect("it plays"));
    // Both players have left, and do not come back.
    assert_eq!(master.ends(), 0, "{}", fs::read_to_string(scratch.path("gm.txt")).expect("a trace file"));
    assert_eq!(server.ends(), 0, "{}", fs::read_to_string(scratch.path("cs.txt")).expect("a trace file"));

    let stored = answers(&log);
    for told in told {
        assert_eq!(told.len(), ACTIONS as usize);
        for (id, position) in told {
            assert_eq!(stored.get(&id), Some(&position), "what a player was told is in the log, once");
        }
    }
    assert_eq!(stored.len(), 2 * ACTIONS as usize, "and nothing else was done");
}

/// Plays a player that walks about, and returns its position after each request.
fn play(address: SocketAddr, number: u8, team: &str, gate: &Gate) -> BTreeMap<String, (i32, i32)> {
    let mut line = Line::to(address, number);
    let content = format!("<GameState><Setup><Request><Team>{team}</Team></Request></Setup></GameState>");
    line.ask(&uuid(number, 0), &content, "<Confirmation>");
    // The game starts when the other player has joined.
    while line.until(&["<Start>"]).is_none() {}
    let mut told = BTreeMap::new();
    for step in 1..=ACTIONS {
        gate.pass(step);
        let direction = ["Up", "Right", "Down", "Left", "Up", "Left"][(step * 7 + step / 5) as usize % 6];
        let id = uuid(number, step);
        let content = format!("<Action><Move><Request><Direction>{direction}</Direction></Request></Move></Action>");
        let answer = line.ask(&id, &content, "<Move><Response>");
        told.insert(id, position(&answer).expect("a position"));
    }
    told
}

fn position(answer: &str) -> Option<(i32, i32)> {
    Some((within(answer, "<X>", "</X>")?.parse().ok()?, within(answer, "<Y>", "</Y>")?.parse().ok()?))
}

/// The position after each request, from the log. Checks that each request is in the log once.
fn answers(log: &Path) -> BTreeMap<String, (i32, i32)> {
    let file = stored::open(log).expect("the log can be read");
    let [record] = &*wait(file.list()).expect("games") else { panic!("one game") };
    let mut answers = BTreeMap::new();
    for row in wait(file.rows(record.key, 1)).expect("entries") {
        let entry: EntryOf<Game> = Entry::decode(&row.bytes).expect("an entry");
        for emission in entry.emissions {
            if let Emission::Event {
                event: Event::Answered { context, answer: Answer::Moved { position, .. } }, ..
            } = emission
            {
                let before = answers.insert(context.to_string(), (position.x, position.y));
                assert_eq!(before, None, "{context} is carried out once");
            }
        }
    }
    answers
}

/// A program that is killed when the test ends.
struct Program {
    process: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Program {
    fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .arg("project")
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        Self { process, lines }
    }

    /// Waits for a line that begins with these words, and returns the rest.
    fn says(&mut self, words: &str) -> String {
        for line in &mut self.lines {
            if let Some(rest) = line.expect("text").strip_prefix(words) {
                return rest.to_owned();
            }
        }
        panic!("it ends without saying {words:?}");
    }

    /// Sends SIGKILL.
    fn kill(&mut self) {
        self.process.kill().expect("the process was there");
        self.process.wait().expect("it has ended");
    }

    /// Waits for the end of the program, and returns its exit code.
    fn ends(&mut self) -> i32 {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.process.try_wait().expect("the process is ours") {
                return status.code().expect("it was not killed");
            }
            assert!(Instant::now() < deadline, "it does not end");
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _gone_already = self.process.kill();
        let _gone = self.process.wait();
    }
}
