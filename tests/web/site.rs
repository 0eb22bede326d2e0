//! The program as a process: what it says where, and what its API answers.

use std::{
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;
use testkit::{Request, Response};

use crate::{Scratch, driver::PATIENCE};

/// A program on ports that the system picks, with a log that is gone with it.
pub(crate) struct Site {
    process: Process,
    games: SocketAddr,
    http: SocketAddr,
    /// What it said before it listened, line by line.
    said: Vec<String>,
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

    /// A host with more arguments than every host has.
    pub(crate) fn host_with(more: &[&str]) -> Self {
        Self::start(&[&["host"], more].concat(), "http on http://", "", |_| ())
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

    /// A host that stopped, and another one on the same ports with the same log.
    pub(crate) fn restarted(self) -> Self {
        let ports = [self.games, self.http].map(|address| address.to_string());
        let (_, folder) = self.into_log();
        Self::start_on(&["host"], ports, "http on http://", "", folder)
    }

    /// Any program with pages, by its first arguments and what it says around where they are.
    pub(crate) fn start(arguments: &[&str], before: &str, after: &str, write: impl FnOnce(&Path)) -> Self {
        let folder = Scratch::new("site");
        write(&folder.path("games.log"));
        let any_port = || "127.0.0.1:0".to_owned();
        Self::start_on(arguments, [any_port(), any_port()], before, after, folder)
    }

    /// The same on these ports, with a log in this folder.
    pub(crate) fn start_on(
        arguments: &[&str],
        [games, http]: [String; 2],
        before: &str,
        after: &str,
        folder: Scratch,
    ) -> Self {
        let process = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .args(arguments)
            .args(["--listen", &games, "--http", &http, "--log"])
            .arg(folder.path("games.log"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn();
        let mut process = Process(process.expect("the program starts"));
        let lines = BufReader::new(process.0.stdout.take().expect("it is piped")).lines();
        let (mut games, mut http, mut said) = (None, None, Vec::new());
        for line in lines.map_while(Result::ok) {
            let address = |before, after| {
                let address = line.strip_prefix(before)?.strip_suffix(after)?.split('/').next()?;
                address.parse::<SocketAddr>().ok()
            };
            games = games.or(address("listening on ", ""));
            http = http.or(address(before, after));
            // The port of all games comes last, and the pages of a demo after it.
            if let (Some(games), Some(http)) = (games, http) {
                return Self { process, games, http, said, folder };
            }
            said.push(line);
        }
        panic!("it does not say where it listens");
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.http)
    }

    /// What it said after these words before it listened.
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

    /// Ends it, and gives the file of its log.
    pub(crate) fn into_log(self) -> (PathBuf, Scratch) {
        let Self { mut process, folder, .. } = self;
        let pid = process.0.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill can be called").success());
        assert!(process.0.wait().expect("it ends").success());
        (folder.path("games.log"), folder)
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
