//! Who may come into a game, and who may change that: a stranger, a player, the creator, the operator.

use std::sync::Arc;

use commlib::{Form, Reason, Token, Want};
use serde_json::{Value, json};
use server::{
    Limits, Options,
    host_store::{HostStore, MemoryHostStore},
    log::{EventLog, MemoryLog},
};
use testkit::{Request, Response};

use crate::{
    counter::Command,
    support::{Player, Port, Rejection, Scratch, Served, create, hello, join, options, resume, watch},
};

const OPERATOR: &str = "a token of the operator";

/// A host whose HTTP port is not on loopback, so that only the token makes an operator.
async fn serve(log: Arc<dyn EventLog>, host_store: Arc<dyn HostStore>) -> (Served, Port) {
    let usual = options(log, Limits::default());
    let served = Served::open(Options { admin_token: Some(OPERATOR.into()), host_store, ..usual }).await;
    let port = Port::on(&served, std::net::Ipv4Addr::UNSPECIFIED).await;
    (served, port)
}

async fn serve_in_memory() -> (Served, Port) {
    serve(Arc::new(MemoryLog::new()), Arc::new(MemoryHostStore::default())).await
}

async fn manage(port: &Port, game: &str, token: Option<Token>, change: Value) -> Response {
    let body = match token {
        Some(token) => json!({"token": token, "change": change}),
        None => json!({"change": change}),
    };
    Request::post_json(&format!("/api/v1/games/{game}/access"), body.to_string()).send(port.address).await
}

async fn operate(port: &Port, game: &str, change: Value) -> Response {
    let body = json!({"change": change}).to_string();
    let request = Request::post_json(&format!("/api/v1/games/{game}/access"), body);
    request.header("Authorization", &format!("Bearer {OPERATOR}")).send(port.address).await
}

fn code(answer: &Response) -> String {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["invitation"].as_str().expect("an invitation").to_owned()
}

/// A new game whose creator has not taken a seat: it has not begun.
async fn new_game(served: &Served) -> Player {
    served.enter(Form::Json, create("100")).await.expect("a game")
}

async fn listed(served: &Served, port: &Port, game: &str) -> [bool; 2] {
    let over_wire = served.connect(Form::Json).await.games().await.expect("a list");
    let over_http = port.get("/api/v1/games").await.json();
    let over_http = over_http["games"].as_array().expect("a list").iter().any(|one| one["name"] == game);
    [over_wire.iter().any(|one| one.game == game), over_http]
}

/// Every route of the API that shows a game.
const READING: [&str; 7] = ["", "/chronicle", "/search?q=a", "/export/jsonl", "/export/csv", "/chat", "/rematch"];

#[tokio::test]
async fn an_invited_game_is_seen_by_its_guests_alone() {
    let (served, port) = serve_in_memory().await;
    let ana = new_game(&served).await;
    let game = ana.game().to_owned();
    assert_eq!(listed(&served, &port, &game).await, [true, true]);
    let invitation = code(&manage(&port, &game, Some(ana.token()), json!({"admission": "invited"})).await);
    assert!(invitation.starts_with(&format!("{game}.")), "{invitation}");
    assert_eq!(listed(&served, &port, &game).await, [false, false]);

    let wrong = format!("{game}.{}", "0".repeat(32));
    for name in [&game, &wrong] {
        for want in [join(name), watch(name, 0)] {
            let refused = served.enter(Form::Binary, want).await.map(|player| player.welcome);
            assert_eq!(refused.err(), Some(Rejection::Refused(Reason::UnknownGame)), "{name}");
        }
        for path in READING {
            let answer = port.get(&format!("/api/v1/games/{name}{path}")).await;
            assert_eq!((answer.status, &answer.json()["error"]["code"]), (404, &json!("unknown_game")), "{path}");
        }
        assert_eq!(port.get(&format!("/api/v1/games/{name}/live")).await.status, 404);
    }
    // No answer tells that the game is there.
    let nameless = served.connect(Form::Json).await.hello(hello(Want::Join { seat: None }, None)).await;
    assert!(!nameless.expect_err("no game").to_string().contains(&game));

    let bo = served.enter(Form::Json, join(&invitation)).await.expect("a place");
    assert_eq!(bo.game(), game, "a token needs no invitation");
    served.enter(Form::Json, watch(&invitation, 0)).await.expect("a place");
    served.enter(Form::Binary, resume(&game, bo.token(), 0)).await.expect("the place");
    for path in READING {
        let answer = port.get(&format!("/api/v1/games/{invitation}{path}")).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        assert!(!answer.body.contains(&invitation), "{path}");
    }
}

#[tokio::test]
async fn an_unlisted_game_is_found_by_its_name() {
    let (served, port) = serve_in_memory().await;
    let ana = new_game(&served).await;
    let game = ana.game().to_owned();
    let answer = manage(&port, &game, Some(ana.token()), json!({"admission": "unlisted"})).await;
    assert_eq!((answer.status, &answer.json()["invitation"]), (200, &Value::Null));
    assert_eq!(listed(&served, &port, &game).await, [false, false]);
    served.enter(Form::Json, join(&game)).await.expect("a place");
    assert_eq!(port.get(&format!("/api/v1/games/{game}")).await.status, 200);
    assert_eq!(manage(&port, &game, Some(ana.token()), json!({"admission": "open"})).await.status, 200);
    assert_eq!(listed(&served, &port, &game).await, [true, true]);
}

