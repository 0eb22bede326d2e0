//! One game with a player in each client language.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use crate::{java, python};

/// The folder of colony's Python client.
const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/games/colony/python");

const PROGRAM: &str = env!("CARGO_BIN_EXE_holdfast");

#[test]
fn a_game_of_three_languages() {
    let Some(classes) = java::built() else { return };
    if !python::is_there() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("holdfast-mixed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let log = folder.join("games.log").display().to_string();
    let mut host = Process::start(PROGRAM, &["host", "--listen", "127.0.0.1:0", "--http", "off", "--log", &log]);
    let address = host.line_after("listening on ");

    let example = Path::new(PYTHON).join("examples/bot.py").display().to_string();
    let makes = ["-B", &example, "--connect", &address, "--new", "winter", "--players", "3", "--name", "Pia"];
    let mut pia = Process::start("python3", &makes);
    let game = pia.line_after("Pia plays ");
    let mut jan = Process::start(
        "java",
        &["-cp", &classes.path(), "Bot", "--connect", &address, "--game", &game, "--name", "Jan"],
    );
    let mut rudi = Process::start(PROGRAM, &["bot", "--connect", &address, "--game", &game, "--name", "Rudi"]);
    for player in [&mut pia, &mut jan, &mut rudi] {
        player.ends_well();
    }

    let listed = Command::new(PROGRAM).args(["log", "list", &log, "--json"]).output().expect("the program starts");
    let line: serde_json::Value = serde_json::from_slice(&listed.stdout).expect("one game");
    assert_eq!(line["status"], "finished", "{line}");
    let mut players: Vec<&str> =
        line["players"].as_array().expect("a list").iter().filter_map(|name| name.as_str()).collect();
    players.sort_unstable();
    assert_eq!(players, ["Jan", "Pia", "Rudi"]);
    drop(host);
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

/// The server of a course has one game, so its players need no name of a game, in no language.
#[test]
fn the_only_game_of_a_course() {
    let Some(classes) = java::built() else { return };
    if !python::is_there() {
        return;
    }
    let (classes, bot) = (classes.path(), Path::new(PYTHON).join("examples/bot.py").display().to_string());
    for (program, starter) in [("java", ["-cp", &classes, "Bot"].as_slice()), ("python3", &["-B", &bot])] {
        let course = ["--config", "first-night", "--port", "0", "--seed", "7", "--timeout", "60"];
        let mut server = Process::start(PROGRAM, &course);
        let address = server.line_after("listening on ");
        let mut first = Process::start(program, &[starter, &["--connect", &address, "--name", "Ana"]].concat());
        assert_eq!(first.line_after("Ana plays "), "game");
        // With the second player all seats are taken, and the game begins.
        let mut second = Process::start(PROGRAM, &["bot", "--connect", &address, "--name", "Bo"]);
        for process in [&mut first, &mut second, &mut server] {
            process.ends_well();
        }
    }
}

/// A process that is killed when this value is dropped.
struct Process(Child);

impl Process {
    fn start(program: &str, arguments: &[&str]) -> Self {
        let child = Command::new(program)
            .args(arguments)
            .env("PYTHONPATH", format!("{}/src:{PYTHON}/src", python::SHARED))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn();
        Self(child.unwrap_or_else(|error| panic!("{program}: {error}")))
    }

    /// The rest of the first line that begins with these words. A thread reads the other output, so that the process never
    /// blocks.
    fn line_after(&mut self, words: &str) -> String {
        let mut lines = BufReader::new(self.0.stdout.take().expect("it is piped")).lines().map_while(Result::ok);
        let found = lines.find_map(|line| line.strip_prefix(words).map(ToOwned::to_owned));
        std::thread::spawn(move || lines.for_each(drop));
        found.unwrap_or_else(|| panic!("it never says {words:?}"))
    }

    fn ends_well(&mut self) {
        if let Some(mut rest) = self.0.stdout.take() {
            std::thread::spawn(move || std::io::copy(&mut rest, &mut std::io::sink()));
        }
        assert!(self.0.wait().expect("it ends").success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _ended = self.0.wait();
    }
}
