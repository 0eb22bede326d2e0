//! The project game with its three programs as processes: whole games in which all messages match the schemas, and programs
//! that are killed in the middle of a game.

use std::{
    collections::HashSet,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use engine::{Emission, Entry, EntryOf, JavaRandom};
use project_rules::{Event, Game};

use crate::{
    port::Port,
    process::Scratch,
    show,
    stored::{self, wait},
};

/// The timeout of every step, long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// The programs of one game. They are killed when the test ends.
struct Programs {
    scratch: Scratch,
    configuration: Configuration,
    /// The port on which the Communication Server listens, and the address to which the others connect.
    server: Port,
    reached: SocketAddr,
    cs: Child,
    gm: Child,
    players: Vec<Player>,
}

struct Player {
    process: Child,
    number: usize,
    team: &'static str,
    strategy: &'static str,
}

#[derive(Clone, Copy)]
struct Configuration {
    players: usize,
    board: (u32, u32),
    goals: &'static [(u32, u32)],
    pieces: u32,
    /// The costs of moving, discovering, testing, picking up and placing.
    costs: [u32; 5],
    attempts: u32,
}

impl Configuration {
    fn xml(&self) -> String {
        let goals: String =
            self.goals.iter().map(|(x, y)| format!("<Position><X>{x}</X><Y>{y}</Y></Position>")).collect();
        let (width, height) = self.board;
        let [moving, discover, test, pickup, place] = self.costs;
        format!(
            "<GameConfiguration><BoardWidth>{width}</BoardWidth><BoardHeight>{height}</BoardHeight>\
             <ServerAddress>127.0.0.1</ServerAddress><ReconnectionAttemptsCount>{}</ReconnectionAttemptsCount>\
             <ReconnectionAttemptInterval>1</ReconnectionAttemptInterval><PlayersPerTeam>{}</PlayersPerTeam>\
             <Pieces>{}</Pieces><ShamsPercentage>20</ShamsPercentage><GoalsPositions>{goals}</GoalsPositions>\
             <ActionCosts><Move>{moving}</Move><Discover>{discover}</Discover><Test>{test}</Test><Pickup>{pickup}</Pickup>\
             <Place>{place}</Place></ActionCosts><RespawnInterval>3000</RespawnInterval></GameConfiguration>",
            self.attempts, self.players, self.pieces
        )
    }
}

impl Programs {
    /// Starts all programs. `between` may put a proxy between the server and the others.
    fn start(
        test: &str,
        configuration: Configuration,
        strategies: [&'static str; 2],
        between: impl FnOnce(SocketAddr) -> SocketAddr,
    ) -> Self {
        let scratch = Scratch::new(test);
        fs::write(scratch.path("game.xml"), configuration.xml()).expect("a configuration");
        // The port stays reserved while the server is down. Otherwise the system may give it to another program.
        let server = Port::reserve();
        let cs = start_cs(&scratch, server.address(), configuration.attempts);
        let reached = between(server.address());
        let gm = start_gm(&scratch, reached);
        let mut programs = Self { scratch, configuration, server, reached, cs, gm, players: Vec::new() };
        for number in 0..2 * configuration.players {
            let (team, strategy) = [("blue", strategies[0]), ("red", strategies[1])][number % 2];
            let process = programs.start_player(number, team, strategy);
            programs.players.push(Player { process, number, team, strategy });
        }
        programs
    }

    fn start_player(&self, number: usize, team: &str, strategy: &str) -> Child {
        let attempts = self.configuration.attempts.to_string();
        let hash = format!("{number:08x}-0000-4000-8000-000000000000");
        let words =
            ["project", "player", "--connect", &self.reached.to_string(), "--team", team, "--strategy", strategy];
        let more = ["--attempts", &attempts, "--interval", "1", "--hash", &hash, "--quiet", "--trace-file"];
        holdfast(&self.scratch).args(words).args(more).arg(format!("player-{number}.txt")).spawn().expect("a player")
    }

    /// Waits until all programs have ended, and returns the exit codes of the server, the Game Master and the players.
    fn ended(&mut self) -> (i32, i32, Vec<i32>) {
        let deadline = Instant::now() + PATIENCE;
        let players = self.players.iter_mut().map(|player| code(&mut player.process, deadline)).collect();
        (code(&mut self.cs, deadline), code(&mut self.gm, deadline), players)
    }

    /// Waits until the game has begun.
    fn begins(&self) {
        let deadline = Instant::now() + PATIENCE;
        while !self.log().exists() || !has_begun(&self.log()) {
            assert!(Instant::now() < deadline, "the game does not begin");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills one of the programs with SIGKILL, and restarts it after a moment.
    fn kill(&mut self, random: &mut JavaRandom, turn: usize) {
        let pause = Duration::from_millis(random.next_below(300) as u64);
        match turn % 3 {
            0 => {
                let at = random.next_below(self.players.len() as i32) as usize;
                end(&mut self.players[at].process);
                thread::sleep(pause);
                let Player { number, team, strategy, .. } = self.players[at];
                self.players[at].process = self.start_player(number, team, strategy);
            }
            1 => {
                end(&mut self.gm);
                thread::sleep(pause);
                self.gm = start_gm(&self.scratch, self.reached);
            }
            _ => {
                end(&mut self.cs);
                thread::sleep(pause);
                self.cs = start_cs(&self.scratch, self.server.address(), self.configuration.attempts);
            }
        }
    }

    fn log(&self) -> PathBuf {
        self.scratch.path("game.log")
    }
}

impl Drop for Programs {
    /// A failed test leaves no process behind.
    fn drop(&mut self) {
        end(&mut self.cs);
        end(&mut self.gm);
        self.players.iter_mut().for_each(|player| end(&mut player.process));
    }
}

fn end(process: &mut Child) {
    let _gone_already = process.kill();
    let _gone = process.wait();
}

fn code(process: &mut Child, deadline: Instant) -> i32 {
    loop {
        if let Some(status) = process.try_wait().expect("a child process") {
            return status.code().unwrap_or(-1);
        }
        assert!(Instant::now() < deadline, "a program does not end");
        thread::sleep(Duration::from_millis(50));
    }
}

fn holdfast(scratch: &Scratch) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    program.current_dir(scratch.path("")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    program
}

fn start_cs(scratch: &Scratch, listen: SocketAddr, attempts: u32) -> Child {
    let mut program = holdfast(scratch);
    program.args([
        "project",
        "cs",
        "--interval",
        "1",
        "--listen",
        &listen.to_string(),
        "--attempts",
        &attempts.to_string(),
    ]);
    let mut process = program.stdout(Stdio::piped()).spawn().expect("a server");
    let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
    let listens = lines.any(|line| line.is_ok_and(|line| line.starts_with("listening on ")));
    assert!(listens, "the server came back");
    process
}

fn start_gm(scratch: &Scratch, server: SocketAddr) -> Child {
    let words = ["project", "gm", "--config", "game.xml", "--log", "game.log", "--http", "off", "--connect"];
    holdfast(scratch).args(words).arg(server.to_string()).spawn().expect("a Game Master")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    ToServer,
    FromServer,
}

/// Starts a proxy between the server and the others. It forwards the frames that `passes` allows.
fn between(server: SocketAddr, passes: impl Fn(Direction, &[u8]) -> bool + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let passes = Arc::new(passes);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let Ok(other) = TcpStream::connect(server) else { continue };
            for (from, to, direction) in
                [(&stream, &other, Direction::ToServer), (&other, &stream, Direction::FromServer)]
            {
                let (from, to) = (from.try_clone().expect("a socket"), to.try_clone().expect("a socket"));
                let passes = passes.clone();
                thread::spawn(move || pass(from, to, |frame| passes(direction, frame)));
            }
        }
    });
    address
}

fn pass(mut from: TcpStream, mut to: TcpStream, passes: impl Fn(&[u8]) -> bool) {
    let mut rest = Vec::new();
    let mut buffer = vec![0; 64 << 10];
    'open: while let Ok(length @ 1..) = from.read(&mut buffer) {
        rest.extend_from_slice(&buffer[..length]);
        while let Some(end) = rest.iter().position(|byte| *byte == 0x17) {
            let frame: Vec<u8> = rest.drain(..=end).collect();
            if passes(&frame[..end]) && to.write_all(&frame).is_err() {
                break 'open;
            }
        }
    }
    let _closed_already = to.shutdown(std::net::Shutdown::Write);
}

