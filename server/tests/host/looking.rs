//! Games over HTTP: lists, chronicles, live events, secrets, and who may change something.

use std::{sync::Arc, time::Duration};

use commlib::{Create, Form, Hello, PROTOCOL, Want};
use serde_json::{Value, json};
use server::{
    Limits, Options,
    log::{FaultyLog, MemoryLog},
};
use testkit::{Events, PATIENCE, Request, Response};
use tokio::time::timeout;

use crate::{
    counter::Command,
    support::{LONG, Player, Port, Served, join, options},
};

/// A number that appears nowhere else.
const SEED: i64 = 7_766_554_433_221_100;

async fn get(port: &Port, path: &str) -> Value {
    let answer = port.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    answer.json()
}

async fn get_lines(port: &Port, path: &str) -> Vec<Value> {
    let answer = port.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    assert!(answer.head.contains("content-type: application/x-ndjson"), "{answer:?}");
    answer.json_lines()
}

/// Starts a game in which Ana counts, with one refused command, and Bo joins late and is told an event of his own.
async fn begin(served: &Served, goal: &str) -> Player {
    let create = Create { rulebook: None, scenario: goal.into(), edition: None, seed: Some(SEED), timeout: None };
    let hello = Hello { protocol: PROTOCOL, want: Want::Create(create), game: None, board: false };
    let mut ana = served.enter(Form::Json, hello).await.expect("a game");
    ana.send(Command::Join { name: "Ana".into() }).await;
    ana.add(0).await;
    ana.add(2).await;
    let mut bo = served.enter(Form::Json, join(ana.game())).await.expect("a place");
    bo.send(Command::Join { name: "Bo <b>".into() }).await;
    bo.hears().await;
    ana.hears().await;
    ana
}

#[tokio::test]
async fn a_finished_game_is_told_whole() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let mut ana = begin(&served, "21").await;
    ana.add(9).await;
    ana.add(10).await;
    ana.rest().await;
    let game = ana.game();

    let lines = get_lines(&port, &format!("/api/v1/games/{game}")).await;
    let [head, index] = &lines[..] else { panic!("{lines:?}") };
    let head = &head["game"];
    assert_eq!(
        (&head["status"], &head["outcome"], &head["seed"], &head["players"], &head["scenario"]),
        (
            &json!("finished"),
            &json!("counted"),
            &json!(SEED.to_string()),
            &json!(["Ana", "Bo <b>"]),
            &json!("count to 21")
        )
    );
    // Ana joins, Bo joins later, each of three counts gives Moved and Counted, and Done comes last.
    assert_eq!(
        index["index"],
        json!({"steps": 9, "entries": [1, 0, 2, 1, 2, 3], "rounds": [[1, 6], [2, 8]], "turns": [], "figures": ["count"],
            "points": [[1, 6, [11]], [2, 8, [21]], [2, 9, [21]]]})
    );

    let lines = get_lines(&port, &format!("/api/v1/games/{game}/chronicle?from=0")).await;
    assert_eq!(
        lines[0],
        json!({"checkpoint": {"step": 0, "picture": {"count": 0, "players": [], "figures": [0], "hidden": {"left": 21}}}})
    );
    let refused = &lines[2]["entry"];
    assert_eq!(
        (&refused["number"], &refused["by"], &refused["command"]),
        (&json!(2), &json!("Ana"), &json!(["Add", 0]))
    );
    assert_eq!(
        refused["events"],
        json!([{"step": null, "to": "Ana", "refused": true, "event": ["Nothing"], "text": "after 0: Nothing", "patch": []}])
    );
    assert_eq!(lines[3]["entry"]["events"][0]["patch"], json!([["/hidden/left", 21, 19]]), "with the first step");
    assert_eq!(lines[3]["entry"]["events"][1]["patch"], json!([["/count", 0, 2], ["/figures/0", 0, 2]]));

    let lines = get_lines(&port, &format!("/api/v1/games/{game}/chronicle?from=7&steps=1")).await;
    assert_eq!(lines[0]["checkpoint"]["step"], json!(6), "an entry is not cut");
    assert_eq!(lines.len(), 2);

    let found = get(&port, &format!("/api/v1/games/{game}/search?q=NOTHING")).await;
    assert_eq!(found, json!({"found": [{"step": 1, "entry": 2, "text": "Ana after 0: Nothing"}], "more": false}));
    let found = get(&port, &format!("/api/v1/games/{game}/search?q=counted&limit=2")).await;
    assert_eq!((found["found"].as_array().map(Vec::len), &found["more"]), (Some(2), &json!(true)));

    let lines = get_lines(&port, &format!("/api/v1/games/{game}/export/jsonl")).await;
    assert_eq!(lines.len(), 3 + 6, "the game, the index, a checkpoint and all entries");
    let answer = port.get(&format!("/api/v1/games/{game}/export/csv")).await;
    assert!(answer.head.contains(&format!("content-disposition: attachment; filename=\"{game}.csv\"")), "{answer:?}");
    assert_eq!(answer.body, "round,step,count\n1,6,11\n2,8,21\n2,9,21\n");
}

