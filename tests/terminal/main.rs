//! `holdfast play` as a person uses it: in a real terminal, which is tmux, and with lines through a pipe.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

const HOLDFAST: &str = env!("CARGO_BIN_EXE_holdfast");

/// A host that is killed with the test.
struct Host(Child);

impl Host {
    fn start(address: SocketAddr, log: &Path) -> Self {
        let mut process = Command::new(HOLDFAST)
            .args(["host", "--http", "off", "--listen", &address.to_string(), "--log"])
            .arg(log)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the host starts");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        lines
            .find(|line| line.as_ref().is_ok_and(|line| line.starts_with("listening")))
            .expect("it listens")
            .expect("a line");
        Self(process)
    }

    /// SIGKILL: no farewell.
    fn kill(mut self) {
        self.0.kill().expect("it was there");
        self.0.wait().expect("it has ended");
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _ended_already = self.0.wait();
    }
}

/// A terminal of 80 x 24 on a tmux server of its own.
struct Tmux(String);

impl Tmux {
    fn start(command: &str) -> Self {
        let tmux = Self(format!("holdfast-{}", std::process::id()));
        tmux.call(&["new-session", "-d", "-x", "80", "-y", "24", command]);
        tmux
    }

    fn call(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux").args(["-L", &self.0]).args(arguments).output().expect("tmux can be called");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn press(&self, key: &str) {
        self.call(&["send-keys", key]);
    }

    fn screen(&self) -> String {
        self.call(&["capture-pane", "-p"])
    }

    /// The screen, once it shows one of these.
    fn wait_for(&self, texts: &[&str]) -> String {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let screen = self.screen();
            if texts.iter().any(|text| screen.contains(text)) {
                return screen;
            }
            assert!(Instant::now() < deadline, "none of {texts:?} comes:\n{screen}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ended_already = Command::new("tmux").args(["-L", &self.0, "kill-server"]).output();
    }
}

/// Whether tmux can be called; where the whole must be tested, it has to be.
fn tmux_is_there() -> bool {
    let found = Command::new("tmux").arg("-V").stdout(Stdio::null()).status().is_ok();
    assert!(found || std::env::var_os("HOLDFAST_CI").is_none(), "no tmux here, and HOLDFAST_CI asks for it");
    if !found {
        // Past the captured output: a test that did not run is seen.
        writeln!(std::io::stderr(), "skipped: no tmux here, the screen was not tested").expect("stderr is there");
    }
    found
}

fn log_file() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("holdfast-terminal-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder.join("games.log")
}

/// Not a port that the system picks: while the host is down, it may give it to somebody else.
fn free_address() -> SocketAddr {
    let start = 25_000 + std::process::id() % 1500;
    let mut free = (start..start + 400)
        .filter_map(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port as u16)).ok()?.local_addr().ok());
    free.next().expect("a free port")
}

/// Keeps what the screen showed, for docs/terminal.md, where somebody asks for it.
fn keep(name: &str, screen: &str) {
    if let Some(folder) = std::env::var_os("HOLDFAST_SCREENS") {
        fs::write(Path::new(&folder).join(name), screen).expect("the folder takes files");
    }
}

#[test]
fn a_whole_game_on_a_screen_with_a_killed_server() {
    if !tmux_is_there() {
        return;
    }
    let log = log_file();
    let address = free_address();
    let host = Host::start(address, &log);
    let player = Tmux::start(&format!("{HOLDFAST} play --connect {address} --new first-night --name Ana --seed 3"));

    player.wait_for(&["Start?"]);
    player.press("Enter");
    keep("choosing", &player.wait_for(&["The first?"]));
    player.press("1");
    player.wait_for(&["Who comes along"]);
    player.press("1");
    keep("turn", &player.wait_for(&["Your turn."]));
    player.press("1");
    keep("move", &player.wait_for(&["Who moves?"]));

    host.kill();
    keep("lost", &player.wait_for(&["RECONNECTING"]));
    let host = Host::start(address, &log);
    player.wait_for(&["The connection is back."]);
    player.wait_for(&["Your turn."]);

    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let screen = player.wait_for(&["Your turn.", "The game is over"]);
        if screen.contains("The game is over") {
            keep("over", &screen);
            break;
        }
        assert!(Instant::now() < deadline, "the game does not end:\n{screen}");
        player.press("9");
        std::thread::sleep(Duration::from_millis(100));
    }
    player.press("q");
    host.kill();
    let _gone_already = fs::remove_dir_all(log.parent().expect("a folder"));
}

/// Choices through a pipe: two characters, then the end of every turn.
#[test]
fn a_whole_game_in_lines() {
    let text = in_lines(&format!("?\n1\n1\nb\n{}", "9\n".repeat(20)));
    for expected in [
        "Every round you have one die",
        "Who comes along",
        "entrance 0:",
        "9. End the turn",
        "Not now: ",
        "The game is over: ",
    ] {
        assert!(text.contains(expected), "{expected:?} is missing:\n{text}");
    }
}

/// What is told to whoever gives these answers, to the end of the game.
fn in_lines(answers: &str) -> String {
    let mut process = Command::new(HOLDFAST)
        .args(["play", "--practice", "--plain", "--seed", "5", "--name", "Ana"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut to = process.stdin.take().expect("it is piped");
    to.write_all(answers.as_bytes()).expect("the answers fit into the pipe");
    drop(to);
    let output = process.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("it is text");
    assert!(output.status.success(), "{text}");
    text
}

/// The page shows what is really told.
#[test]
fn the_page_has_the_beginning_of_a_game() {
    let page = include_str!("../../docs/terminal.md");
    let shown = page.rsplit("```text\n").next().and_then(|rest| rest.split("```").next()).expect("it ends with a game");
    let text = in_lines("1\n1\n9\n9\n9\n");
    assert!(!shown.is_empty() && text.starts_with(shown), "docs/terminal.md should begin the game like this:\n{text}");
}

#[test]
fn what_cannot_be_played() {
    let complains = |arguments: &[&str], complaint: &str| {
        let output =
            Command::new(HOLDFAST).arg("play").args(arguments).stdin(Stdio::null()).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(complaint), "{arguments:?}: {said}");
    };
    complains(&[], "the screen needs a terminal; --plain needs none");
    complains(&["--plain", "--connect", "127.0.0.1:1"], "cannot connect");
    complains(&["--plain", "--practice", "--new", "nowhere"], "nowhere");
    complains(&["--plain", "--practice", "--players", "3"], "is for 2 players at most");
    complains(&["--plain", "--practice"], "the input ended before the game");
}
