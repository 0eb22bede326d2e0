//! `holdfast host` with a game: its answers over HTTP, and its log lines.

use serde_json::{Value, json};
use testkit::Request;

use crate::{
    host::{HostProcess, connect},
    wait_until,
};

/// A hello that creates a game.
pub(super) fn create() -> Value {
    json!({"hello": {"protocol": 1, "want": {"create": {"scenario": "first-night", "seed": 1}}}})
}

#[test]
fn a_game_is_seen_over_http() {
    let host = HostProcess::start(&[]);
    let mut ana = connect(host.games);
    ana.say(&create());
    ana.hear();
    ana.say(&json!({"command": ["Register", "Ana"]}));
    ana.hear();

    let answer = Request::get("/health").send_blocking(host.http);
    assert_eq!(answer.status, 200, "{answer:?}");
    let health = answer.json();
    assert_eq!((&health["status"], &health["games"], &health["connections"]), (&json!("ok"), &json!(1), &json!(1)));

    let metrics = Request::get("/metrics").send_blocking(host.http).body;
    assert!(metrics.contains("\nholdfast_commands_total 1\n"), "{metrics}");
    host.stop();
}

/// Plays a short game: one client leaves, one watches, and one aborts the registration. Returns the name of the game.
fn play_a_little(host: &HostProcess) -> String {
    let mut ana = connect(host.games);
    ana.say(&create());
    let game = ana.hear()["welcome"]["game"].as_str().expect("a name").to_owned();
    let mut eve = connect(host.games);
    eve.say(&json!({"hello": {"protocol": 1, "want": {"watch": {}}, "game": game}}));
    eve.hear();
    let mut bo = connect(host.games);
    bo.say(&json!({"hello": {"protocol": 1, "want": {"join": {}}, "game": game}}));
    bo.hear();
    drop(bo);
    // Waits until the host has noticed that the client left. Otherwise the end of the game would close its connection.
    let connections = || Request::get("/health").send_blocking(host.http).json()["connections"].take();
    wait_until("two connections are left", || connections() == json!(2));
    // Only a player can abort a game that waits.
    ana.say(&json!({"command": ["Register", "Ana"]}));
    ana.say(&json!({"command": ["EndTurn"]}));
    while ana.hear().get("closing").is_none() {}
    while eve.hear().get("closing").is_none() {}
    game
}

#[test]
fn every_json_line_names_game_and_client() {
    let host = HostProcess::start(&["--log-format", "json", "-vv"]);
    let game = play_a_little(&host);
    let log = host.stop();

    let mut seen = Vec::new();
    for line in log.lines() {
        let parsed: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let message = parsed["msg"].as_str().expect("a message").to_owned();
        // A line belongs to the host, to a connection without a game, to a game, or to a connection in a game.
        let keys: &[&str] = match message.as_str() {
            "stopping" => &[],
            "connected" => &["connection", "address"],
            "game created" | "game over" | "room closed" => &["game"],
            "in a game" | "closed" | "gone" => &["game", "connection"],
            _ => panic!("a line that this test does not know: {line}"),
        };
        for key in keys.iter().chain(&["ts", "level"]) {
            assert!(parsed.get(key).is_some(), "no {key}: {line}");
        }
        if keys.contains(&"game") {
            assert_eq!(parsed["game"], json!(game), "{line}");
        }
        assert_eq!(line.matches("\"game\":").count(), usize::from(keys.contains(&"game")), "each key once: {line}");
        seen.push((message, parsed.get("client").and_then(Value::as_u64)));
    }
    seen.sort();
    let expected = [
        ("closed", None),
        ("closed", Some(1)),
        ("connected", None),
        ("connected", None),
        ("connected", None),
        ("game created", None),
        ("game over", None),
        ("gone", Some(2)),
        ("in a game", None),
        ("in a game", Some(1)),
        ("in a game", Some(2)),
        ("room closed", None),
        ("stopping", None),
    ];
    let seen: Vec<_> = seen.iter().map(|(message, client)| (message.as_str(), *client)).collect();
    assert_eq!(seen, expected, "a spectator is not a client");
}

#[test]
fn lines_for_people_have_the_same() {
    let host = HostProcess::start(&["-v"]);
    let game = play_a_little(&host);
    let log = host.stop();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("in a game")).collect();
    assert_eq!(lines.len(), 3, "{log}");
    assert!(lines.iter().all(|line| line.contains(&format!("game: {game}"))), "{log}");
    assert!(lines[0].contains("client: 1") && lines[2].contains("client: 2"), "{log}");
    assert!(!log.contains("connected"), "a connection is a line of -vv: {log}");
}

#[test]
fn without_v_a_host_that_is_well_says_nothing() {
    let host = HostProcess::start(&["--log-format", "json"]);
    play_a_little(&host);
    assert_eq!(host.stop(), "");
}
