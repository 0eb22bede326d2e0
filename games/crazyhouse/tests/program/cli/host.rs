//! Crazyhouse on the real host, with clients that send lines of JSON.

use std::{
    fs,
    net::{SocketAddr, TcpStream},
    os::unix::fs::PermissionsExt,
};

use crazyhouse_rules::Position;
use serde_json::{Value, json};

use crate::host::{HostProcess, Lines, connect};

type Person = Lines<TcpStream, TcpStream>;

/// The next event of a kind, by its fields.
fn event(person: &mut Person, kind: &str) -> Value {
    loop {
        let message = person.hear();
        assert!(message["closing"].is_null() && message["refused"].is_null(), "{message} instead of {kind}");
        if let Some(fields) = message["event"]["event"].get(kind) {
            return fields.clone();
        }
    }
}

/// A client in a game, and the name of the game.
fn enter(address: SocketAddr, want: Value, game: Option<&str>) -> (Person, Value) {
    let mut person = connect(address);
    person.say(&json!({"hello": {"protocol": 2, "want": want, "game": game}}));
    let welcome = person.hear()["welcome"].clone();
    assert!(welcome.is_object(), "{welcome}");
    (person, welcome)
}

fn create(scenario: &str) -> Value {
    json!({"create": {"rulebook": "crazyhouse", "scenario": scenario}})
}

fn play(person: &mut Person, text: &str) {
    person.say(&json!({"command": ["Move", text]}));
}