/// Whole games of eight against eight, with both strategies. Every message in both directions matches the schemas.
#[test]
fn every_message_matches_the_schemas() {
    let configuration = Configuration {
        players: 8,
        board: (12, 24),
        goals: &[(1, 1), (4, 2), (6, 4), (9, 0), (11, 3)],
        pieces: 14,
        costs: [20, 60, 60, 20, 20],
        attempts: 5,
    };
    let frames: Arc<Mutex<Vec<Vec<u8>>>> = Arc::default();
    let kept = frames.clone();
    let keep = move |_, frame: &[u8]| {
        if !frame.is_empty() {
            kept.lock().expect("no thread panicked").push(frame.to_vec());
        }
        true
    };
    let mut programs =
        Programs::start("project-whole", configuration, ["team", "solo"], |server| between(server, keep));
    let ends = programs.ended();
    assert_eq!(ends, (0, 0, vec![0; 16]), "everybody ends well");
    check_log(&programs.log());

    let frames = frames.lock().expect("no thread panicked");
    show(&format!("  {} frames in a game of 16 players", frames.len()));
    assert!(frames.len() > 1000, "{} frames", frames.len());
    let folder = programs.scratch.path("frames");
    for (schema, root) in [("Connection.xsd", "<Connection"), ("Messages.xsd", "<Messages")] {
        let folder = folder.join(schema);
        fs::create_dir_all(&folder).expect("a folder");
        let mut files = Vec::new();
        for (number, frame) in frames.iter().enumerate() {
            if String::from_utf8_lossy(frame).contains(root) {
                files.push(folder.join(format!("{number}.xml")));
                fs::write(&files[files.len() - 1], frame).expect("a file");
            }
        }
        assert!(!files.is_empty(), "{schema}");
        files.chunks(500).for_each(|some| validate(schema, some));
    }
    for kind in ["<Move><Response>", "<Discover><Response>", "<ExchangeKnowledge><Data>", "<Place><Response>", "<End>"]
    {
        let any = frames.iter().any(|frame| String::from_utf8_lossy(frame).contains(kind));
        assert!(any, "a whole game has {kind}");
    }
}

