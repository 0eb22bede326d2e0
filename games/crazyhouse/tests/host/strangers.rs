//! A client without a seat cannot move, end a game or start its rematch, over TCP or a WebSocket.

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

use crate::support::{Served, Socket};

/// JSON lines over TCP, or messages over a WebSocket.
enum Client {
    Lines(Lines<BufReader<OwnedReadHalf>>, OwnedWriteHalf),
    Socket(Socket),
}

impl Client {
    async fn lines(served: &Served) -> Self {
        let (reading, writing) = TcpStream::connect(served.games).await.expect("a connection").into_split();
        Self::Lines(BufReader::new(reading).lines(), writing)
    }

    async fn send(&mut self, message: Value) {
        match self {
            Self::Lines(_, stream) => stream.write_all(format!("{message}\n").as_bytes()).await.expect("sent"),
            Self::Socket(socket) => socket.send(&message).await,
        }
    }

    async fn next(&mut self) -> Value {
        match self {
            Self::Lines(lines, _) => {
                let line = lines.next_line().await.expect("a line").expect("not the end");
                serde_json::from_str(&line).expect("JSON")
            }
            Self::Socket(socket) => socket.next().await,
        }
    }

    /// Sends a command. Returns the kinds of all messages up to the answer, with a refusal by its own kind.
    async fn heard(&mut self, command: Value) -> Vec<String> {
        self.send(json!({"command": command})).await;
        self.send(json!({"ping": 1})).await;
        let mut heard = Vec::new();
        loop {
            let message = self.next().await;
            if message.get("pong").is_some() {
                return heard;
            }
            if let Some(event) = message.pointer("/event/event") {
                let (kind, fields) = event.as_object().and_then(|event| event.iter().next()).expect("an event");
                let refusal =
                    fields.get("refusal").and_then(Value::as_object).and_then(|refusal| refusal.keys().next());
                heard.push(refusal.unwrap_or(kind).clone());
            } else {
                heard.push(message.as_object().and_then(|message| message.keys().next()).expect("a kind").clone());
            }
        }
    }

    async fn enter(&mut self, want: Value, game: Option<&str>) -> Value {
        self.send(json!({"hello": {"protocol": 1, "want": want, "game": game}})).await;
        self.next().await["welcome"].clone()
    }
}

/// The requests of a client that does not play.
fn attempts() -> Vec<Value> {
    vec![
        json!({"Move": {"text": "e2-e4"}}),
        json!({"Move": {"text": "e7-e5"}}),
        json!({"OfferDraw": {}}),
        json!({"AcceptDraw": {}}),
        json!({"DeclineDraw": {}}),
        json!({"Resign": {"because": null}}),
        json!({"Join": {"name": "Eve", "side": "white"}}),
        json!({"Join": {"name": "Eve", "side": null}}),
    ]
}

/// The public chronicle of the game.
async fn picture(served: &Served, game: &str) -> Value {
    let answer = served.get(&format!("/api/v1/games/{game}/chronicle?from=0&steps=2000")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    json!(answer.body.lines().collect::<Vec<_>>())
}

#[tokio::test]
async fn strangers_change_nothing() {
    let served = Served::new().await;
    let mut white = Client::lines(&served).await;
    let create = json!({"create": {"rulebook": "crazyhouse", "scenario": "standard"}});
    let welcome = white.enter(create, None).await;
    let game = welcome["game"].as_str().expect("a name");
    let token = welcome["token"].as_str().expect("a token");
    assert_eq!(white.heard(json!({"Join": {"name": "Ana", "side": "white"}})).await, ["Seated", "Joined"]);
    let mut black = Client::Socket(Socket::open(&served).await);
    let other = black.enter(json!({"join": {}}), Some(game)).await["token"].as_str().expect("a token").to_owned();
    assert_eq!(black.heard(json!({"Join": {"name": "Bo", "side": null}})).await, ["Seated", "Joined", "Began"]);
    assert_eq!(white.heard(json!({"Move": {"text": "d2-d4"}})).await, ["Joined", "Began", "Moved"]);
    assert_eq!(white.heard(json!({"OfferDraw": {}})).await, ["DrawOffered"], "an offer that a stranger might accept");

    let before = picture(&served, game).await;
    let mut strange_tokens = Vec::new();
    for want in [json!({"join": {}}), json!({"watch": {}})] {
        for mut stranger in [Client::lines(&served).await, Client::Socket(Socket::open(&served).await)] {
            let welcome = stranger.enter(want.clone(), Some(game)).await;
            strange_tokens.extend(welcome["token"].as_str().map(ToOwned::to_owned));
            for attempt in attempts() {
                let heard = stranger.heard(attempt.clone()).await;
                let answers: Vec<&String> = heard.iter().filter(|what| !is_public(what)).collect();
                let refused = match (&want, attempt.get("Join")) {
                    (want, _) if want.get("watch").is_some() => "refused",
                    (_, Some(join)) if join["side"].is_null() => "Full",
                    (_, Some(_)) => "SideTaken",
                    (_, None) => "NotSeated",
                };
                assert_eq!(answers, [refused], "{attempt} of {want}: {heard:?}");
            }
            // A made-up token, and a taken seat.
            for want in [json!({"resume": {"token": "00".repeat(16), "seen": 0}}), json!({"join": {"seat": 0}})] {
                let mut another = Client::lines(&served).await;
                assert!(another.enter(want, Some(game)).await.is_null());
            }
        }
    }
    assert_eq!(strange_tokens.len(), 2, "a client that joins has a token, and no seat");
    assert_eq!(picture(&served, game).await, before, "nothing happened");

    // Black cannot move White's pieces, and a rematch needs a finished game.
    assert_eq!(black.heard(json!({"Move": {"text": "e2-e4"}})).await.last().map(String::as_str), Some("NotYourPiece"));
    let rematch = format!("/api/v1/games/{game}/rematch");
    let ask = |token: &str| json!({"token": token}).to_string();
    let answer = served.post(&rematch, &ask(token)).await;
    assert_eq!(answer.status, 404, "it is not over: {answer:?}");
    black.send(json!({"command": {"AcceptDraw": {}}})).await;
    while served.host.list().iter().any(|open| open.game == game) {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }

    for token in strange_tokens.iter().map(String::as_str).chain(["00112233445566778899aabbccddeeff", "", "x"]) {
        let answer = served.post(&rematch, &ask(token)).await;
        assert!((400..500).contains(&answer.status), "{token}: {answer:?}");
    }
    let after = served.get(&rematch).await.body;
    assert_eq!(after, "{\"game\":null}\n", "no stranger has made a game");
    assert!(served.host.list().is_empty());

    let next = format!("{game}-2");
    for token in [&other, token] {
        let answer = served.post(&rematch, &ask(token)).await;
        assert!(answer.status == 201 && answer.body.contains(&next), "{answer:?}");
    }
    let after = served.get(&rematch).await.body;
    assert_eq!(after, format!("{{\"game\":\"{next}\"}}\n"), "one game for both");
}

/// The kinds of public events that the game has emitted so far.
fn is_public(kind: &str) -> bool {
    ["Joined", "Began", "Moved", "DrawOffered"].contains(&kind)
}
