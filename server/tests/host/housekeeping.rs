//! Finished games are deleted, archived and redacted by the operator, and removed by the host when they are no longer kept.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use server::{
    Kept, Limits, Options, Retention,
    host_store::{HostStore, MemoryHostStore},
    log::{EventLog, Heads, LogReader, MemoryLog, WhyRemoved, verify_against},
};
use testkit::{Request, Response};

use crate::{
    counter::Command,
    support::{Port, Scratch, Served, join, options, verified},
};

const OPERATOR: &str = "a token of the operator";

/// A host whose HTTP port is not on loopback, so that only the token makes an operator.
async fn serve(options: Options) -> (Served, Port) {
    let served = Served::open(Options { admin_token: Some(OPERATOR.into()), ..options }).await;
    let port = Port::on(&served, std::net::Ipv4Addr::UNSPECIFIED).await;
    (served, port)
}

/// A request of the operator.
async fn operate(port: &Port, request: Request) -> Response {
    request.header("Authorization", &format!("Bearer {OPERATOR}")).send(port.address).await
}

fn delete(game: &str) -> Request {
    Request::new("DELETE", &format!("/api/v1/games/{game}"))
}

/// Plays a game to its end. Returns its name.
async fn play(served: &Served, chat: &str) -> String {
    let mut ana = served.creator("3").await;
    let mut bob = served.enter(commlib::Form::Json, join(ana.game())).await.expect("a place");
    bob.send(Command::Join { name: "Anabel".into() }).await;
    bob.hears().await;
    if !chat.is_empty() {
        ana.hears().await;
        ana.ask_notices().await;
        ana.chat(chat).await;
        let mut heard = Vec::new();
        while !heard.last().is_some_and(|last: &String| last.contains(chat)) {
            let next = tokio::time::timeout(Duration::from_secs(20), ana.next()).await;
            heard.push(next.unwrap_or_else(|_| panic!("no chat after {heard:?}")));
        }
    }
    let game = ana.game().to_owned();
    ana.add(3).await;
    bob.rest().await;
    game
}

async fn names(log: &dyn LogReader) -> Vec<String> {
    log.list().await.expect("a list").into_iter().map(|record| record.name).collect()
}

#[tokio::test]
async fn deleting() {
    let scratch = Scratch::new();
    let (log, beside) = (scratch.log(), Arc::new(MemoryHostStore::default()));
    let options = Options { host_store: beside.clone(), ..options(log.clone(), Limits::default()) };
    let (served, port) = serve(options).await;
    let (over, other) = (play(&served, "Ana says hello").await, play(&served, "").await);
    let running = served.creator("100").await;
    let kept = Heads::of(&log.list().await.expect("a list"), Vec::new());
    assert_eq!(beside.chat(&over, None, 9).await.expect("lines").len(), 1);
    assert_eq!(port.get(&format!("/api/v1/games/{over}")).await.status, 200);

    let stranger = delete(&over).send(port.address).await;
    assert_eq!(stranger.status, 401, "{stranger:?}");
    let wrong = delete(&over).header("Authorization", "Bearer another token").send(port.address).await;
    assert_eq!(wrong.status, 401, "{wrong:?}");
    let refused = operate(&port, delete(running.game())).await;
    assert_eq!((refused.status, &refused.json()["error"]["code"]), (409, &json!("not_over")));
    assert_eq!(operate(&port, delete("nowhere")).await.status, 404);
    let archive = Request::post_json(&format!("/api/v1/games/{over}/archive"), "{}");
    let no_archive = operate(&port, archive).await;
    assert_eq!((no_archive.status, &no_archive.json()["error"]["code"]), (409, &json!("no_archive")));
    assert_eq!(names(&*log).await.len(), 3, "nothing was removed");

    let deleted = operate(&port, delete(&over)).await;
    assert_eq!((deleted.status, &deleted.json()["why"]), (200, &json!("deleted")), "{deleted:?}");
    assert_eq!(port.get(&format!("/api/v1/games/{over}")).await.status, 404);
    assert_eq!(operate(&port, delete(&over)).await.status, 404);
    assert_eq!(names(&*log).await, [other.as_str(), running.game()]);
    assert!(beside.chat(&over, None, 9).await.expect("lines").is_empty());
    assert_eq!(port.get("/health").await.json()["removed_games"], 1);
    assert!(port.get("/metrics").await.body.contains("holdfast_games_removed_total 1\n"));
    served.stop().await;
    let report = verified(&scratch.path("games.db")).await.expect("a report");
    assert!(report.is_sound(), "{report}");
    let reader = server::log::open_reader(&scratch.path("games.db")).await.expect("a reader");
    let report = verify_against(&*reader, &kept, |_| {}).await.expect("a report");
    assert!(report.to_string().ends_with(&format!("\ngame {over}: removed (deleted)\n")), "{report}");
    assert_eq!(report.gone.len(), 1);
}

