//! The command `holdfast demo`.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};
use testkit::Request;

use crate::{complains, host::connect, wait_until};

/// A demo process. Its temporary files are in a folder of this test.
struct Demo {
    process: Child,
    folder: PathBuf,
    games: SocketAddr,
    http: SocketAddr,
}

impl Demo {
    fn start(test: &str, arguments: &[&str]) -> Self {
        Self::start_in(test, arguments, &std::env::var("PATH").expect("a path"))
    }

    /// As [`start`](Self::start), with another path to programs.
    fn start_in(test: &str, arguments: &[&str], path: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("holdfast-test-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let mut process = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .args(["demo", "--http", "127.0.0.1:0", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .env("TMPDIR", &folder)
            .env("PATH", path)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let mut address = |before: &str, after: &str| {
            let found = lines.find_map(|line| Some(line.ok()?.strip_prefix(before)?.strip_suffix(after)?.to_owned()));
            found.unwrap_or_else(|| panic!("it says {before}")).parse().expect("an address")
        };
        let games = address("listening on ", "");
        let http = address("Open http://", "/ in a browser");
        Self { process, folder, games, http }
    }

    /// The number of games that the demo has finished.
    fn finished(&self) -> u64 {
        let metrics = Request::get("/metrics").send_blocking(self.http);
        let line = metrics.body.lines().find_map(|line| line.strip_prefix("holdfast_games_finished_total "));
        line.expect("it is counted").parse().expect("a number")
    }

    /// Sends SIGINT, as Ctrl-C does.
    fn interrupt(&mut self) {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill can be called").success());
        let mut ended = None;
        wait_until("it ends", || {
            ended = self.process.try_wait().expect("it can be asked for");
            ended.is_some()
        });
        assert_eq!(ended.and_then(|status| status.code()), Some(0));
    }
}

impl Drop for Demo {
    /// Kills the process and deletes the files, even if the test fails.
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended_already = self.process.wait();
        let _gone_already = fs::remove_dir_all(&self.folder);
    }
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).expect("it is there").count()
}

#[test]
fn games_are_played_and_gone_with_the_end() {
    // The first game is finished immediately, and the others have players with names. When a game ends, another begins, so a
    // demo that waited for its last game would never end.
    let mut demo = Demo::start("demo", &["--games", "2", "--pace", "100"]);
    let mut named = Value::Null;
    wait_until("two games with players, and a finished one", || {
        let mut visitor = connect(demo.games);
        visitor.say(&json!({"hello": {"protocol": 1, "want": "list"}}));
        let games = visitor.hear()["games"].clone();
        let players = |game: &Value| game["players"].as_array().is_some_and(|players| players.len() >= 2);
        // Bots of the host may also play other rulebooks.
        let games = games.as_array().into_iter().flatten().filter(|game| game["rulebook"] == json!("colony"));
        named = games.cloned().collect();
        demo.finished() > 0 && named.as_array().is_some_and(|games| games.len() == 2 && games.iter().all(players))
    });
    assert!(!named.to_string().contains("bot"), "{named}");
    assert_eq!(entries(&demo.folder), 1, "the log is there");
    demo.interrupt();
    assert_eq!(entries(&demo.folder), 0, "the log is gone");
}

/// Every rulebook of the program has a running game. The demonstration shows all of a game that only its own programs play.
#[test]
fn all_rulebooks_live() {
    let mut demo = Demo::start("demo-all", &["--games", "1"]);
    let mut expected: Vec<&str> = holdfast::GAMES.iter().map(|game| game.hosted().name()).collect();
    expected.sort_unstable();
    let mut running = Vec::new();
    wait_until("each rulebook has a game that has begun", || {
        let listed = Request::get("/api/v1/games?status=running&limit=100").send_blocking(demo.http).json();
        running = listed["games"].as_array().cloned().unwrap_or_default();
        running.retain(|game| game["players"].as_array().is_some_and(|players| players.len() >= 2));
        let mut names: Vec<&str> = running.iter().filter_map(|game| game["rulebook"].as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names == expected
    });
    for game in holdfast::GAMES {
        let of_it = |running: &&Value| running["rulebook"] == game.hosted().name();
        let name = running.iter().find(of_it).and_then(|game| game["name"].as_str()).expect("a running game");
        let lines = Request::get(&format!("/api/v1/games/{name}")).send_blocking(demo.http).json_lines();
        let (status, seed) = (&lines[0]["game"]["status"], &lines[0]["game"]["seed"]);
        if status == "running" {
            assert_eq!(seed.is_string(), game.is_demonstrated_whole(), "the seed of {name}");
        }
    }
    demo.interrupt();
}

#[test]
fn a_log_that_is_named_stays() {
    let folder = std::env::temp_dir().join(format!("holdfast-test-demo-log-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    let log = folder.join("games.log").display().to_string();
    let mut demo =
        Demo::start("demo-kept", &["--games", "1", "--pace", "0", "--scenario", "first-night", "--log", &log]);
    wait_until("three games are over", || demo.finished() >= 3);
    demo.interrupt();
    let verified = crate::holdfast(&["log", "verify", &log]);
    fs::remove_dir_all(&folder).expect("the log can be removed");
    assert!(verified.status.success(), "{verified:?}");
}

/// The program that opens addresses is the first of its name in the path.
#[test]
fn the_browser_is_opened() {
    use std::os::unix::fs::PermissionsExt;

    let folder = std::env::temp_dir().join(format!("holdfast-test-demo-open-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    let (opener, opened) = (folder.join("xdg-open"), folder.join("opened"));
    fs::write(&opener, format!("#!/bin/sh\necho \"$1\" > {}\n", opened.display())).expect("written");
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).expect("it may run");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").expect("a path"));
    let mut demo = Demo::start_in("demo-open", &["--open", "--games", "1"], &path);
    let address = format!("http://{}/\n", demo.http);
    wait_until("the address is opened", || fs::read_to_string(&opened).is_ok_and(|text| text == address));
    demo.interrupt();
    fs::remove_dir_all(&folder).expect("it can be removed");
}

#[test]
fn what_cannot_be_shown_is_said() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    complains(
        &["demo", "--listen", "127.0.0.1:0", "--http", &address],
        &format!("cannot listen for HTTP on {address}: "),
    );
    complains(&["demo", "--listen", "127.0.0.1:0", "--http", &address], "--http 127.0.0.1:0 takes any free port");
    complains(&["demo", "--http", "127.0.0.1:0", "--scenario", "nothing"], "nothing: no such file");
    complains(&["demo", "--http", "127.0.0.1:0", "--games", "0"], "0");
}
