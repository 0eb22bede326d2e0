//! The commands that every rulebook has, which know a game only by its offers.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::{complains, holdfast, host::HostProcess, stdout};

/// A game that ends soon.
const SHORT: &str = r#"{"most_moves": 12}"#;

fn json(arguments: &[&str]) -> Value {
    let output = holdfast(arguments);
    assert!(output.status.success(), "{output:?}");
    let text = stdout(&output);
    serde_json::from_str(text.lines().last().expect("a line")).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn simulated_games_are_the_same_again() {
    let simulate = |threads: &str| {
        let mut report = json(&[
            "simulate",
            "--rulebook",
            "crazyhouse",
            "--scenario",
            SHORT,
            "--games",
            "20",
            "--threads",
            threads,
            "--json",
        ]);
        for measured in ["seconds", "commands_per_second", "events_per_second"] {
            report.as_object_mut().expect("an object").remove(measured);
        }
        report
    };
    let report = simulate("1");
    assert_eq!(report, simulate("3"), "the threads make no difference");
    assert_eq!((&report["rulebook"], &report["games"]), (&"crazyhouse".into(), &20.into()));
    let outcomes = report["outcomes"].as_object().expect("outcomes");
    assert_eq!(outcomes.values().filter_map(Value::as_u64).sum::<u64>(), 20, "{report}");
    assert!(!outcomes.contains_key("unfinished"), "{report}");
    assert_eq!(report["seats"].as_array().map(Vec::len), Some(2), "two of the clients found a seat");

    complains(&["simulate", "--rulebook", "chess"], "there is no rulebook \"chess\"; there are ");
    complains(&["simulate", "--rulebook", "crazyhouse", "--scenario", "{"], "scenario");
}

#[test]
fn bots_play_a_game_to_its_end() {
    let host = HostProcess::start(&[]);
    let address = host.games.to_string();
    let report = json(&[
        "bot",
        "--rulebook",
        "crazyhouse",
        "--connect",
        &address,
        "--new",
        SHORT,
        "--count",
        "2",
        "--seed",
        "1",
        "--json",
    ]);
    let last = report["last"].as_str().expect("words");
    assert!(["draw:", "wins:"].iter().any(|end| last.contains(end)), "{report}");

    // Bots of the rulebook: a greedy one mates or takes, and a random one does not.
    let game = ["bot", "--rulebook", "crazyhouse", "--connect", &address, "--new", SHORT, "--count", "2"];
    let report = json(&[&game[..], &["--strategy", "greedy,random", "--json"]].concat());
    let last = report["last"].as_str().expect("words");
    assert!(["draw:", "wins:"].iter().any(|end| last.contains(end)), "{report}");
    complains(
        &[&game[..], &["--strategy", "clever"]].concat(),
        "no bot clever; there are random, greedy, search, level-1",
    );
    let help = stdout(&holdfast(&["bot", "--rulebook", "crazyhouse", "--help"]));
    assert!(help.contains("Strategies:\n  random   plays a random legal move\n"), "{help}");
    host.stop();
}

/// Practice needs no host: the bot has the side that the person leaves.
#[test]
fn a_person_practises() {
    let mut person = Command::new(env!("CARGO_BIN_EXE_holdfast"))
        .args(["play", "--rulebook", "crazyhouse", "--practice", "--bots", "greedy", "--new", SHORT, "--name", "Ana"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = person.stdin.take().expect("a pipe");
    let lines = BufReader::new(person.stdout.take().expect("a pipe")).lines().map(|line| line.expect("UTF-8"));
    let mut said = Vec::new();
    for line in lines {
        if line.starts_with("  1. ") && !line.contains("Offer a draw") && !line.contains("Cancel the game") {
            input.write_all(b"1\n").expect("it listens");
        }
        said.push(line);
    }
    let text = said.join("\n");
    assert!(person.wait().expect("it ends").success(), "{text}");
    assert!(text.contains("draw:") || text.contains("wins:"), "{text}");
    assert!(text.contains("greedy"), "{text}");
}

/// A person at a terminal, who always takes the first choice, against a bot.
#[test]
fn a_person_plays_by_lines() {
    let host = HostProcess::start(&[]);
    let address = host.games.to_string();
    let mut person = Command::new(env!("CARGO_BIN_EXE_holdfast"))
        .args(["play", "--rulebook", "crazyhouse", "--connect", &address, "--new", SHORT, "--name", "Ana"])
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = person.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(person.stdout.take().expect("a pipe")).lines().map(|line| line.expect("UTF-8"));
    let first = lines.next().expect("a line");
    let game =
        first.split("You are in game ").nth(1).and_then(|rest| rest.split('.').next()).expect("a game").to_owned();
    let bot = std::thread::spawn(move || {
        holdfast(&["bot", "--rulebook", "crazyhouse", "--connect", &address, "--game", &game, "--seed", "3"])
    });
    let mut said = vec![first];
    for line in lines {
        // Only moves and the side to play; an offer of a draw would wait for an answer, and nobody cancels the game.
        let beside = ["Offer a draw", "Accept", "Cancel the game"];
        let is_choice = line.starts_with("  1. ") && !beside.iter().any(|label| line.contains(label));
        said.push(line);
        if is_choice {
            input.write_all(b"1\n").expect("it listens");
        }
    }
    let text = said.join("\n");
    assert!(person.wait().expect("it ends").success(), "{text}");
    assert!(text.contains("Both sides are free.") && text.contains("Where does the "), "{text}");
    assert!(text.contains("draw:") || text.contains("wins:"), "{text}");
    assert!(bot.join().expect("the bot ends").status.success());
    host.stop();
}

/// The bots of the rulebook play in an arena, each on both sides.
#[test]
fn an_arena_of_its_bots() {
    let scenario = r#"{"most_moves": 20}"#;
    let call = ["arena", "--rulebook", "crazyhouse", "--bots", "random,greedy", "--seeds", "2", "--scenario", scenario];
    let report = json(&[&call[..], &["--json"]].concat());
    assert_eq!((&report["games"], &report["players"]), (&4.into(), &2.into()), "{report}");
    assert_eq!(report["failures"].as_array().map(Vec::len), Some(0), "{report}");
    let games: Vec<_> = report["bots"].as_array().expect("bots").iter().map(|bot| bot["games"].clone()).collect();
    assert_eq!(games, [4, 4], "{report}");
}