#[tokio::test]
async fn archiving() {
    let (log, archive) = (Arc::new(MemoryLog::new()), Arc::new(MemoryLog::new()));
    let options = Options { archive: Some(archive.clone()), ..options(log.clone(), Limits::default()) };
    let (served, port) = serve(options).await;
    let game = play(&served, "").await;
    let before = log.find(&game).await.expect("a search").expect("a game");
    let rows = log.rows(before.record.key, 1).await.expect("rows");
    let path = format!("/api/v1/games/{game}/archive");
    assert_eq!(Request::post_json(&path, "{}").send(port.address).await.status, 401);
    let moved = operate(&port, Request::post_json(&path, "{}")).await;
    assert_eq!((moved.status, &moved.json()["why"]), (200, &json!("archived")), "{moved:?}");
    assert!(names(&*log).await.is_empty());
    let after = archive.find(&game).await.expect("a search").expect("a game");
    assert_eq!((after.record.tail, after.header), (before.record.tail, before.header));
    assert_eq!(archive.rows(after.record.key, 1).await.expect("rows"), rows);
    let stones = log.removed().await.expect("a list");
    assert_eq!((stones[0].why, stones[0].tail), (WhyRemoved::Archived, before.record.tail));
}

#[tokio::test]
async fn redacting() {
    let scratch = Scratch::new();
    let (log, beside) = (scratch.log(), Arc::new(MemoryHostStore::default()));
    let options = Options { host_store: beside.clone(), ..options(log.clone(), Limits::default()) };
    let (served, port) = serve(options).await;
    let (over, running) = (play(&served, "Ana and Anabel say hello").await, served.creator("100").await);
    let kept = Heads::of(&log.list().await.expect("a list"), Vec::new());
    let redact = |game: &str, body: Value| {
        let request = Request::post_json(&format!("/api/v1/games/{game}/redact"), body.to_string());
        operate(&port, request)
    };
    let before = port.get(&format!("/api/v1/games/{over}/export/jsonl")).await.body;
    assert!(before.contains("\"Ana\"") || before.contains("Ana "), "{before}");

    let stranger = Request::post_json(&format!("/api/v1/games/{over}/redact"), json!({"names": ["Ana"]}).to_string());
    assert_eq!(stranger.send(port.address).await.status, 401);
    let refused = redact(running.game(), json!({"names": ["Ana"]})).await;
    assert_eq!((refused.status, &refused.json()["error"]["code"]), (409, &json!("not_over")));
    for bad in [json!({"names": []}), json!({"names": [""]}), json!({"names": ["Ana"], "x": 1}), json!({})] {
        assert_eq!(redact(&over, bad.clone()).await.status, 400, "{bad}");
    }
    let done = redact(&over, json!({"names": ["Ana"]})).await;
    assert_eq!(done.status, 200, "{done:?}");
    let done = done.json();
    // The join of Ana; that of Anabel has the name within a longer word.
    assert_eq!((&done["entries"], &done["chat"], &done["inside"]), (&json!(1), &json!(1), &json!([2])), "{done}");

    let after = port.get(&format!("/api/v1/games/{over}/export/jsonl")).await.body;
    assert_eq!(after, before.replace("Anabel", "A.").replace("Ana", "anon-1").replace("A.", "Anabel"));
    let line = &beside.chat(&over, None, 9).await.expect("lines")[0];
    assert_eq!(line.text, "anon-1 and Anabel say hello");
    let record = log.find(&over).await.expect("a search").expect("a game").record;
    assert_eq!(record.players, Some(vec!["anon-1".to_owned(), "Anabel".to_owned()]));
    assert_eq!(record.results.expect("results")[0].name, "anon-1");
    let again = redact(&over, json!({"names": ["Ana"]})).await.json();
    assert_eq!((&again["entries"], &again["chat"]), (&json!(0), &json!(0)));
    served.stop().await;
    let reader = server::log::open_reader(&scratch.path("games.db")).await.expect("a reader");
    let report = verify_against(&*reader, &kept, |_| {}).await.expect("a report");
    assert!(report.is_sound(), "{report}");
    assert_eq!((report.redacted(), report.gone.len()), (1, 0));
}

