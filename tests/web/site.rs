//! The program as a process: a host with games that the test plays on it, or a demo that plays by itself.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use colony::{
    remote::{Plan, Player, RemoteError, Tally, keep_playing},
    strategy,
};
use colony_rules::Setup;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::{Scratch, driver::PATIENCE};

/// A host or a demo on ports that the system picks, with a log that is gone with it.
pub(crate) struct Site {
    process: Process,
    games: SocketAddr,
    http: SocketAddr,
    /// Where the treasure game is played, if it is.
    treasure: Option<SocketAddr>,
    folder: Scratch,
}

impl Site {
    /// A host without games.
    pub(crate) fn host() -> Self {
        Self::host_of(|_| ())
    }

    /// A host of a log that was written before.
    pub(crate) fn host_of(write: impl FnOnce(&Path)) -> Self {
        Self::start(&["host"], "http on http://", "", write)
    }

    /// A host with the port of the treasure game.
    pub(crate) fn treasure_host() -> Self {
        let site = Self::start(&["host", "--treasure", "127.0.0.1:0"], "http on http://", "", |_| ());
        assert!(site.treasure.is_some(), "it says where the treasure game is played");
        site
    }

    /// A Communication Server with a Game Master, which shows its game.
    pub(crate) fn project(configuration: &str) -> Self {
        let folder = Scratch::new("project");
        let file = folder.path("game.xml");
        std::fs::write(&file, configuration).expect("a configuration");
        let words =
            ["project", "serve", "--log-file", "off", "--cs-log-file", "off", "--config", &file.display().to_string()]
                .map(ToOwned::to_owned);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let any_port = || "127.0.0.1:0".to_owned();
        Self::start_on(&words, [any_port(), any_port()], "view on http://", "", folder)
    }

    /// Where players connect.
    pub(crate) fn port(&self) -> SocketAddr {
        self.games
    }

    /// A host of the log that this one leaves.
    pub(crate) fn into_host(self) -> Self {
        let (_, folder) = self.into_log();
        let any_port = || "127.0.0.1:0".to_owned();
        Self::start_on(&["host"], [any_port(), any_port()], "http on http://", "", folder)
    }

    /// Bots that play so many games at a time; the game that is over at once is over.
    pub(crate) fn demo(games: usize, pace: u32, seed: i64) -> Self {
        let words = [("--games", games.to_string()), ("--pace", pace.to_string()), ("--seed", seed.to_string())];
        let words = words.iter().flat_map(|(option, value)| [*option, value.as_str()]);
        let demo = Self::start(
            &["demo"].into_iter().chain(words).collect::<Vec<_>>(),
            "Open http://",
            "/ in a browser",
            |_| (),
        );
        demo.games("finished", 1);
        demo.games("running", games);
        demo
    }

    /// A host that stopped, and another one on the same ports with the same log.
    pub(crate) fn restarted(self) -> Self {
        let ports = [self.games, self.http].map(|address| address.to_string());
        let (_, folder) = self.into_log();
        Self::start_on(&["host"], ports, "http on http://", "", folder)
    }

    fn start(arguments: &[&str], before: &str, after: &str, write: impl FnOnce(&Path)) -> Self {
        let folder = Scratch::new("site");
        write(&folder.path("games.log"));
        let any_port = || "127.0.0.1:0".to_owned();
        Self::start_on(arguments, [any_port(), any_port()], before, after, folder)
    }

    fn start_on(arguments: &[&str], [games, http]: [String; 2], before: &str, after: &str, folder: Scratch) -> Self {
        let process = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .args(arguments)
            .args(["--listen", &games, "--http", &http, "--log"])
            .arg(folder.path("games.log"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn();
        let mut process = Process(process.expect("the program starts"));
        let lines = BufReader::new(process.0.stdout.take().expect("it is piped")).lines();
        let (mut games, mut http, mut treasure) = (None, None, None);
        for line in lines.map_while(Result::ok) {
            let address = |before, after| {
                let address = line.strip_prefix(before)?.strip_suffix(after)?.split('/').next()?;
                address.parse::<SocketAddr>().ok()
            };
            games = games.or(address("listening on ", ""));
            http = http.or(address(before, after));
            treasure = treasure.or(address("treasure on http://", ""));
            // The port of all games comes last, and the pages of a demo after it.
            if let (Some(games), Some(http)) = (games, http) {
                return Self { process, games, http, treasure, folder };
            }
        }
        panic!("it does not say where it listens");
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.http)
    }

    /// Where the treasure game is played.
    pub(crate) fn treasure(&self) -> SocketAddr {
        self.treasure.expect("a host with that port")
    }

    /// What is answered to a GET: the status and the body.
    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        self.ask(&format!("GET {path}"), "")
    }