#[tokio::test]
async fn games_are_found_by_what_is_known_of_them() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let running = begin(&served, "9").await;
    for _ in 0..3 {
        let mut ana = served.creator("1").await;
        ana.add(1).await;
        ana.rest().await;
    }
    for (query, expected) in [
        ("", 4),
        ("status=running", 1),
        ("status=finished", 3),
        ("status=broken", 0),
        ("rulebook=counter", 4),
        ("rulebook=chess", 0),
        ("player=ana", 4),
        ("player=bo+%3Cb%3E", 1),
        ("player=unknown", 0),
        ("outcome=count", 3),
        ("from=2020-01-01", 4),
        ("to=2020-01-01", 0),
        ("from=2020-01-01&to=9999-12-31&status=finished&player=Ana", 3),
        (&format!("q={}", running.game()), 1),
        ("q=COUNTED", 3),
        ("limit=2", 2),
    ] {
        let list = get(&port, &format!("/api/v1/games?{query}")).await;
        assert_eq!(list["games"].as_array().map(Vec::len), Some(expected), "{query}: {list}");
        assert_eq!(list["next"].is_null(), query != "limit=2", "{query}: {list}");
    }
    let mut names = Vec::new();
    let mut query = "limit=1".to_owned();
    loop {
        let list = get(&port, &format!("/api/v1/games?{query}")).await;
        names.extend(list["games"].as_array().expect("a list").iter().map(|game| game["name"].clone()));
        let Some(next) = list["next"].as_i64() else { break };
        query = format!("limit=1&before={next}");
    }
    assert_eq!(names.len(), 4, "page by page, each once: {names:?}");
    assert_eq!(names[3], running.game(), "the newest comes first");
}

/// Requests every path of a running game, as a spectator can.
#[tokio::test]
async fn a_running_game_tells_no_secrets() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let ana = begin(&served, "9").await;
    let description = get(&port, "/api/v1/openapi.json").await;
    let paths = description["paths"].as_object().expect("paths");
    let mut asked = 0;
    for (path, methods) in paths {
        for form in ["jsonl", "csv", "script"] {
            if methods.get("get").is_none() || form != "jsonl" && !path.contains("{form}") {
                continue;
            }
            let path = path.replace("{name}", ana.game()).replace("{form}", form);
            let path = if path.ends_with("search") { format!("{path}?q=a") } else { path };
            let told = if path.ends_with("live") {
                some_of(&port, &path).await
            } else {
                let answer = port.get(&path).await;
                answer.head + &answer.body
            };
            asked += 1;
            for secret in [&SEED.to_string(), "Greeted", "Nothing", "\"Add\"", "\"left\"", "\"entries\":4"] {
                assert!(!told.contains(secret), "{path} tells {secret}: {told}");
            }
        }
    }
    assert!(asked >= 12, "every path was asked for");
    let answer = port.get(&format!("/api/v1/games/{}/export/script", ana.game())).await;
    assert!((400..500).contains(&answer.status), "{answer:?}");
    let answer = port.post(&format!("/api/v1/games/{}/fork", ana.game()), r#"{"entry":1}"#).await;
    assert_eq!(answer.status, 400, "{answer:?}");
}

