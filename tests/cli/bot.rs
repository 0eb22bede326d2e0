//! Bots that join games of the real host.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use crate::{complains, holdfast, load::Host, stdout};

#[test]
fn a_game_of_their_own() {
    let host = Host::start();
    let new = ["bot", "--connect", &host.address, "--new", "first-night", "--seed", "7"];
    let planner = ["--strategy", "planner", "--count", "2", "--think", "2"];
    for options in [&["--count", "2"][..], &["--count", "1", "--start"], &planner[..4], &planner] {
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
    assert!(first.wait().expect("it ends").success());
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
    check(&["--new", "winter", "--think", "5"], "sensible: only planner can --think");
    check(&[], "--game <ID>");
    check(&["--new", "winter", "--game", "x"], "cannot be used with");
    // Nobody has served port 1 for decades.
    complains(&["bot", "--connect", "127.0.0.1:1", "--new", "winter"], "127.0.0.1:1: cannot connect: ");
}