fn validate(schema: &str, files: &[PathBuf]) {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/project/schemas").join(schema);
    let checked =
        Command::new("xmllint").args(["--noout", "--schema"]).arg(schema).args(files).output().expect("xmllint");
    let words = String::from_utf8_lossy(&checked.stderr);
    let wrong: Vec<&str> = words.lines().filter(|line| !line.ends_with(" validates")).take(5).collect();
    assert!(checked.status.success(), "{wrong:#?}");
}

/// A program is killed fifty times, and always comes back. The game ends normally. It cannot end before the last kill: each
/// goal needs a piece, and until then the proxy forwards fewer requests to pick up a piece than a team has goals. Players
/// repeat a request that is not forwarded.
#[test]
fn killed_programs_come_back() {
    const KILLS: usize = 50;
    let configuration = Configuration {
        players: 3,
        board: (10, 28),
        goals: &[(0, 0), (2, 5), (4, 3), (5, 6), (7, 1), (9, 4), (8, 6), (1, 3)],
        pieces: 22,
        costs: [120, 300, 300, 120, 120],
        attempts: 300,
    };
    let picked_up = Arc::new(AtomicUsize::new(0));
    let allowed = Arc::new(AtomicUsize::new(1));
    let (asked, most) = (picked_up.clone(), allowed.clone());
    let passes = move |direction, frame: &[u8]| {
        let wanted = direction == Direction::ToServer && String::from_utf8_lossy(frame).contains("<Pickup><Request");
        let take = |taken| (taken < most.load(Ordering::Acquire)).then_some(taken + 1);
        !wanted || asked.fetch_update(Ordering::AcqRel, Ordering::Acquire, take).is_ok()
    };
    let mut programs =
        Programs::start("project-kill", configuration, ["team", "solo"], |server| between(server, passes));
    let mut random = JavaRandom::new(50);
    programs.begins();
    for killed in 0..KILLS {
        allowed.store(1 + killed * (configuration.goals.len() - 1) / KILLS, Ordering::Release);
        programs.kill(&mut random, killed);
        // The kill happens at a random moment of the game.
        thread::sleep(Duration::from_millis(400 + random.next_below(800) as u64));
    }
    assert!(picked_up.load(Ordering::Acquire) < configuration.goals.len(), "no team can have completed its goals");
    allowed.store(usize::MAX, Ordering::Release);
    let ends = programs.ended();
    assert_eq!(ends, (0, 0, vec![0; 6]), "everybody ends well");
    let (answers, outcome) = check_log(&programs.log());
    show(&format!("  killed {KILLS} times; {answers} requests were answered; {outcome}"));
    assert!(answers > 100, "{answers} answers");
}

