//! A player of the project game in Python, written only from the documents: it joins a game and completes a goal.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, Stdio},
};

const CONFIGURATION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<GameConfiguration>
  <BoardWidth>5</BoardWidth>
  <BoardHeight>12</BoardHeight>
  <ServerAddress>127.0.0.1</ServerAddress>
  <ReconnectionAttemptsCount>3</ReconnectionAttemptsCount>
  <ReconnectionAttemptInterval>1</ReconnectionAttemptInterval>
  <PlayersPerTeam>1</PlayersPerTeam>
  <Pieces>8</Pieces>
  <ShamsPercentage>25</ShamsPercentage>
  <GoalsPositions><Position><X>3</X><Y>1</Y></Position></GoalsPositions>
</GameConfiguration>"#;

/// A process that is killed when the test ends.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _ended = self.0.wait();
    }
}

#[test]
fn a_player_in_python_completes_a_goal() {
    let folder = std::env::temp_dir().join(format!("holdfast-agent-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("game.xml"), CONFIGURATION).expect("a configuration");
    let mut serving = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    serving.args([
        "project",
        "serve",
        "--config",
        "game.xml",
        "--listen",
        "127.0.0.1:0",
        "--http",
        "off",
        "--seed",
        "7",
    ]);
    let mut serving = Program(serving.current_dir(&folder).stdout(Stdio::piped()).spawn().expect("the program starts"));
    let mut lines = BufReader::new(serving.0.stdout.take().expect("it is piped")).lines();
    let port =
        lines.find_map(|line| Some(line.ok()?.strip_prefix("listening on 127.0.0.1:")?.to_owned())).expect("a port");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/project/tests/program/clients/agent.py");
    let mut players = ["Blue", "Red"].map(|team| {
        let mut player = Command::new("python3");
        player.arg(&script).args(["127.0.0.1", &port, team]).stdout(Stdio::piped()).stderr(Stdio::piped());
        Program(player.spawn().expect("python3 starts"))
    });

    let mut said = Vec::new();
    for player in &mut players {
        let (mut out, mut errors) = (String::new(), String::new());
        player.0.stdout.take().expect("it is piped").read_to_string(&mut out).expect("words");
        player.0.stderr.take().expect("it is piped").read_to_string(&mut errors).expect("words");
        let status = player.0.wait().expect("it ends");
        assert!(status.success(), "{status}: {out}{errors}");
        said.push(out);
    }
    let ended = serving.0.wait().expect("it ends");
    assert!(ended.success(), "a game that was won is a good end: {ended}");
    let won: Vec<bool> = said.iter().map(|out| out.contains("completed ")).collect();
    assert!(won.iter().any(|won| *won), "one of them completed the goal: {said:?}");
    assert!(said.iter().all(|out| out.contains("end Success ")), "and both heard of it: {said:?}");
    let winner = if said[0].contains("completed (3, 1)") { "Blue" } else { "Red" };
    assert!(said.iter().all(|out| out.contains(&format!("end Success {winner}"))), "{said:?}");
    fs::remove_dir_all(&folder).expect("the folder");
}