#[tokio::test]
async fn registration_can_be_closed() {
    let (served, port) = serve_in_memory().await;
    let ana = new_game(&served).await;
    let game = ana.game().to_owned();
    assert_eq!(manage(&port, &game, Some(ana.token()), json!({"closed": true})).await.json()["closed"], true);
    let refused = served.enter(Form::Json, join(&game)).await.map(|player| player.welcome);
    assert_eq!(refused.err(), Some(Rejection::Refused(Reason::Full)));
    served.enter(Form::Json, watch(&game, 0)).await.expect("anyone may watch");
    served.enter(Form::Json, resume(&game, ana.token(), 0)).await.expect("who is in stays in");
    assert_eq!(manage(&port, &game, Some(ana.token()), json!({"closed": false})).await.status, 200);
    served.enter(Form::Json, join(&game)).await.expect("a place");
}

#[tokio::test]
async fn a_seat_is_reserved_by_name() {
    let (served, port) = serve_in_memory().await;
    let mut ana = new_game(&served).await;
    let game = ana.game().to_owned();
    let for_bo = code(&manage(&port, &game, Some(ana.token()), json!({"invite": {"name": "Bo"}})).await);
    let seat = async |player: &mut Player, name: &str| {
        player.send(Command::Join { name: name.into() }).await;
        player.hears().await
    };
    let mut bo = served.enter(Form::Json, join(&for_bo)).await.expect("a place");
    let mut eve = served.enter(Form::Json, join(&game)).await.expect("a place");
    assert_eq!(seat(&mut ana, "Bo").await, "refused Full");
    assert_eq!(seat(&mut ana, "Ana").await, "1 Greeted; 2 Joined Ana");
    assert_eq!(seat(&mut bo, "Eve").await, "refused Full", "the invitation is for Bo");
    assert_eq!(seat(&mut bo, "Bo").await, "1 Greeted; 2 Joined Bo");
    assert_eq!(seat(&mut eve, "Bo").await, "refused Full");
    assert_eq!(seat(&mut eve, "Eve").await, "1 Greeted; 2 Joined Eve");
    assert_eq!(served.host.log().find(&game).await.expect("a log").expect("the game").record.tail.entries, 3);
}

#[tokio::test]
async fn a_removed_client_is_gone_and_its_seat_can_be_claimed() {
    let scratch = Scratch::new();
    let beside: Arc<dyn HostStore> = Arc::new(MemoryHostStore::default());
    let (served, port) = serve(scratch.log(), beside.clone()).await;
    let mut ana = served.creator("100").await;
    let game = ana.game().to_owned();
    let mut bo = served.enter(Form::Json, join(&game)).await.expect("a place");
    bo.send(Command::Join { name: "Bo".into() }).await;
    assert_eq!(bo.hears().await, "1 Greeted; 2 Joined Bo");
    let client = bo.welcome.client.expect("a number");
    let entries = async |served: &Served| {
        served.host.log().find(&game).await.expect("a log").expect("the game").record.tail.entries
    };
    let before = entries(&served).await;
    assert_eq!(operate(&port, &game, json!({"remove": {"client": client}})).await.status, 200);
    assert_eq!(bo.rest().await, "closing UnknownToken");
    let again = async |served: &Served| {
        served.enter(Form::Json, resume(&game, bo.token(), 0)).await.map(|player| player.welcome.client)
    };
    assert_eq!(again(&served).await, Err(Rejection::Refused(Reason::UnknownToken)));
    assert_eq!(operate(&port, &game, json!({"remove": {"client": client}})).await.status, 400, "it is gone");
    assert_eq!(entries(&served).await, before, "nothing of it is in the log");
    assert_eq!(ana.hears().await, "3 Joined Bo", "nor do others hear of it");

    let token = ana.token();
    served.stop().await;
    let (served, _port) = serve(scratch.log(), beside).await;
    assert_eq!(again(&served).await, Err(Rejection::Refused(Reason::UnknownToken)), "after a restart, too");
    served.enter(Form::Json, resume(&game, token, 3)).await.expect("Ana's place");
    let claim = hello(Want::Join { seat: Some(1) }, Some(&game));
    let cy = served.enter(Form::Json, claim).await.expect("the seat");
    assert_eq!(cy.welcome.client, Some(client), "Bo's seat");
    served.enter(Form::Json, resume(&game, cy.token(), 0)).await.expect("its token is valid");
}

