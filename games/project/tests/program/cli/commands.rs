//! `holdfast project` on the command line: the programs of the project game.

use std::{fs, net::TcpListener, path::PathBuf, process::Output};

use crate::{complains, holdfast, port::Port, stdout};

const CONFIGURATION: &str = "<GameConfiguration><BoardWidth>4</BoardWidth><BoardHeight>8</BoardHeight>
    <ServerAddress>127.0.0.1</ServerAddress>
    <ReconnectionAttemptsCount>2</ReconnectionAttemptsCount><ReconnectionAttemptInterval>0</ReconnectionAttemptInterval>
    <PlayersPerTeam>1</PlayersPerTeam><Pieces>5</Pieces><ShamsPercentage>20</ShamsPercentage>
    <GoalsPositions><Position><X>0</X><Y>1</Y></Position></GoalsPositions>
    <JoinTimeout>300</JoinTimeout></GameConfiguration>";

/// A file that is removed when this is dropped.
struct Configured(PathBuf);

impl Configured {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("holdfast-cli-{name}-{}.txt", std::process::id()));
        fs::write(&path, text).expect("a file");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path of letters")
    }
}

impl Drop for Configured {
    fn drop(&mut self) {
        let _gone_already = fs::remove_file(&self.0);
    }
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

#[test]
fn all_problems_of_a_configuration_are_printed() {
    let unplayable =
        [("<BoardWidth>4", "<BoardWidth>1"), (">20<", ">120<"), ("127.0.0.1", "somewhere"), (">1</Y>", ">7</Y>")];
    let text = unplayable.iter().fold(CONFIGURATION.to_owned(), |text, (from, to)| text.replace(from, to));
    let file = Configured::new("unplayable", &text);
    for command in ["gm", "serve"] {
        let output = holdfast(&["project", command, "--config", file.path(), "--http", "off"]);
        assert_eq!(output.status.code(), Some(1));
        let lines: Vec<String> = said(&output).lines().map(ToOwned::to_owned).collect();
        let expected = [
            "The board is 1 wide; it must be at least 2.",
            "The percentage of shams is 120; it must be 0 to 100.",
            "There are 5 pieces, and the task area has only 4 tiles.",
            "There are 0 pieces that are no shams, and a team has 1 goals.",
            "The goal (0, 7) is outside Blue's goal area.",
            "The address \"somewhere\" is no IPv4 address.",
        ];
        assert_eq!(lines, expected.map(|problem| format!("holdfast: {}: {problem}", file.path())));
        assert_eq!(stdout(&output), "");
    }
    let file = Configured::new("unreadable", "<GameConfiguration><Pieces>some</Pieces></GameConfiguration>");
    let output = holdfast(&["project", "gm", "--config", file.path()]);
    let words = said(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(words.contains("<BoardWidth> is missing") && words.contains("<Pieces> is \"some\""), "{words}");
    complains(&["project", "gm", "--config", "/no/such/file"], "cannot read /no/such/file");
}

#[test]
fn wrong_arguments() {
    complains(&["project", "cs", "--listen", "localhost:http"], "`http` is not a port");
    complains(&["project", "cs", "--gm-hash", "me"], "no UUID of version 4");
    complains(&["project", "gm"], "--config <NAME|FILE>");
    complains(&["project", "serve", "--config", "nothing"], "built-in configurations: small, duel, team, classic");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    complains(&["project", "cs", "--listen", &address, "--trace-file", "off"], &format!("cannot listen on {address}"));
}

#[test]
fn a_game_master_without_a_server_gives_up() {
    let file = Configured::new("alone", CONFIGURATION);
    let port = Port::reserve();
    let absent = port.address().to_string();
    let trace = Configured::new("trace", "");
    let output = holdfast(&[
        "project",
        "gm",
        "--config",
        file.path(),
        "--connect",
        &absent,
        "--http",
        "off",
        "--trace-file",
        trace.path(),
    ]);
    let words = said(&output);
    assert_eq!(output.status.code(), Some(1));
    let expected = format!("nothing listens on {absent} (2 attempts); start a Communication Server with");
    assert!(words.contains(&expected), "{words}");
    let written = fs::read_to_string(&trace.0).expect("a trace file");
    assert!(written.contains("attempt 2 of 2 to reach the server"), "{written}");
}

#[test]
fn a_game_without_players_is_over() {
    let file = Configured::new("lonely", CONFIGURATION);
    let arguments =
        ["--listen", "127.0.0.1:0", "--http", "off", "--trace-file", "off", "--cs-trace-file", "off", "--seed", "4"];
    let output = holdfast(&[&["project", "serve", "--config", file.path()], &arguments[..]].concat());
    let words = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(words.ends_with("Timeout: not all players came in time; tie, Blue 0, Red 0\n"), "{words}");
    assert!(words.contains("listening on 127.0.0.1:") && words.contains("kept in memory only"), "{words}");
}