/// The events of an endless stream until there is a short pause.
async fn some_of(port: &Port, path: &str) -> String {
    let mut events = Events::open(port.address, path).await;
    let mut all = String::new();
    let told = |all: &str| all.contains("Counted");
    while let Some((kind, data)) = events.next(if told(&all) { Duration::from_millis(300) } else { PATIENCE }).await {
        all += &format!("{kind} {data}\n");
    }
    assert!(told(&all), "it tells something: {all}");
    all
}

#[tokio::test]
async fn watchers_see_what_happens() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let mut ana = begin(&served, "9").await;
    let live = format!("/api/v1/games/{}/live", ana.game());
    let mut early = Events::open(port.address, &live).await;
    let first = early.next_of("entry").await;
    assert_eq!(first["entry"]["events"][0]["step"], json!(1));
    assert_eq!(early.next_of("index").await["index"]["steps"], json!(4));
    let mut late = Events::open(port.address, &format!("{live}?from=4")).await;
    assert_eq!(late.next_of("index").await["index"]["steps"], json!(4), "nothing is missing");

    ana.add(0).await;
    ana.add(3).await;
    for watcher in [&mut early, &mut late] {
        let entry = watcher.next_of("entry").await;
        let events = entry["entry"]["events"].as_array().expect("events");
        assert_eq!(events.iter().map(|event| event["step"].clone()).collect::<Vec<_>>(), [5, 6]);
        assert_eq!(events[1]["patch"], json!([["/count", 2, 5], ["/figures/0", 2, 5]]));
    }
    ana.add(4).await;
    ana.rest().await;
    for watcher in [&mut early, &mut late] {
        assert_eq!(watcher.next_of("end").await, json!({"outcome": "counted"}));
        assert_eq!(watcher.next(PATIENCE).await, None, "it is closed");
    }
    assert_eq!(Events::open(port.address, &live).await.next_of("end").await, json!({"outcome": "counted"}));
}

#[tokio::test]
async fn a_watcher_too_far_behind_reads_the_chronicle_first() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let mut ana = begin(&served, "9").await;
    let mut lost = Events::open(port.address, &format!("/api/v1/games/{}/live?from=5", ana.game())).await;
    assert_eq!(lost.next_of("behind").await, json!({}));
    // A watcher that has just read the log may be ahead of the feed, and is still served.
    let live = format!("/api/v1/games/{}/live", ana.game());
    let mut first = Events::open(port.address, &format!("{live}?from=4")).await;
    first.next_of("index").await;
    ana.add(1).await;
    ana.hears().await;
    let mut ahead = Events::open(port.address, &format!("{live}?from=6")).await;
    assert_eq!(ahead.next_of("index").await["index"]["steps"], json!(6));
}

#[tokio::test]
async fn watchers_do_not_keep_a_host_from_stopping() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let ana = begin(&served, "9").await;
    let mut watcher = Events::open(port.address, &format!("/api/v1/games/{}/live", ana.game())).await;
    watcher.next_of("index").await;
    served.stop().await;
    port.stop.send_replace(true);
    timeout(LONG, port.serving).await.expect("it stops soon").expect("and well");
}

#[tokio::test]
async fn so_many_may_watch() {
    let served = Served::with(Limits { watchers: 1, ..Limits::default() }).await;
    let port = Port::of(&served).await;
    let ana = begin(&served, "9").await;
    let live = format!("/api/v1/games/{}/live", ana.game());
    let mut first = Events::open(port.address, &live).await;
    first.next_of("index").await;
    let answer = port.get(&live).await;
    assert!(answer.status == 503 && answer.body.contains("too_many"), "{answer:?}");
    drop(first);
    // The host notices the closed connection when it sends the next event.
    for _ in 0..1000 {
        let mut ana = served.enter(Form::Json, join(ana.game())).await.expect("a place");
        ana.send(Command::Shout { length: 10 }).await;
        ana.hears().await;
        let mut next = Events::open(port.address, &live).await;
        if next.next(Duration::from_secs(1)).await.is_some() {
            return;
        }
    }
    panic!("the place never becomes free");
}

