//! `holdfast play` as a person uses it: in a real terminal (tmux), and line by line through a pipe.
//!
//! - `people`: people who play together with `--plain`, quit and come back, and claim the seats of a fork

mod people;

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::port::Port;

const HOLDFAST: &str = env!("CARGO_BIN_EXE_holdfast");

/// The longest wait, with room for a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// A host process. Dropping it kills the process.
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

    /// Kills the host with SIGKILL, so that it cannot close its connections.
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

/// A terminal of 80 x 24 characters on its own tmux server.
struct Tmux(String);

impl Tmux {
    fn start(name: &str, command: &str) -> Self {
        let tmux = Self(format!("holdfast-{name}-{}", std::process::id()));
        tmux.call(&["new-session", "-d", "-x", "80", "-y", "24", command]);
        tmux
    }

    fn call(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux").args(["-L", &self.0]).args(arguments).output().expect("tmux can be called");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn type_line(&self, line: &str) {
        self.call(&["send-keys", "-l", line]);
        self.press("Enter");
    }

    fn press(&self, key: &str) {
        self.call(&["send-keys", key]);
    }

    fn screen(&self) -> String {
        // `-J` joins wrapped lines.
        self.call(&["capture-pane", "-p", "-J"])
    }

    /// Waits until the screen shows one of these texts. Returns the screen.
    fn wait_for(&self, texts: &[&str]) -> String {
        let deadline = Instant::now() + PATIENCE;
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

/// Whether tmux can be called. In a full test run it must be.
fn tmux_is_there() -> bool {
    let found = Command::new("tmux").arg("-V").stdout(Stdio::null()).status().is_ok();
    assert!(found || std::env::var_os("HOLDFAST_CI").is_none(), "no tmux here, and HOLDFAST_CI asks for it");
    if !found {
        // Written past the captured output, so that a skipped test is visible.
        writeln!(std::io::stderr(), "skipped: no tmux here, the screen was not tested").expect("stderr is there");
    }
    found
}

/// A folder for one test, with the log of a host and the seats of people. Dropping it deletes the folder.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("holdfast-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        Self(folder)
    }

    fn log(&self) -> PathBuf {
        self.0.join("games.log")
    }

    /// The files of the saved seats.
    fn seats(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.0.join("holdfast/seats")).into_iter().flatten();
        files.map(|file| file.expect("a file").path()).collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

/// Saves the screen for docs/terminal.md, if an environment variable names a folder.
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
    let scratch = Scratch::new("screen");
    let log = scratch.log();
    // The port stays reserved while the host is down.
    let port = Port::reserve();
    let address = port.address();
    let host = Host::start(address, &log);
    // Starts a shell, because the terminal must stay open when `holdfast play` ends.
    let player = Tmux::start("screen", "sh");
    let state = scratch.0.display();
    player.type_line(&format!(
        "XDG_STATE_HOME={state} {HOLDFAST} play --connect {address} --new first-night --name Ana --seed 3"
    ));

    player.wait_for(&["Start?"]);
    player.press("Enter");
    keep("choosing", &player.wait_for(&["The first?"]));
    player.press("1");
    player.wait_for(&["Who comes along"]);
    player.press("1");
    keep("turn", &player.wait_for(&["Your turn."]));
    // The menu has ten answers, so a 1 counts as an answer only if no second digit follows.
    player.press("1");
    keep("move", &player.wait_for(&["Who moves?"]));
    player.press("Escape");
    player.wait_for(&["Your turn."]);
    player.call(&["send-keys", "1", "0"]);
    player.wait_for(&["Leave the game for good?"]);
    player.press("Escape");
    player.wait_for(&["Your turn."]);

    player.press("q");
    player.wait_for(&["Quit?"]);
    player.press("y");
    let screen = player.wait_for(&["To go back to it:"]);
    let back = screen.lines().skip_while(|line| !line.contains("To go back to it:")).nth(1).expect("a command");
    player.type_line(&format!("clear; XDG_STATE_HOME={state} {}", back.trim()));
    player.wait_for(&["Your turn."]);

    host.kill();
    keep("lost", &player.wait_for(&["RECONNECTING"]));
    let host = Host::start(address, &log);
    player.wait_for(&["The connection is back."]);
    player.wait_for(&["Your turn."]);

    let deadline = Instant::now() + PATIENCE;
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
    assert_eq!(scratch.seats().len(), 1);
    player.press("q");
    player.wait_for(&["$", "#"]);
    assert!(scratch.seats().is_empty(), "there is nothing to go back to");
    host.kill();
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

/// Gives these answers, and returns all output up to the end of the game.
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

/// The output in docs/terminal.md is real output.
#[test]
fn the_page_has_the_beginning_of_a_game() {
    let page = include_str!("../../../../../docs/terminal.md");
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
    complains(&["--plain", "--practice", "--players", "3"], "first-night is for 1 to 2 players, not for 3");
    complains(&["--plain", "--practice"], "the input ended before the game");
    complains(&["--plain", "--practice", "--resume"], "cannot be used with");
    complains(&["--plain", "--new", "winter", "--seat", "1"], "cannot be used with");
    complains(&["--plain", "--new", "winter", "--edition", "old"], "an edition is group, equipment, fate or auto");
    complains(&["--plain", "--resume", "nowhere"], "no place in ");
}
