//! Bots that join games of the real host.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::load::Host;
use crate::{
    PATIENCE, complains,
    host::{HostProcess, connect},
};

#[test]
fn a_game_of_their_own() {
    let host = Host::start();
    let new = ["--new", "first-night", "--seed", "7"];
    let planner = ["--strategy", "planner", "--count", "2", "--think", "2"];
    for options in [&["--count", "2"][..], &["--count", "1", "--start"], &planner[..4], &planner] {
        let mut bots = Bots::start(&host.address, &[&new, options].concat());
        bots.game();
        let said = bots.end();
        assert!(said == "won" || said.starts_with("lost: "), "{said}");
    }
}

/// Two processes join the same game. The last bot fills it, and it starts by itself.
#[test]
fn they_meet_in_one_game() {
    let host = Host::start();
    let mut first = Bots::start(&host.address, &["--new", "crossroads", "--count", "2", "--name", "Ada"]);
    let game = first.game();
    let mut others = Bots::start(&host.address, &["--game", &game, "--count", "3", "--strategy", "random"]);
    assert_eq!(others.game(), game);
    assert_eq!(others.end(), first.end());
}

/// A person who sends lines of JSON creates a game and takes a place. Bots take the other places, and the game starts by
/// itself. The person ends every turn and votes no until the game is over.
#[test]
fn beside_a_person() {
    let host = HostProcess::start(&[]);
    // Every answer of the host must come within the timeout of this connection.
    let mut ana = connect(host.games);
    ana.say(&json!({"hello": {"protocol": 1, "want": {"create": {"scenario": "winter", "seed": 4}}}}));
    let welcome = ana.hear();
    let game = welcome["welcome"]["game"].as_str().expect("a name").to_owned();
    ana.say(&json!({"command": {"Register": {"name": "Ana"}}}));

    let bots = ["--game", &game, "--count", "4", "--name", "Rudi"];
    let mut bots = Bots::start(&host.games.to_string(), &bots);
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
    assert_eq!(bots.game(), game);
    let outcome = bots.end();
    assert_eq!(Some(outcome == "won"), won, "{outcome}");
}

/// The name of a message and its fields.
fn the_only(message: &Value) -> (&str, &Value) {
    let fields = message.as_object().unwrap_or_else(|| panic!("no message: {message}"));
    let (name, fields) = fields.iter().next().expect("a name");
    (name, fields)
}

/// A running `holdfast bot`. Dropping it kills the process. Every wait has a time limit.
struct Bots {
    process: Child,
    lines: Receiver<String>,
}

impl Bots {
    fn start(address: &str, options: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .args(["bot", "--connect", address])
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let said = BufReader::new(process.stdout.take().expect("it is piped"));
        let (send, lines) = channel();
        std::thread::spawn(move || said.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Self { process, lines }
    }

    fn line(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line in time")
    }

    /// The name of the game, from the first line of output.
    fn game(&mut self) -> String {
        let line = self.line();
        line.strip_prefix("in game ").unwrap_or_else(|| panic!("{line:?}")).to_owned()
    }

    /// The last line of output. Waits until the process has succeeded.
    fn end(&mut self) -> String {
        let outcome = self.line();
        assert_eq!(self.lines.recv_timeout(PATIENCE).ok(), None, "nothing comes after {outcome}");
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.process.try_wait().expect("it can be asked for") {
                break status;
            }
            assert!(Instant::now() < deadline, "the bots do not end");
            std::thread::sleep(Duration::from_millis(5));
        };
        assert!(status.success(), "{status}");
        outcome
    }
}

impl Drop for Bots {
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended = self.process.wait();
    }
}

#[test]
fn what_cannot_be_played_is_said() {
    let host = Host::start();
    let check = |arguments: &[&str], complaint: &str| {
        complains(&[&["bot", "--connect", &host.address], arguments].concat(), complaint);
    };
    check(&["--game", "nowhere"], "There is no game nowhere; none is open.");
    check(&["--new", "nothing"], "nothing: no such file");
    check(&["--new", "winter", "--strategy", "clever"], "no strategy clever; there are random, sensible, planner");
    check(&["--new", "winter", "--think", "5"], "sensible: only planner can --think");
    check(&[], "Name a game; none is open.");
    check(&["--new", "winter", "--game", "x"], "cannot be used with");
    // No server uses port 1.
    complains(&["bot", "--connect", "127.0.0.1:1", "--new", "winter"], "nothing listens on 127.0.0.1:1; start a host");
}
