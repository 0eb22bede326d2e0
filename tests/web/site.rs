//! The program as a process: its output, and the answers of its API.

use std::{
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;
use testkit::{Request, Response};

use crate::{Scratch, driver::PATIENCE, port::Port};

/// A program on ports that the system chooses. Its log is deleted with this value.
pub(crate) struct Site {
    process: Process,
    games: SocketAddr,
    http: SocketAddr,
    /// Reserved while the program is down. Otherwise the system may give a port to a connection.
    ports: [Port; 2],
    /// The lines of output before the last address.
    said: Vec<String>,
    folder: Scratch,
    program: PathBuf,
    arguments: Vec<String>,
}

impl Site {
    /// A host without games.
    pub(crate) fn host() -> Self {
        Self::host_of(|_| ())
    }

    /// A host with a log that `write` has written.
    pub(crate) fn host_of(write: impl FnOnce(&Path)) -> Self {
        Self::start(&["host"], "http on http://", "", write)
    }

    /// A host with additional arguments.
    pub(crate) fn host_with(more: &[&str]) -> Self {
        Self::start(&[&["host"], more].concat(), "http on http://", "", |_| ())
    }

    /// A host of another program.
    pub(crate) fn program(program: &Path, arguments: &[&str]) -> Self {
        Self::start_program(program, arguments, two_ports(), ("http on http://", ""), Scratch::new("site"))
    }

    /// Kills this host, and starts it again on the same ports with the same log.
    pub(crate) fn killed(self) -> Self {
        let Self { process, ports, folder, program, arguments, .. } = self;
        drop(process);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        Self::start_program(&program, &arguments, ports, ("http on http://", ""), folder)
    }

    /// The address for players.
    pub(crate) fn port(&self) -> SocketAddr {
        self.games
    }

    /// Stops this program, and starts a host on its log.
    pub(crate) fn into_host(self) -> Self {
        let (_, folder) = self.into_log();
        Self::start_on(&["host"], two_ports(), "http on http://", "", folder)
    }

    /// Stops this host, and starts another on the same ports with the same log.
    pub(crate) fn restarted(self) -> Self {
        let (folder, ports) = self.stop();
        Self::start_on(&["host"], ports, "http on http://", "", folder)
    }

    /// Starts any program with pages. `before` and `after` are the texts around the address of the pages in its output.
    pub(crate) fn start(arguments: &[&str], before: &str, after: &str, write: impl FnOnce(&Path)) -> Self {
        let folder = Scratch::new("site");
        write(&folder.path("games.log"));
        Self::start_on(arguments, two_ports(), before, after, folder)
    }

    /// Starts a program that has pages and no port for games.
    pub(crate) fn start_pages(arguments: &[&str], before: &str, folder: Scratch) -> Self {
        let program = Path::new(env!("CARGO_BIN_EXE_holdfast"));
        Self::start_with(program, arguments, two_ports(), (before, ""), folder, false)
    }

    /// As [`start`](Self::start), on these ports and with a log in this folder.
    pub(crate) fn start_on(arguments: &[&str], ports: [Port; 2], before: &str, after: &str, folder: Scratch) -> Self {
        let program = Path::new(env!("CARGO_BIN_EXE_holdfast"));
        Self::start_program(program, arguments, ports, (before, after), folder)
    }

    fn start_program(
        program: &Path,
        arguments: &[&str],
        ports: [Port; 2],
        texts: (&str, &str),
        folder: Scratch,
    ) -> Self {
        Self::start_with(program, arguments, ports, texts, folder, true)
    }

    fn start_with(
        program: &Path,
        arguments: &[&str],
        ports: [Port; 2],
        (before, after): (&str, &str),
        folder: Scratch,
        listens: bool,
    ) -> Self {
        let [games, http] = ports.each_ref().map(|port| port.address().to_string());
        let listen: &[&str] = if listens { &["--listen", &games] } else { &[] };
        let process = Command::new(program)
            .args(arguments)
            .args(listen)
            .args(["--http", &http, "--log"])
            .arg(folder.path("games.log"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn();
        let mut process = Process(process.expect("the program starts"));
        let lines = BufReader::new(process.0.stdout.take().expect("it is piped")).lines();
        let (mut games, mut http, mut said) = ((!listens).then(|| ports[0].address()), None, Vec::new());
        for line in lines.map_while(Result::ok) {
            let address = |before, after| {
                let address = line.strip_prefix(before)?.strip_suffix(after)?.split('/').next()?;
                address.parse::<SocketAddr>().ok()
            };
            games = games.or(address("listening on ", ""));
            http = http.or(address(before, after));
            // A host prints the address for games last; a demo prints the address of its pages after it.
            if let (Some(games), Some(http)) = (games, http) {
                let arguments = arguments.iter().map(ToString::to_string).collect();
                return Self { process, games, http, ports, said, folder, program: program.into(), arguments };
            }
            said.push(line);
        }
        panic!("it does not say where it listens");
    }

    /// The address of the pages.
    pub(crate) fn http(&self) -> SocketAddr {
        self.http
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.http)
    }

    /// The rest of the first output line that begins with these words, up to the line that announces the last address.
    pub(crate) fn said(&self, before: &str) -> &str {
        let said = self.said.iter().find_map(|line| line.strip_prefix(before));
        said.unwrap_or_else(|| panic!("it does not say {before:?}: {:?}", self.said))
    }

    /// The answer to a GET.
    pub(crate) fn get(&self, path: &str) -> Response {
        Request::get(path).send_blocking(self.http)
    }

    /// The JSON that answers a POST of JSON.
    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        let answer = Request::post_json(path, body.to_string()).send_blocking(self.http);
        assert!((200..300).contains(&answer.status), "{path}: {answer:?}");
        answer.json()
    }

    /// The JSON lines that answer a GET.
    pub(crate) fn lines(&self, path: &str) -> Vec<Value> {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.json_lines()
    }

    /// The names of the games, newest first. Waits until there are at least this many.
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

    /// Stops the program. Returns the path of its log.
    pub(crate) fn into_log(self) -> (PathBuf, Scratch) {
        let (folder, _) = self.stop();
        (folder.path("games.log"), folder)
    }

    fn stop(self) -> (Scratch, [Port; 2]) {
        let Self { mut process, folder, ports, .. } = self;
        let pid = process.0.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill can be called").success());
        assert!(process.0.wait().expect("it ends").success());
        (folder, ports)
    }
}

/// Ports for the games and for the pages of a program.
pub(crate) fn two_ports() -> [Port; 2] {
    [Port::reserve(), Port::reserve()]
}

/// A process that is killed with this value, even if the test fails.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _ended_already = self.0.wait();
    }
}
