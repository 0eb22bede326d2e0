//! The win is claimed only while the opponent has been away for a minute.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time;

use crate::support::{Served, Socket};

/// Sends a command. Returns the words of its refusal, or the name of the event that follows.
async fn answer(player: &mut Socket, command: Value) -> String {
    player.send(&json!({"command": command})).await;
    loop {
        let message = player.next().await;
        if let Some(words) = message.pointer("/refused/message").and_then(Value::as_str) {
            return words.into();
        }
        if let Some(event) = message.pointer("/event/event").and_then(Value::as_object) {
            let (kind, fields) = event.iter().next().expect("an event");
            if kind != "Seated" && kind != "Joined" && kind != "Began" {
                return format!("{kind} {fields}");
            }
        }
    }
}

async fn enter(served: &Served, want: Value, game: Option<&str>) -> (Socket, Value) {
    let mut socket = Socket::open(served).await;
    socket.send(&json!({"hello": {"protocol": 3, "want": want, "game": game, "board": true}})).await;
    let welcome = socket.next().await["welcome"].take();
    (socket, welcome)
}

#[tokio::test]
async fn a_claim_needs_an_opponent_who_is_away() {
    let served = Served::new().await;
    let create = json!({"create": {"rulebook": "crazyhouse", "scenario": "{}"}});
    let (mut ana, welcome) = enter(&served, create, None).await;
    let game = welcome["game"].as_str().expect("a name").to_owned();
    ana.send(&json!({"command": {"Join": {"name": "Ana", "side": "white"}}})).await;
    let alone = answer(&mut ana, json!({"Claim": {}})).await;
    assert!(alone.starts_with("Refused"), "the rules refuse it: {alone}");
    let (mut bo, welcome) = enter(&served, json!({"join": {}}), Some(&game)).await;
    bo.send(&json!({"command": {"Join": {"name": "Bo", "side": "black"}}})).await;
    let token = welcome["token"].as_str().expect("a token").to_owned();
    while bo.next().await.pointer("/event/event/Began").is_none() {}
    assert_eq!(answer(&mut ana, json!({"Claim": {}})).await, "Your opponent is here.");

    let away = "Your opponent left 0 s ago; wait for 60 s.";
    drop(bo);
    // The host notices it soon.
    while answer(&mut ana, json!({"Claim": {}})).await != away {}
    let (bo, _) = enter(&served, json!({"resume": {"token": token, "seen": 0}}), Some(&game)).await;
    assert_eq!(
        answer(&mut ana, json!({"Claim": {}})).await,
        "Your opponent is here.",
        "a return starts the count again"
    );
    drop(bo);
    while answer(&mut ana, json!({"Claim": {}})).await != away {}

    time::pause();
    time::advance(Duration::from_secs(60)).await;
    time::resume();
    let won = answer(&mut ana, json!({"Claim": {}})).await;
    assert!(won.starts_with("Finished") && won.contains("left"), "{won}");
}
