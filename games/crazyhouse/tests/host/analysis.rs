//! The analysis of finished games, and games in PGN.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::Response;

use crate::support::{Served, Socket};

const MATE: [&str; 4] = ["f2-f3", "e7-e5", "g2-g4", "d8-h4"];
const ANALYSIS: &str = "/api/v1/rulebooks/crazyhouse/analysis";
/// A limit that only a hanging analysis reaches.
const POLLS: u32 = 600;

/// Plays moves in a new game: Ana is White, and Bo is Black.
async fn play(served: &Served, moves: &[&str]) -> String {
    let create = json!({"create": {"rulebook": "crazyhouse", "scenario": "blitz"}});
    let mut game = None;
    let mut players = Vec::new();
    for (name, side) in [("Ana", "white"), ("Bo", "black")] {
        let mut socket = Socket::open(served).await;
        let want = if game.is_none() { create.clone() } else { json!({"join": {}}) };
        socket.send(&json!({"hello": {"protocol": 1, "want": want, "game": game}})).await;
        game = socket.next().await["welcome"]["game"].as_str().map(ToOwned::to_owned);
        socket.send(&json!({"command": {"Join": {"name": name, "side": side}}})).await;
        until(&mut socket, "Seated").await;
        players.push(socket);
    }
    for (number, text) in moves.iter().enumerate() {
        players[number % 2].send(&json!({"command": {"Move": {"text": text}}})).await;
        until(&mut players[number % 2], "Moved").await;
        until(&mut players[1 - number % 2], "Moved").await;
    }
    if moves == MATE {
        until(&mut players[0], "Finished").await;
    }
    game.expect("a game")
}

async fn until(socket: &mut Socket, kind: &str) {
    loop {
        let message = socket.next().await;
        assert!(message.pointer("/event/event/Refused").is_none(), "{message}");
        if message["event"]["event"].get(kind).is_some() {
            return;
        }
    }
}

/// Asks until the analysis is complete.
async fn analysis(served: &Served, about: &str) -> Value {
    for _ in 0..POLLS {
        let answer = served.get(&format!("{ANALYSIS}?{about}")).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let answer = answer.json();
        if answer["done"] == answer["of"] {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the analysis of {about} never ends");
}

#[tokio::test]
async fn a_finished_game_is_analysed() {
    let served = Served::new().await;
    let game = play(&served, &MATE).await;
    let found = analysis(&served, &format!("game={game}")).await;
    let marks: Vec<&Value> = found["positions"].as_array().expect("positions").iter().map(|at| &at["mark"]).collect();
    assert_eq!(marks.len(), 5);
    assert_eq!(*marks[3], "blunder", "{found}");
    assert_eq!(found["players"], json!(["Ana", "Bo"]));
    assert_eq!(found["positions"][3]["best"]["line"], json!(["Qh4#"]));
    assert!(found["positions"][1]["left"].as_u64().is_some_and(|left| left > 170_000), "{found}");
    assert!(found["positions"][1]["entry"].as_u64() > found["positions"][0]["entry"].as_u64(), "{found}");
    // The same game from a text has the same analysis, from the cache.
    let from_text = served.get(&format!("{ANALYSIS}?pgn=1.%20f3%20e5%202.%20g4%20Qh4%23%200-1")).await.json();
    assert_eq!(from_text["done"], 5, "{from_text}");
    assert_eq!(from_text["positions"][3]["score"], found["positions"][3]["score"]);
}

#[tokio::test]
async fn games_are_exported() {
    let served = Served::new().await;
    let game = play(&served, &MATE).await;
    let Response { status, body, .. } = served.get(&format!("/api/v1/rulebooks/crazyhouse/pgn?{game}")).await;
    assert_eq!(status, 200, "{body}");
    let pgn = serde_json::from_str::<Value>(&body).expect("JSON")["pgn"].as_str().expect("a text").to_owned();
    for line in ["[White \"Ana\"]", "[Result \"0-1\"]", "[TimeControl \"180+2\"]", "1. f3 e5 2. g4 Qh4# 0-1"] {
        assert!(pgn.lines().any(|found| found == line), "{line} is not in {pgn}");
    }
    let running = play(&served, &MATE[..2]).await;
    let pgn = served.get(&format!("/api/v1/rulebooks/crazyhouse/pgn?{running}")).await.json();
    assert!(pgn["pgn"].as_str().is_some_and(|pgn| pgn.ends_with("\n\n1. f3 e5 *\n")), "{pgn}");
}

#[tokio::test]
async fn what_cannot_be_answered() {
    let served = Served::new().await;
    let running = play(&served, &MATE[..2]).await;
    let long = format!("pgn={}", "Nf3%20Nf6%20Ng1%20Ng8%20".repeat(251));
    for (about, status, words) in [
        (&*format!("game={running}"), 400, "The game is still running"),
        ("game=unknown", 404, "There is no game \\\"unknown\\\" of crazyhouse"),
        ("", 400, "Ask for analysis?game=NAME or analysis?pgn=TEXT."),
        ("what=ever", 400, "Ask for analysis?game=NAME or analysis?pgn=TEXT."),
        ("pgn=", 400, "line 1: there is no game."),
        ("pgn=1.%20e4%20e4", 400, "line 1: move 1: e4 is not a legal move."),
        ("pgn=%5BVariant%20%22Atomic%22%5D%201.%20e4", 400, "not crazyhouse"),
        (&*long, 413, "Games of up to 1000 moves are analysed."),
    ] {
        let answer = served.get(&format!("{ANALYSIS}?{about}")).await;
        assert_eq!(answer.status, status, "{about}: {}", answer.body);
        assert!(answer.body.contains(words), "{about}: {}", answer.body);
    }
    assert_eq!(served.get("/api/v1/rulebooks/crazyhouse/pgn?unknown").await.status, 404);
    assert_eq!(served.get("/api/v1/rulebooks/crazyhouse/moves?e5").await.status, 400);
    let fen = served.get("/api/v1/rulebooks/crazyhouse/position?fen=4k3/8/8/8/8/8/8/4K3%5BQ%5D+w+-+-+0+1").await.json();
    assert_eq!((&fen["board"], &fen["next"]), (&json!("4k3/8/8/8/8/8/8/4K3/Q"), &json!("white")));
    assert_eq!(fen["fen"], "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1");
}