#[test]
fn white_black_and_a_spectator() {
    let host = HostProcess::start(&[]);
    let (mut ana, welcome) = enter(host.games, create(r#"{"clock": {"initial": 3600, "increment": 1}}"#), None);
    assert_eq!((&welcome["rulebook"], &welcome["edition"]), (&"crazyhouse".into(), &"standard".into()));
    let game = welcome["game"].as_str().expect("a name");
    let (mut bo, seat) = enter(host.games, json!({"join": {}}), Some(game));
    let (mut cleo, watched) = enter(host.games, json!({"watch": {}}), Some(game));
    assert!(watched["scenario"].as_str().is_some_and(|text| text.contains("clock")), "{watched}");

    ana.say(&json!({"command": ["Join", "Ana", "black"]}));
    assert_eq!(event(&mut ana, "Seated")["side"], "black");
    bo.say(&json!({"command": ["Join", "Bo", "black"]}));
    assert_eq!(event(&mut bo, "Refused")["refusal"], json!({"SideTaken": {"side": "black", "by": "Ana"}}));
    bo.say(&json!({"command": {"Join": {"name": "Bo"}}}));
    assert_eq!(event(&mut bo, "Seated")["side"], "white");
    let began = event(&mut ana, "Began");
    assert_eq!((&began["white"], &began["clock"]["initial"]), (&"Bo".into(), &3_600_000.into()));

    play(&mut bo, "e2-e5");
    let refused = event(&mut bo, "Refused");
    assert_eq!(refused["refusal"], json!({"CannotReach": {"piece": "P", "square": "e5"}}));
    play(&mut bo, "e2-e4");
    for person in [&mut ana, &mut bo, &mut cleo] {
        let moved = event(person, "Moved");
        assert_eq!(moved["position"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR/ b");
        let left = moved["left"].as_u64().expect("a clock");
        assert!((1..=3_601_000).contains(&left), "{left} of an hour and one more second are left");
    }
    // Bo reconnects.
    let (mut bo, again) = enter(host.games, json!({"resume": {"token": seat["token"], "seen": 0}}), Some(game));
    assert_eq!(again["commands"], 4, "two to join, two to move");
    ana.say(&json!({"command": ["Resign", null]}));
    for person in [&mut ana, &mut bo, &mut cleo] {
        assert_eq!(event(person, "Finished")["outcome"], json!({"winner": "white", "reason": "resignation"}));
    }
}

/// Neither side moves, so White's time runs out.
#[test]
fn a_flag() {
    let host = HostProcess::start(&[]);
    let (mut ana, welcome) = enter(host.games, create(r#"{"clock": {"initial": 1}}"#), None);
    let game = welcome["game"].as_str().expect("a name");
    let (mut bo, _) = enter(host.games, json!({"join": {}}), Some(game));
    let (mut cleo, _) = enter(host.games, json!({"watch": {}}), Some(game));
    ana.say(&json!({"command": ["Join", "Ana", "white"]}));
    bo.say(&json!({"command": ["Join", "Bo", "black"]}));
    for person in [&mut ana, &mut bo, &mut cleo] {
        assert_eq!(event(person, "Finished")["outcome"], json!({"winner": "black", "reason": "time"}));
    }
}

/// Commands that arrive while a bot thinks, or before it receives its own move, do not confuse it.
#[test]
fn a_bot_that_is_offered_draws_all_the_time() {
    let host = HostProcess::start(&[]);
    let scenario = r#"{"bots": {"black": "greedy"}, "clock": {"initial": 86400}}"#;
    let (mut ana, _) = enter(host.games, create(scenario), None);
    ana.say(&json!({"command": ["Join", "Ana"]}));
    let mut position: Position =
        event(&mut ana, "Began")["position"].as_str().expect("a text").parse().expect("a position");
    for _ in 0..12 {
        for before in [true, false] {
            if before {
                ana.say(&json!({"command": ["OfferDraw"]}));
                play(&mut ana, position.moves_text().split(' ').next().expect("a move"));
                ana.say(&json!({"command": ["OfferDraw"]}));
            }
            // Only offers that repeat a standing offer are refused.
            let moved = loop {
                let message = ana.hear();
                assert!(message["closing"].is_null(), "{message}");
                if let Some(moved) = message["event"]["event"].get("Moved") {
                    break moved.clone();
                }
                if message["event"]["event"].get("Finished").is_some() {
                    return;
                }
            };
            assert_eq!(moved["side"], if before { "white" } else { "black" });
            position = moved["position"].as_str().expect("a text").parse().expect("a position");
        }
    }
}

/// The operator's program always plays its first legal move in alphabetical order. So does the person, who computes the moves
/// from the position in each event.
#[test]
fn against_a_program() {
    let script = std::env::temp_dir().join(format!("holdfast-first-{}.sh", std::process::id()));
    let text = format!("#!/bin/sh\n'{}' crazyhouse moves \"$1\" | cut -d ' ' -f 1\n", env!("CARGO_BIN_EXE_holdfast"));
    fs::write(&script, text).expect("written");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("executable");
    let offered = format!("first={}", script.display());
    let host = HostProcess::start(&["--bot", &offered, "--bot-time", "300000"]);

    let mut refused_client = connect(host.games);
    refused_client.say(&json!({"hello": {"protocol": 2, "want": create(r#"{"bots": {"white": "last"}}"#)}}));
    let refused = refused_client.hear();
    let words = refused["refused"]["message"].as_str().expect("words");
    assert_eq!(
        words,
        "There is no bot \"last\"; random, greedy, search, level-1, level-2, level-3, level-4, level-5, level-6, level-7, level-8, first."
    );

    let (mut ana, _) = enter(host.games, create(r#"{"bots": {"white": "first"}}"#), None);
    ana.say(&json!({"command": ["Join", "Ana"]}));
    assert_eq!(event(&mut ana, "Seated")["side"], "black", "the other seat is the bot's");
    for _ in 0..5 {
        let moved = event(&mut ana, "Moved");
        let position: Position = moved["position"].as_str().expect("a text").parse().expect("a position");
        assert_eq!(moved["side"], "white");
        play(&mut ana, position.moves_text().split(' ').next().expect("a move"));
        assert_eq!(event(&mut ana, "Moved")["side"], "black");
    }
    // Not while the bot thinks, because its move removes the offer.
    assert_eq!(event(&mut ana, "Moved")["side"], "white");
    ana.say(&json!({"command": ["OfferDraw"]}));
    assert_eq!(event(&mut ana, "DrawDeclined")["side"], "white");
    ana.say(&json!({"command": ["Resign", "it is late"]}));
    let finished = event(&mut ana, "Finished");
    assert_eq!(finished, json!({"outcome": {"winner": "white", "reason": "resignation"}, "because": "it is late"}));
    fs::remove_file(&script).expect("it was there");
}