#[tokio::test]
async fn a_watcher_that_never_reads_loses_its_place() {
    let served = Served::with(Limits { watchers: 1, stall: Duration::from_millis(200), ..Limits::default() }).await;
    let port = Port::of(&served).await;
    let mut ana = begin(&served, "9").await;
    let live = format!("/api/v1/games/{}/live", ana.game());
    let mut deaf = Events::open(port.address, &live).await;
    deaf.next_of("index").await;
    let mut patience = 0;
    loop {
        // More bytes than the socket buffers can hold.
        ana.send(Command::Shout { length: 200_000 }).await;
        ana.hears().await;
        let answer = port.get(&format!("{live}?from=1000000")).await;
        if answer.status == 200 {
            break;
        }
        patience += 1;
        assert!(patience < 5000, "it keeps its place");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop(deaf);
}

#[track_caller]
fn complains(path: &str, answer: &Response, code: u16, words: &str) {
    assert_eq!(answer.status, code, "{path}: {answer:?}");
    let error = &answer.json()["error"];
    assert!(error["message"].as_str().is_some_and(|message| message.contains(words)), "{path}: {answer:?}");
    assert!(error["code"].is_string(), "{path}: {answer:?}");
}

#[tokio::test]
async fn nonsense_is_answered() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let ana = begin(&served, "9").await;
    let long = "x".repeat(5000);
    for (path, code, words) in [
        ("/api/v1/games/nope", 404, "There is no game nope."),
        ("/api/v1/games/%3Cscript%3E", 404, "There is no game <script>."),
        ("/api/v1/games/..%2F..%2Fetc", 404, "There is no game"),
        (&format!("/api/v1/games/{long}"), 404, "There is no game"),
        ("/api/v1/games/nope/live", 404, "no game"),
        ("/api/v1/games/nope/export/jsonl", 404, "no game"),
        ("/api/v1/games/GAME/chronicle?from=x", 400, "from is a whole number"),
        ("/api/v1/games/GAME/chronicle?from=-1", 400, "from is a whole number"),
        ("/api/v1/games/GAME/chronicle?steps=2001", 400, "steps is at most 2000"),
        ("/api/v1/games/GAME/chronicle?form=1", 400, "no parameter \"form\""),
        ("/api/v1/games/GAME/chronicle?from=1&from=2", 400, "not twice"),
        ("/api/v1/games/GAME/search", 400, "q is what to look for"),
        (&format!("/api/v1/games/GAME/search?q={long}"), 400, "q has at most 200 characters"),
        ("/api/v1/games/GAME/search?q=%FF", 400, "UTF-8"),
        ("/api/v1/games/GAME/export/html", 400, "after the end of the game"),
        ("/api/v1/games/nope/export/html", 404, "no game"),
        ("/api/v1/games/GAME/export/exe", 400, "jsonl, csv or script"),
        ("/api/v1/games?status=lost", 400, "status is running, finished or broken"),
        ("/api/v1/games?from=yesterday", 400, "a day like"),
        ("/api/v1/games?limit=many", 400, "limit is a whole number"),
    ] {
        let path = path.replace("GAME", ana.game());
        complains(&path, &port.get(&path).await, code, words);
    }
}