    /// What is answered to JSON.
    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask(&format!("POST {path}"), &body.to_string());
        assert!((200..300).contains(&status), "{path}: {answer}");
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    fn ask(&self, what: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.http).expect("a connection");
        let about = format!("Host: {}\r\nContent-Type: application/json\r\nContent-Length: {}", self.http, body.len());
        // In HTTP/1.0 nothing comes in chunks.
        write!(stream, "{what} HTTP/1.0\r\n{about}\r\n\r\n{body}").expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_else(|| panic!("{head}")), body.to_owned())
    }

    /// JSON lines.
    pub(crate) fn lines(&self, path: &str) -> Vec<Value> {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {body}");
        body.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
    }

    /// Names of games, newest first, once there are so many.
    pub(crate) fn games(&self, status: &str, at_least: usize) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let found = self.lines(&format!("/api/v1/games?status={status}&limit=100")).swap_remove(0);
            let games = found["games"].as_array().unwrap_or_else(|| panic!("{found}"));
            let names = games.iter().filter_map(|game| game["name"].as_str());
            if games.len() >= at_least {
                return names.map(ToOwned::to_owned).collect();
            }
            assert!(Instant::now() < deadline, "never {at_least} games: {found}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Plays a game of winter to its end, and gives its name.
    pub(crate) fn play(&self, players: &[(&str, &str)], seed: i64) -> String {
        self.try_to_play(players, seed).unwrap_or_else(|error| panic!("{error}"));
        let game = self.games("finished", 1).swap_remove(0);
        let told = self.lines(&format!("/api/v1/games/{game}")).swap_remove(0);
        let names: Vec<&str> = players.iter().map(|(name, _)| *name).collect();
        assert_eq!(told["game"]["players"], json!(names), "all of them play");
        game
    }

    /// Players by name and strategy.
    pub(crate) fn try_to_play(&self, players: &[(&str, &str)], seed: i64) -> Result<(), RemoteError> {
        let player = |&(name, bot): &(&str, &str)| Player {
            name: name.to_owned(),
            bot: strategy(bot).expect("a strategy of this name").bot,
        };
        let scenario = colony::scenario("winter").expect("it is built in");
        let plan = Plan {
            address: self.games,
            scenario: "winter".into(),
            setup: Setup::new(scenario, None, None).expect("it is sound"),
            pace: Duration::ZERO,
            pause: Duration::ZERO,
        };
        let players: Vec<Player> = players.iter().map(player).collect();
        let (doors, tally) = (Semaphore::new(1), Tally::default());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(keep_playing(&plan, [seed].into_iter(), |_| players.clone(), &doors, &tally))
    }

    /// A game of crazyhouse over TCP, with these moves; Ana is White and Bo is Black.
    pub(crate) fn crazyhouse(&self, scenario: &str, moves: &[&str]) -> String {
        let create = json!({"create": {"rulebook": "crazyhouse", "scenario": scenario}});
        let (mut white, game) = Seat::take(self.games, &create, None, "Ana", "white");
        let (black, _) = Seat::take(self.games, &json!({"join": {}}), Some(&game), "Bo", "black");
        white.until("Began");
        let mut seats = [white, black];
        for (number, text) in moves.iter().enumerate() {
            seats[number % 2].say(&json!({"command": {"Move": {"text": text}}}));
            seats[number % 2].until("Moved");
            seats[1 - number % 2].until("Moved");
        }
        game
    }

    /// What the rules say about a position.
    pub(crate) fn position(&self, text: &str) -> Value {
        self.lines(&format!("/api/v1/rulebooks/crazyhouse/position?{}", text.replace(' ', "+"))).swap_remove(0)
    }

    /// Ends it, and gives the file of its log.
    pub(crate) fn into_log(self) -> (PathBuf, Scratch) {
        let Self { mut process, folder, .. } = self;
        let pid = process.0.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill can be called").success());
        assert!(process.0.wait().expect("it ends").success());
        (folder.path("games.log"), folder)
    }
}

/// A player over TCP.
struct Seat {
    lines: std::io::Lines<BufReader<TcpStream>>,
    stream: TcpStream,
}

impl Seat {
    fn take(address: SocketAddr, want: &Value, game: Option<&str>, name: &str, side: &str) -> (Self, String) {
        let stream = TcpStream::connect(address).expect("a connection");
        let lines = BufReader::new(stream.try_clone().expect("the same")).lines();
        let mut seat = Self { lines, stream };
        seat.say(&json!({"hello": {"protocol": 1, "want": want, "game": game}}));
        let welcome = seat.next();
        let game = welcome["welcome"]["game"].as_str().unwrap_or_else(|| panic!("{welcome}")).to_owned();
        seat.say(&json!({"command": {"Join": {"name": name, "side": side}}}));
        seat.until("Seated");
        (seat, game)
    }

    fn say(&mut self, message: &Value) {
        writeln!(self.stream, "{message}").expect("sent");
    }

    fn next(&mut self) -> Value {
        let line = self.lines.next().expect("not the end").expect("a line");
        serde_json::from_str(&line).expect("JSON")
    }

    /// Waits for an event of a kind.
    fn until(&mut self, kind: &str) {
        loop {
            let message = self.next();
            assert!(message.pointer("/event/event/Refused").is_none(), "{message}");
            if message["event"]["event"].get(kind).is_some() {
                return;
            }
        }
    }
}

/// A process that ends with its value: a test that fails leaves nothing behind.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _ended_already = self.0.wait();
    }
}
