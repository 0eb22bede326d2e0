//! Bots that a player adds to a game. The browser tests add real ones, which stay over a crash.

use serde_json::json;
use testkit::Request;

use crate::support::{Port, Served};

#[tokio::test]
async fn a_bot_that_cannot_play_is_refused() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let mut ana = served.creator("100").await;
    let own = json!(ana.token()).as_str().expect("a text").to_owned();
    let game = ana.game().to_owned();
    let foreign = "0".repeat(32);
    let rows = [
        (game.as_str(), json!({"token": foreign, "bot": "random"}), 403, "unknown_token"),
        // The rulebook of the test waits for no players.
        (game.as_str(), json!({"token": own, "bot": "random"}), 409, "full"),
        (game.as_str(), json!({"token": own}), 400, "bad_message"),
        (game.as_str(), json!({"token": own, "bot": "random", "more": 1}), 400, "bad_message"),
        (game.as_str(), json!({"token": "x", "bot": "random"}), 400, "bad_message"),
        ("nothere", json!({"token": own, "bot": "random"}), 404, "unknown_game"),
    ];
    for (game, body, status, code) in rows {
        let answer =
            Request::post_json(&format!("/api/v1/games/{game}/bots"), body.to_string()).send(port.address).await;
        assert_eq!((answer.status, &answer.json()["error"]["code"]), (status, &json!(code)), "{body}: {answer:?}");
    }
    ana.add(1).await;
    assert_eq!(ana.hears().await, "3 Counted 1", "the game goes on");
}
