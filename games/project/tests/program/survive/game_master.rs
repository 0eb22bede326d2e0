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

use super::line::{Line, uuid};
use crate::{
    gate::Gate,
    process::{Scratch, check_landed_program_with, landed, today},
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
    go_on("project", &today());
}

/// The programs of the last landed state begin the game. After the first kill, today's Game Master goes on with it, over the old
/// server and for the same players.
#[test]
fn upgrade() {
    let Some(landed) = landed() else { return };
    let scratch = go_on("project-upgrade", &landed);
    check_landed_program_with(&landed, &scratch.path("game.log"));
}

/// Starts a server and a Game Master with a program, and kills the Game Master several times. Returns the folder with the log.
fn go_on(test: &str, program: &Path) -> Scratch {
    let scratch = Scratch::new(test);
    let (config, log) = (scratch.path("game.xml"), scratch.path("game.log"));
    fs::write(&config, CONFIGURATION).expect("a configuration");
    let trace = |name: &str| scratch.path(name).display().to_string();
    let cs =
        ["cs", "--listen", "127.0.0.1:0", "--attempts", "600", "--interval", "1", "--trace-file", &trace("cs.txt")];
    let mut server = Program::start(program, &cs);
    let address = server.says("listening on ");
    let begin = |program: &Path| {
        let files = [config.display().to_string(), log.display().to_string(), trace("gm.txt")];
        let [config, log, trace] = &files;
        let arguments =
            ["gm", "--config", config, "--connect", &address, "--log", log, "--trace-file", trace, "--http", "off"];
        let mut master = Program::start(program, &arguments);
        master.says("Game Master of ");
        master
    };
    let mut master = begin(program);
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
        master = begin(&today());
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
    for what in ["verify", "replay"] {
        let checked = Command::new(today()).args(["log", what]).arg(&log).output().expect("the program starts");
        assert!(checked.status.success(), "{what}: {checked:?}");
    }
    scratch
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
        let position = line.walk(&id, direction);
        told.insert(id, position);
    }
    told
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
    fn start(program: &Path, arguments: &[&str]) -> Self {
        let mut process = Command::new(program)
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
