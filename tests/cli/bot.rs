//! Bots that join games of the real host.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    complains, holdfast,
    host::{HostProcess, connect},
    load::Host,
    stdout,
};

/// How long a game may take here.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_game_of_their_own() {
    let host = Host::start();
    let new = ["bot", "--connect", &host.address, "--new", "first-night", "--seed", "7"];
    for options in [&["--count", "2"][..], &["--count", "1", "--start"], &["--strategy", "planner", "--count", "2"]] {
        let output = holdfast(&[&new, options].concat());
        assert!(output.status.success(), "{output:?}");
        let text = stdout(&output);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].starts_with("in game "), "{text}");
        assert!(lines[1] == "won" || lines[1].starts_with("lost"), "{text}");
    }
}

/// Two calls, one game: whoever comes last fills it, and it starts by itself.
#[test]
fn they_meet_in_one_game() {
    let host = Host::start();
    let (mut first, game) = waiting(&host, &["--new", "crossroads", "--count", "2", "--name", "Ada"]);
    let output =
        holdfast(&["bot", "--connect", &host.address, "--game", &game, "--count", "3", "--strategy", "random"]);
    assert!(output.status.success(), "{output:?}");
    ends_well(&mut first);
}

/// A person who sends lines of JSON makes a game and takes a place; bots take the others, and it starts by itself. The person
/// ends every turn and votes no, until the game is over.
#[test]
fn beside_a_person() {
    let host = HostProcess::start(&[]);
    // Every answer of the host has to come within the time of this connection.
    let mut ana = connect(host.games);
    ana.say(&json!({"hello": {"protocol": 1, "want": {"create": {"scenario": "winter", "seed": 4}}}}));
    let welcome = ana.hear();
    let game = welcome["welcome"]["game"].as_str().expect("a name").to_owned();
    ana.say(&json!({"command": {"Register": {"name": "Ana"}}}));

    let address = host.games.to_string();
    let mut bots = Command::new(env!("CARGO_BIN_EXE_holdfast"))
        .args(["bot", "--connect", &address, "--game", &game, "--count", "4", "--name", "Rudi"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map(Running)
        .expect("the program starts");

    let deadline = Instant::now() + PATIENCE;
    let (mut turns, mut others, mut won) = (0, Vec::new(), None);
    loop {
        assert!(Instant::now() < deadline, "the game does not end after {turns} turns");
        let message = ana.hear();
        if message["closing"] != Value::Null {
            assert_eq!(message["closing"]["reason"], "game_over", "{message}");
            break;
        }
        let (event, fields) = the_only(&message["event"]["event"]);
        match event {
            "Characters" => {
                let chosen = json!({"first": fields["c0"], "second": fields["c1"]});
                ana.say(&json!({"command": {"SelectCharacters": chosen}}));
            }
            "ActNow" => {
                turns += 1;
                ana.say(&json!({"command": {"EndTurn": {}}}));
            }
            "VoteNow" => ana.say(&json!({"command": {"Vote": {"answer": false}}})),
            "CommandFailed" => panic!("{message}"),
            "Player" => others.push(fields["name"].as_str().expect("a name").to_owned()),
            "GameEnd" => won = fields["win"].as_bool(),
            _ => {}
        }
    }
    others.retain(|name| name != "Ana");
    assert_eq!(others, ["Rudi 1", "Rudi 2", "Rudi 3", "Rudi 4"]);
    assert!(turns >= 2, "the person had {turns} turns");
    ends_well(&mut bots.0);
    let mut said = String::new();
    bots.0.stdout.take().expect("it is piped").read_to_string(&mut said).expect("text");
    let outcome = said.lines().last().expect("an outcome");
    assert_eq!(Some(outcome == "won"), won, "{said}");
}

/// The name of a message and its fields.
fn the_only(message: &Value) -> (&str, &Value) {
    let fields = message.as_object().unwrap_or_else(|| panic!("no message: {message}"));
    let (name, fields) = fields.iter().next().expect("a name");
    (name, fields)
}

/// Bots that end with their value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _ended = self.0.wait();
    }
}

fn ends_well(bots: &mut Child) {
    let deadline = Instant::now() + PATIENCE;
    let status = loop {
        if let Some(status) = bots.try_wait().expect("it can be asked for") {
            break status;
        }
        assert!(Instant::now() < deadline, "the bots do not end");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "{status}");
}

/// A call that goes on, and its game.
fn waiting(host: &Host, options: &[&str]) -> (Child, String) {
    let mut bots = Command::new(env!("CARGO_BIN_EXE_holdfast"))
        .args(["bot", "--connect", &host.address])
        .args(options)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::new(bots.stdout.take().expect("it is piped")).read_line(&mut line).expect("a line");
    let game = line.trim().strip_prefix("in game ").unwrap_or_else(|| panic!("{line:?}")).to_owned();
    (bots, game)
}

#[test]
fn what_cannot_be_played_is_said() {
    let host = Host::start();
    let check = |arguments: &[&str], complaint: &str| {
        complains(&[&["bot", "--connect", &host.address], arguments].concat(), complaint);
    };
    check(&["--game", "nowhere"], "nowhere");
    check(&["--new", "nothing"], "nothing: no such file");
    check(&["--new", "winter", "--strategy", "clever"], "no strategy clever; there are random, sensible, planner");
    check(&[], "--game <ID>");
    check(&["--new", "winter", "--game", "x"], "cannot be used with");
    // Nobody has served port 1 for decades.
    complains(&["bot", "--connect", "127.0.0.1:1", "--new", "winter"], "127.0.0.1:1: cannot connect: ");
}