/// Checks that the log is valid, folds to the same state, and has one answer for every request. Returns the number of requests
/// and the outcome.
fn check_log(log: &Path) -> (usize, String) {
    for what in ["verify", "replay"] {
        let checked = Command::new(env!("CARGO_BIN_EXE_holdfast")).args(["log", what]).arg(log).output();
        let checked = checked.expect("the program starts");
        assert!(checked.status.success(), "{what}: {checked:?}");
    }
    let file = stored::open(log).expect("the log");
    let records = wait(file.list()).expect("games");
    assert_eq!(records.len(), 1, "one game, however often a program was restarted");
    let outcome = records[0].end.as_ref().expect("it is over").outcome.clone();
    let mut answered = HashSet::new();
    for row in wait(file.rows(records[0].key, 1)).expect("entries") {
        let entry: EntryOf<Game> = Entry::decode(&row.bytes).expect("an entry");
        for emission in entry.emissions {
            if let Emission::Event { event: Event::Answered { context, .. }, .. } = emission {
                assert!(answered.insert(context.clone()), "{context} was answered twice");
            }
        }
    }
    (answered.len(), outcome)
}

/// Whether players can act in the only game of a log.
fn has_begun(log: &Path) -> bool {
    let Ok(file) = stored::open(log) else { return false };
    let Some(record) = wait(file.list()).expect("games").pop() else { return false };
    wait(file.rows(record.key, 1)).expect("entries").iter().any(|row| {
        let entry: EntryOf<Game> = Entry::decode(&row.bytes).expect("an entry");
        entry.emissions.iter().any(|emission| matches!(emission, Emission::Event { event: Event::Started { .. }, .. }))
    })
}

/// Without a Game Master, all programs end and print the reason.
#[test]
fn all_programs_end_after_the_last_attempt() {
    let configuration = Configuration {
        players: 1,
        board: (4, 8),
        goals: &[(1, 1)],
        pieces: 4,
        // No player can complete a goal before the Game Master is killed.
        costs: [600_000; 5],
        attempts: 2,
    };
    let mut programs = Programs::start("project-end", configuration, ["solo", "solo"], |server| server);
    programs.begins();
    end(&mut programs.gm);
    let deadline = Instant::now() + PATIENCE;
    assert_eq!(code(&mut programs.cs, deadline), 1, "the server waited for the Game Master, and then closed");
    for player in &mut programs.players {
        assert_eq!(code(&mut player.process, deadline), 1, "a player ends without a server");
    }
    let told = fs::read_to_string(programs.scratch.path("cs.txt")).expect("its log");
    assert!(told.contains("the Game Master did not come back"), "{told}");
}
