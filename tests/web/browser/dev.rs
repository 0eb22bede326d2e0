//! `dev` with a real crate: a change of its sources reaches the page of a running game.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
};

use serde_json::json;

use super::examples::{join, status};
use crate::{
    Scratch,
    driver::{Browser, PATIENCE},
    show,
};

/// A running `dev`, and the lines that it prints.
struct Dev {
    process: Child,
    lines: Receiver<String>,
}

impl Dev {
    fn start(program: &Path, folder: &Path, target: &Path) -> Self {
        let mut process = Command::new(program)
            .args(["dev", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--log"])
            .args([&folder.join("games.log"), Path::new("--folder"), folder])
            .env("CARGO_TARGET_DIR", target)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(process.stdout.take().expect("it is piped"));
        let (send, lines) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).all(|line| send.send(line).is_ok()));
        Self { process, lines }
    }

    /// The rest of the next line that begins with these words. A build may take minutes.
    fn says(&self, words: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(5 * PATIENCE).unwrap_or_else(|_| panic!("it never says {words:?}"));
            if let Some(rest) = line.strip_prefix(words) {
                return rest.to_owned();
            }
        }
    }
}

impl Drop for Dev {
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended_already = self.process.wait();
    }
}

#[test]
fn a_change_reaches_the_page() {
    let Some(programs) = std::env::var_os("HOLDFAST_EXAMPLES").map(PathBuf::from) else {
        return show("skipped: `dev`, only with `cargo xtask test examples`");
    };
    let Some(browser) = Browser::start() else { return };
    let scratch = Scratch::new("dev");
    let program = programs.join("tictactoe");
    let made = Command::new(&program).args(["new", "game", "pebble"]).current_dir(scratch.path("")).status();
    assert!(made.expect("it starts").success());
    let folder = scratch.path("pebble");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("copied");
    let main = folder.join("src/main.rs");
    let source = fs::read_to_string(&main).expect("a source");

    let mut dev = Dev::start(&program, &folder, programs.parent().expect("a target folder"));
    let pages = dev.says("http on http://");
    let clients = dev.says("listening on ");
    browser.open(&format!("http://{pages}/"));
    browser.click("#new-game");
    browser.until("document.querySelector('#new-form [name=scenario]')");
    browser.click("#new-form .primary");
    browser.until("location.pathname.endsWith('/play')");
    join(&browser, &browser.address(), "Ana");
    browser.click("[data-bot=random]");
    status(&browser, "act");
    browser.click("#choices button");
    status(&browser, "act");
    let said = browser.text("#feed");

    // The program changes, and the game goes on where it was.
    let words = "    fn words(&self, play: &Move) -> String {\n        let Move::Take { pebbles } = play;\n        format!(\"grab {pebbles}\")\n    }\n\n    fn turn(";
    fs::write(&main, source.replacen("    fn turn(", words, 1)).expect("written");
    assert_eq!(dev.says("http on http://"), pages, "the address stays");
    assert_eq!(dev.says("listening on "), clients);
    browser.until("document.querySelector('#choices')?.textContent.includes('Grab')");
    status(&browser, "act");
    assert!(browser.text("#feed").lines().count() >= said.lines().count(), "nothing is lost");

    // A mistake is shown, and the game can still be played.
    fs::write(&main, source.replacen("    fn turn(", "    fn turn turn(", 1)).expect("written");
    dev.says("the build failed; the last program keeps running");
    browser.click("#choices button");
    status(&browser, "act");

    fs::write(&main, &source).expect("written");
    dev.says("listening on ");
    browser.until("document.querySelector('#choices')?.textContent.includes('Take')");

    let pid = dev.process.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill can be called").success());
    assert!(dev.process.wait().expect("it ends").success(), "it ends well");
    let clients: SocketAddr = clients.parse().expect("an address");
    assert!(TcpStream::connect(clients).is_err(), "its host has ended, too");
    // The log is closed. This program does not have the rules of the game, but it can list it.
    let listed =
        Command::new(&program).args(["log", "list"]).arg(folder.join("games.log")).output().expect("it starts");
    assert!(String::from_utf8_lossy(&listed.stdout).contains("pebble/standard"), "{listed:?}");
    assert_eq!(browser.script("return document.body.dataset.connected", json!([])), json!("false"));
}
