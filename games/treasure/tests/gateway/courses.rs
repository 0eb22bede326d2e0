//! What courses need: profiles, documents in other encodings, shuffled nodes, and who has won.

use std::sync::Arc;

use serde_json::{Value, json};
use server::log::MemoryLog;
use testkit::Request;
use treasure::{ServedProfile, documents::y2022::request::Registration};
use treasure_rules::Direction;

use crate::{
    support::{HALF, Plan, Served, options},
    y2017::two,
};

async fn with(profile: ServedProfile, shuffle_nodes: bool) -> Served {
    Served::with(options(Arc::new(MemoryLog::new())), Plan { polling_delay: false, profile, shuffle_nodes }).await
}

#[tokio::test]
async fn games_of_a_profile() {
    let served = with(ServedProfile::named("2025w").expect("a profile"), false).await;
    let (first, _) = served.two("?enableDebugMode=true").await;
    let told = first.half(&served, &HALF).await;
    assert!(told.starts_with("TooLittleWaterOnEdge: The top edge has 0 water fields; it needs at least 2. "), "{told}");
    assert!(told.ends_with(" This game has the profile 2025w."), "{told}");

    let mine = r#"{"name":"short","least_water":9,"game_ms":90000}"#;
    let served = with(ServedProfile::changed(mine).expect("a profile"), false).await;
    let (first, _) = served.two("").await;
    let told = first.half(&served, &HALF).await;
    assert!(told.starts_with("TooFewWaterFields: ") && told.ends_with(" This game has the profile short."), "{told}");
    let unknown = served.ask("GET", "/games/zzzzz/states/1", "").await.outcome();
    assert!(unknown.contains("a game exists for 90 seconds"), "{unknown}");
    // Players of 2017 keep the rules of their protocol.
    assert_eq!(two(&served).await.len(), 2);
}

#[tokio::test]
async fn documents_in_other_encodings() {
    let served = Served::new().await;
    let game = served.create("").await;
    let registration =
        Registration { first_name: "Zoë".into(), last_name: "Måns".into(), account: "z1".into() }.write();
    let body = registration.split_once("?>").map_or(&*registration, |(_, rest)| rest);
    let declared = |encoding: &str| format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>{body}");
    let latin: Vec<u8> = declared("ISO-8859-1").chars().map(|letter| letter as u8).collect();
    let wide: Vec<u8> = format!("\u{feff}{}", declared("UTF-16")).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let path = format!("/games/{game}/players");
    let mut ids = Vec::new();
    for body in [latin, wide] {
        let reply = served.send(Request::new("POST", &path).body(body)).await;
        let treasure::documents::y2022::answer::Answer::Player(id) = reply.answer() else { panic!("{}", reply.body) };
        ids.push(id);
    }
    let state = served.ask("GET", &format!("/games/{game}/states/{}", ids[0]), "").await.body.clone();
    assert_eq!(state.matches("<firstName>Zoë</firstName>").count(), 2, "{state}");
    assert_eq!(state.matches("<lastName>Måns</lastName>").count(), 2, "{state}");
    let half = served.send(Request::new("POST", &path).body(b"<\0a".to_vec())).await.outcome();
    assert!(half.starts_with("Unreadable: ") && half.contains("half a character"), "{half}");
}

#[tokio::test]
async fn compressed_documents_are_refused_by_name() {
    let served = Served::new().await;
    let game = served.create("").await;
    let path = format!("/games/{game}/players");
    let told = served.send(Request::new("POST", &path).header("Content-Encoding", "gzip").body("x")).await.outcome();
    assert_eq!(told, "ContentEncoding: The Content-Encoding \"gzip\" is not supported; send the document as it is.");
}

#[tokio::test]
async fn nodes_come_in_any_order() {
    let served = with(ServedProfile::default(), true).await;
    let (first, second) = served.map("?enableDebugMode=true").await;
    let places = async || first.state(&served).await.nodes.iter().map(|node| (node.y, node.x)).collect::<Vec<_>>();
    let (one, again) = (places().await, places().await);
    assert_eq!(one, again, "a state stays as it is");
    assert!(!one.is_sorted(), "the nodes are shuffled");
    let mut sorted = one.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), 100, "each of them once");
    let _any = (first.go(&served, Direction::Right).await, second.go(&served, Direction::Right).await);
    assert_ne!(places().await, one, "another state has another order");
}

#[tokio::test]
async fn the_server_tells_who_has_won() {
    let served = Served::new().await;
    let result = async |game: &str| -> Value {
        let reply = served.send(Request::new("GET", &format!("/games/{game}/result"))).await;
        serde_json::from_str(&reply.body).unwrap_or_else(|_| json!(reply.status))
    };
    assert_eq!(result("zzzzz").await, json!(404));
    let game = served.create("?enableDebugMode=true").await;
    assert_eq!(result(&game).await, json!({"players": 0, "over": false, "winner": null, "actions": 0, "reason": null}));
    let (ana, bo) = (served.register(&game, "ana").await, served.register(&game, "bo").await);
    assert_eq!(result(&game).await["players"], 2);
    let ana_begins = ana.must_act(&served).await;
    let (first, second) = if ana_begins { (&ana, &bo) } else { (&bo, &ana) };
    assert_eq!(first.half(&served, &HALF).await, "");
    assert_ne!(first.half(&served, &HALF).await, "", "a second half loses");
    let ended = result(&game).await;
    assert_eq!((&ended["over"], &ended["winner"]), (&json!(true), &json!(if ana_begins { 2 } else { 1 })), "{ended}");
    assert!(ended["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{ended}");
    assert_eq!(second.standing(&served).await, "Won");
}