/// Waits until the log has these games, in any order.
async fn wait_for_games(log: &dyn LogReader, expected: &[&str]) {
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    for _ in 0..600 {
        let mut there = names(log).await;
        there.sort_unstable();
        if there == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{expected:?} are expected, not {:?}", names(log).await);
}

#[tokio::test]
async fn retention_by_count() {
    let log = Arc::new(MemoryLog::new());
    let kept = Kept { age: None, count: Some(2) };
    let retention = Retention {
        all: Kept::default(),
        by_rulebook: vec![("counter".into(), kept)],
        every: Duration::from_millis(50),
    };
    let (served, port) = serve(Options { retention, ..options(log.clone(), Limits::default()) }).await;
    let mut running = served.creator("100").await;
    let mut games = Vec::new();
    for _ in 0..4 {
        games.push(play(&served, "").await);
    }
    wait_for_games(&*log, &[running.game(), &games[2], &games[3]]).await;
    let stones = log.removed().await.expect("a list");
    assert!(stones.iter().all(|stone| stone.why == WhyRemoved::Expired), "{stones:?}");
    assert_eq!(port.get("/health").await.json()["removed_games"], 2);
    let listed = port.get("/api/v1/games").await.json();
    assert!(listed["games"].as_array().expect("a list").iter().all(|game| game["expires_at"] == Value::Null));
    running.add(1).await;
    assert_eq!(running.hears().await, "3 Counted 1", "running games go on");
}

/// Games that are too old are moved if there is an archive.
#[tokio::test]
async fn retention_by_age() {
    let (log, archive) = (Arc::new(MemoryLog::new()), Arc::new(MemoryLog::new()));
    let all = Kept { age: Some(Duration::from_millis(1_500)), count: None };
    let retention = Retention { all, by_rulebook: Vec::new(), every: Duration::from_millis(50) };
    let archived: Arc<dyn EventLog> = archive.clone();
    let (served, port) =
        serve(Options { retention, archive: Some(archived), ..options(log.clone(), Limits::default()) }).await;
    let game = play(&served, "").await;
    let listed = port.get("/api/v1/games").await.json();
    let one = &listed["games"][0];
    assert_eq!(one["expires_at"].as_i64(), one["ended"].as_i64().map(|ended| ended + 1_500), "{one}");
    wait_for_games(&*log, &[]).await;
    wait_for_games(&*archive, &[&game]).await;
    let stone = &log.removed().await.expect("a list")[0];
    assert_eq!(stone.why, WhyRemoved::Archived);
    let end = archive.find(&game).await.expect("a search").expect("a game").record.end.expect("it is over").at;
    assert!(stone.at - end > 1_500, "{} {end}", stone.at);
}