#[tokio::test]
async fn who_may_change_something() {
    let open = |admin_token: Option<&str>| {
        let options = options(Arc::new(MemoryLog::new()), Limits::default());
        let host_names = vec!["games.example".parse().expect("a name")];
        Served::open(Options { admin_token: admin_token.map(Into::into), host_names, ..options })
    };
    let served = open(Some("secret")).await;
    let port = Port::of(&served).await;
    let create = r#"{"scenario":"3"}"#;
    let answer = port.post("/api/v1/games", create).await;
    assert_eq!(answer.status, 201, "from the same machine: {answer:?}");
    let name = answer.json()["game"].as_str().expect("a name").to_owned();
    assert!(answer.head.contains(&format!("location: /games/{name}")), "{answer:?}");
    assert!(served.enter(Form::Json, join(&name)).await.is_ok());

    let with = |name: &str, value: &str| Request::post_json("/api/v1/games", create).header(name, value);
    let (address, number) = (port.address, port.address.port());
    for (request, code, words) in [
        (with("Authorization", "Bearer secret"), 201, ""),
        (with("Authorization", "Bearer wrong"), 401, "not the token"),
        (with("Origin", &format!("http://{address}")), 201, ""),
        (with("Origin", "http://evil.example"), 403, "other sites"),
        (with("Origin", "null"), 403, "other sites"),
        (with("Host", &format!("evil.example:{number}")), 421, "does not answer for the name"),
        (with("Host", &format!("localhost:{number}")), 201, ""),
        (with("Host", "localhost").header("X-Forwarded-For", "192.0.2.7"), 401, "admin token"),
        (with("Host", "games.example"), 401, "admin token"),
        (with("Host", "games.example").header("Authorization", "Bearer secret"), 201, ""),
    ] {
        let answer = request.send(address).await;
        if code == 201 {
            assert_eq!(answer.status, 201, "{request:?}: {answer:?}");
        } else {
            complains(&format!("{request:?}"), &answer, code, words);
        }
    }
    let text = Request::new("POST", "/api/v1/games").header("Content-Type", "text/plain").body(create);
    complains("no JSON", &text.send(address).await, 415, "Content-Type: application/json");
    for (body, words) in [
        ("{", "The body is not what is asked for"),
        (r#"{"scenario":"many"}"#, "a scenario is the number to count to"),
        (r#"{"scenario":"3","timeout":0}"#, "A timeout is 1 to"),
        (r#"{"scenario":"3","rulebook":"go"}"#, "No rulebook go"),
    ] {
        complains(body, &port.post("/api/v1/games", body).await, 400, words);
    }
    let huge = format!(r#"{{"scenario":"{}"}}"#, "x".repeat(700 << 10));
    complains("a huge body", &port.post("/api/v1/games", &huge).await, 413, "at most");
    complains("no game", &port.post("/api/v1/games/nope/fork", r#"{"entry":1}"#).await, 404, "no game nope");
    complains("no entry", &port.post("/api/v1/games/nope/fork", "{}").await, 400, "missing field `entry`");
}

#[tokio::test]
async fn a_new_game_is_told_when_it_can_be_found() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let port = Arc::new(Port::of(&served).await);
    log.hold();
    let creating = tokio::spawn({
        let port = port.clone();
        async move { port.post("/api/v1/games", r#"{"scenario":"3"}"#).await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!creating.is_finished(), "no answer before the game is durable");
    log.release();
    let answer = creating.await.expect("no panic");
    assert_eq!(answer.status, 201, "{answer:?}");
    let name = answer.json()["game"].as_str().expect("a name").to_owned();
    let answer = port.get(&format!("/api/v1/games/{name}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");

    log.fail_at(log.writes() + 1);
    complains("no store", &port.post("/api/v1/games", r#"{"scenario":"3"}"#).await, 503, "cannot be written");
}

#[tokio::test]
async fn a_finished_game_is_forked() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let mut ana = begin(&served, "5").await;
    ana.add(3).await;
    ana.rest().await;
    let fork = format!("/api/v1/games/{}/fork", ana.game());
    complains("the end", &port.post(&fork, r#"{"entry":5}"#).await, 409, "over");
    complains("beyond", &port.post(&fork, r#"{"entry":6}"#).await, 400, "5");
    let answer = port.post(&fork, r#"{"entry":3}"#).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let name = answer.json()["game"].as_str().expect("a name").to_owned();
    let lines = get_lines(&port, &format!("/api/v1/games/{name}")).await;
    assert_eq!(lines[0]["game"]["parent"], json!({"game": ana.game(), "entry": 3}));
    assert_eq!(lines[0]["game"]["status"], json!("running"));
    assert_eq!(lines[1]["index"]["steps"], json!(3));
    let list = get(&port, &format!("/api/v1/games?q={name}")).await;
    assert_eq!(list["games"][0]["parent"], json!({"game": ana.game(), "entry": 3}));
}

/// The served routes, the OpenAPI description and docs/http-api.md list the same paths.
#[tokio::test]
async fn everything_is_described() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let description = get(&port, "/api/v1/openapi.json").await;
    let described: Vec<&String> = description["paths"].as_object().expect("paths").keys().collect();
    let document = include_str!("../../../docs/http-api.md");
    let contents = port.get("/nothing").await.body;
    let routes = contents.lines().filter(|line| line.contains("/api/v1/") || line.contains("../NAME")).count();
    assert_eq!(described.iter().filter(|path| path.starts_with("/api/")).count(), routes, "{described:?}\n{contents}");
    for path in described {
        let named = path.replace("{name}", "NAME").replace("{form}", "FORM");
        let named = named.replace("{rulebook}", "RULEBOOK").replace("{question}", "QUESTION");
        assert!(document.contains(&named), "docs/http-api.md has {named}");
        let asked = path.replace("{name}", "x").replace("{form}", "jsonl");
        let answer = port.get(&asked.replace("{rulebook}", "x").replace("{question}", "x")).await;
        assert!(
            !answer.head.contains("content-type: text/plain") || path == "/metrics" || answer.status == 405,
            "{path}: {answer:?}"
        );
    }
}

#[tokio::test]
async fn pages_run_nothing_that_is_not_theirs() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    for path in ["/", "/games/any", "/open", "/web/style.css"] {
        let answer = port.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        assert!(answer.head.contains("content-security-policy: default-src 'none'; script-src 'self';"), "{answer:?}");
        assert!(answer.head.contains("x-content-type-options: nosniff"), "{answer:?}");
        if !path.starts_with("/web") {
            for inline in ["<script>", " style=", " onclick="] {
                assert!(!answer.body.contains(inline), "{path} has {inline}");
            }
        }
    }
    for path in ["/web/../Cargo.toml", "/chess", "/draw"] {
        let answer = port.get(path).await;
        assert_eq!(answer.status, 404, "{path}: {answer:?}");
    }
    let mut size = 0;
    for path in resources::web_paths().filter(|path| !path.ends_with(".svg") && !path.ends_with("types.js")) {
        size += port.get(&format!("/web/{path}")).await.body.len();
    }
    assert!(size < 220_000, "all shared scripts, styles and pages together: {size}");
}

/// The option is off by default. If the operator turns it on, a running game shows as much as a finished one.
#[tokio::test]
async fn only_a_host_that_is_told_to_shows_all() {
    for (rulebooks, shows_all, seed) in [
        (vec![], false, json!(null)),
        (vec!["another"], false, json!(null)),
        (vec!["another", "counter"], true, json!(SEED.to_string())),
    ] {
        let options = Options { shows_all: rulebooks, ..options(Arc::new(MemoryLog::new()), Limits::default()) };
        let served = Served::open(options).await;
        let port = Port::of(&served).await;
        let mut ana = begin(&served, "9").await;
        let game = format!("/api/v1/games/{}", ana.game());
        assert_eq!(get_lines(&port, &game).await[0]["game"]["seed"], seed);
        let left = |lines: &[Value]| lines[0]["checkpoint"]["picture"]["hidden"]["left"].clone();
        let lines = get_lines(&port, &format!("{game}/chronicle?from=4")).await;
        assert_eq!(left(&lines), if shows_all { json!(7) } else { json!(null) });
        assert!(!lines.iter().any(|line| line.to_string().contains("Greeted")), "{lines:?}");
        let lines = get_lines(&port, &format!("{game}/chronicle")).await;
        assert_eq!(lines.iter().any(|line| line.to_string().contains("Greeted")), shows_all, "{lines:?}");

        let mut watcher = Events::open(port.address, &format!("{game}/live?from=4")).await;
        watcher.next_of("index").await;
        // The refused command is a separate entry without a step.
        ana.add(0).await;
        ana.add(3).await;
        let entry = watcher.next_of("entry").await;
        assert_eq!(entry["entry"]["events"][0]["step"], json!(5));
        assert_eq!(entry["entry"]["by"], if shows_all { json!("Ana") } else { json!(null) });
        let patch = &entry["entry"]["events"][0]["patch"];
        assert_eq!(patch.to_string().contains("/hidden/left"), shows_all, "{patch}");
    }
}