#[tokio::test]
async fn a_game_is_ended_by_its_creator_or_the_operator() {
    let (served, port) = serve_in_memory().await;
    for (is_operator, outcome) in [(false, "ended by its creator before it began"), (true, "ended by the operator")] {
        let mut ana = if is_operator { served.creator("100").await } else { new_game(&served).await };
        let game = ana.game().to_owned();
        let answer = if is_operator {
            operate(&port, &game, json!("end")).await
        } else {
            manage(&port, &game, Some(ana.token()), json!("end")).await
        };
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(ana.rest().await, "closing GameOver");
        let over = port.get(&format!("/api/v1/games/{game}")).await.json_lines();
        assert_eq!((&over[0]["game"]["status"], &over[0]["game"]["outcome"]), (&json!("finished"), &json!(outcome)));
        assert_eq!(operate(&port, &game, json!("end")).await.status, 409);
    }
}

/// A change of each kind, and what it is answered for each person: a stranger, a stranger with a made-up token, a player who is
/// not the creator, the creator before and after the start, the operator after the start.
#[tokio::test]
async fn who_may_change_what() {
    for change in [
        json!(null),
        json!({"admission": "unlisted"}),
        json!({"admission": "invited"}),
        json!({"closed": true}),
        json!({"invite": {}}),
        json!({"invite": {"name": "Cy"}}),
        json!({"remove": {"client": 2}}),
        json!("end"),
    ] {
        let (served, port) = serve_in_memory().await;
        let mut ana = new_game(&served).await;
        let bo = served.enter(Form::Json, join(ana.game())).await.expect("a place");
        let game = ana.game().to_owned();
        assert_eq!(manage(&port, &game, None, change.clone()).await.status, 401, "a stranger: {change}");
        let made_up = Some(Token::new([7; 16]));
        assert_eq!(manage(&port, &game, made_up, change.clone()).await.status, 403, "a made-up token: {change}");
        assert_eq!(manage(&port, &game, Some(bo.token()), change.clone()).await.status, 403, "a player: {change}");
        let before = manage(&port, &game, Some(ana.token()), change.clone()).await;
        assert_eq!(before.status, 200, "the creator: {change}: {before:?}");

        let mut ana = if change == "end" { new_game(&served).await } else { ana_again(&mut ana, &served).await };
        let game = ana.game().to_owned();
        if change["remove"].is_object() {
            served.enter(Form::Json, join(&game)).await.expect("a client 3");
        }
        ana.send(Command::Join { name: "Ana".into() }).await;
        assert_eq!(ana.hears().await, "1 Greeted; 2 Joined Ana");
        let change = if change["remove"].is_object() { json!({"remove": {"client": 3}}) } else { change };
        assert_eq!(manage(&port, &game, Some(ana.token()), change.clone()).await.status, 400, "it has begun: {change}");
        assert_eq!(operate(&port, &game, change.clone()).await.status, 200, "the operator: {change}");
    }
    let (served, port) = serve_in_memory().await;
    let ana = new_game(&served).await;
    for wrong in [
        json!("stop"),
        json!({"admission": "secret"}),
        json!({"invite": {"name": ""}}),
        json!({"remove": {"client": 9}}),
    ] {
        assert_eq!(manage(&port, ana.game(), Some(ana.token()), wrong.clone()).await.status, 400, "{wrong}");
    }
    assert_eq!(operate(&port, "nothere", json!("end")).await.status, 404);
}

/// The same client on a new connection.
async fn ana_again(ana: &mut Player, served: &Served) -> Player {
    let token = ana.token();
    let mut again = served.enter(Form::Json, resume(ana.game(), token, 0)).await.expect("the place");
    again.welcome.token = Some(token);
    again
}

#[tokio::test]
async fn a_game_over_http_has_a_creator_with_a_secret() {
    let (served, port) = serve_in_memory().await;
    let make = Request::post_json("/api/v1/games", r#"{"scenario":"3","admission":"invited"}"#);
    let made = make.header("Authorization", &format!("Bearer {OPERATOR}")).send(port.address).await;
    assert_eq!(made.status, 201, "{made:?}");
    let made = made.json();
    let (game, invitation) = (made["game"].as_str().expect("a name"), made["invitation"].as_str().expect("a code"));
    let creator: Token = serde_json::from_value(made["creator"].clone()).expect("a secret");
    assert_eq!(listed(&served, &port, game).await, [false, false]);
    let first = served.enter(Form::Json, join(invitation)).await.expect("a place");
    assert_eq!(manage(&port, game, Some(first.token()), json!("end")).await.status, 403, "the first client is a guest");
    assert_eq!(manage(&port, game, Some(creator), json!("end")).await.status, 200);
}

#[tokio::test]
async fn the_server_of_one_game_has_none_of_this() {
    let usual = options(Arc::new(MemoryLog::new()), Limits::default());
    let served = Served::open(Options { one_game: true, ..usual }).await;
    let port = Port::of(&served).await;
    let Want::Create(wanted) = create("5").want else { panic!("to create") };
    let game = served.host.create(&wanted, Some("only")).await.expect("a game");
    let ana = served.enter(Form::Json, hello(Want::Join { seat: None }, None)).await.expect("a place");
    assert_eq!(manage(&port, &game, Some(ana.token()), json!("end")).await.status, 400);
}
