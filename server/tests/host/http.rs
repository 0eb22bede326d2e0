//! Metrics, health, and answers to unknown paths.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use commlib::{Form, Reason};
use server::{
    Limits,
    log::{Durability, SqliteLog},
};
use testkit::Request;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::{
    counter::Command,
    support::{LONG, Port, Rejection, Scratch, Served, create, create_with_timeout, greet, join, resume},
};

const DOCUMENT: &str = include_str!("../../../docs/operations.md");

impl Port {
    /// The samples by name, including labels.
    async fn metrics(&self) -> BTreeMap<String, f64> {
        let answer = self.get("/metrics").await;
        let samples = answer.body.lines().filter(|line| !line.starts_with('#'));
        samples
            .map(|line| line.rsplit_once(' ').expect("a name and a value"))
            .map(|(name, value)| (name.to_owned(), value.parse().expect("a number")))
            .collect()
    }
}

fn check(metrics: &BTreeMap<String, f64>, expected: &[(&str, f64)]) {
    for (name, value) in expected {
        assert_eq!(metrics.get(*name), Some(value), "{name}");
    }
}

#[tokio::test]
async fn what_happens_is_counted() {
    let scratch = Scratch::new();
    let served = Served::on(scratch.log()).await;
    let port = Port::of(&served).await;
    let mut ana = served.creator("3").await;
    let mut bo = served.enter(Form::Json, join(ana.game())).await.expect("a place");
    bo.send(Command::Join { name: "Bo".into() }).await;
    bo.hears().await;
    let token = bo.token();
    drop(bo);
    let mut bo = served.enter(Form::Json, resume(ana.game(), token, 0)).await.expect("the place");
    bo.hears().await;
    let mut visitor = served.connect(Form::Json).await;
    greet(&mut visitor, join("nowhere")).await.expect_err("there is no such game");

    // The counter of a closed connection goes down a little later.
    let mut metrics = port.metrics().await;
    while metrics["holdfast_connections_open"] != 3.0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
        metrics = port.metrics().await;
    }
    check(
        &metrics,
        &[
            ("holdfast_games_open", 1.0),
            ("holdfast_games_created_total", 1.0),
            ("holdfast_games_finished_total", 0.0),
            ("holdfast_connections_accepted_total", 4.0),
            ("holdfast_resumes_total", 1.0),
            ("holdfast_commands_total", 2.0),
            ("holdfast_command_latency_seconds_count", 2.0),
            ("holdfast_log_entries_total", 2.0),
            ("holdfast_log_entries_per_commit_sum", 2.0),
            ("holdfast_messages_refused_total{reason=\"unknown_game\"}", 1.0),
        ],
    );
    assert!(metrics["holdfast_log_commits_total"] >= 4.0, "a game, two clients, two entries: {metrics:?}");
    assert_eq!(metrics["holdfast_log_commits_total"], metrics["holdfast_log_commit_duration_seconds_count"]);
    assert!(metrics["holdfast_command_latency_seconds_sum"] > 0.0);
    assert!(metrics["holdfast_events_told_total"] >= 3.0, "{metrics:?}");
    assert!(metrics["holdfast_received_bytes_total"] > 100.0 && metrics["holdfast_sent_bytes_total"] > 100.0);

    ana.add(3).await;
    ana.rest().await;
    let mut metrics = port.metrics().await;
    while metrics["holdfast_connections_closed_total{reason=\"game_over\"}"] != 2.0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
        metrics = port.metrics().await;
    }
    check(&metrics, &[("holdfast_games_open", 0.0), ("holdfast_games_finished_total", 1.0)]);
}

#[tokio::test]
async fn what_comes_back_is_counted() {
    let scratch = Scratch::new();
    let served = Served::on(scratch.log()).await;
    let mut ana = served.creator("9").await;
    ana.add(1).await;
    ana.hears().await;
    served.stop().await;
    let served = Served::on(scratch.log()).await;
    let metrics = Port::of(&served).await.metrics().await;
    check(
        &metrics,
        &[
            ("holdfast_recovered_games", 1.0),
            ("holdfast_recovered_entries", 2.0),
            ("holdfast_games_created_total", 0.0),
        ],
    );
    assert!(metrics["holdfast_recovery_seconds"] > 0.0);
}

#[tokio::test]
async fn refused_connections_and_timers_are_counted() {
    let served = Served::with(Limits { connections: 1, ..Limits::default() }).await;
    let port = Port::of(&served).await;
    let mut ana = served.enter(Form::Json, create_with_timeout("1", 30)).await.expect("a game");
    let mut second = served.connect(Form::Json).await;
    assert_eq!(crate::support::next(&mut second).await, "closing TooMany");
    check(&port.metrics().await, &[("holdfast_connections_refused_total{reason=\"too_many\"}", 1.0)]);
    ana.send(Command::Join { name: "Ana".into() }).await;
    while !ana.next().await.ends_with("Rang 0") {}
    check(&port.metrics().await, &[("holdfast_timers_fired_total", 1.0), ("holdfast_commands_total", 1.0)]);
}

/// The documented table and the served metrics have the same names, types and labels.
#[tokio::test]
async fn the_document_has_every_metric() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let answer = port.get("/metrics").await;
    assert!(answer.head.contains("content-type: text/plain; version=0.0.4; charset=utf-8"), "{answer:?}");
    let mut served = Vec::new();
    let mut lines = answer.body.lines().peekable();
    while let Some(help) = lines.next() {
        let (name, help) = help.strip_prefix("# HELP ").and_then(|rest| rest.split_once(' ')).expect("HELP first");
        assert!(help.len() > 5, "{name}");
        let kind = lines.next().and_then(|line| line.strip_prefix(&format!("# TYPE {name} "))).expect("then TYPE");
        let mut labels = Vec::new();
        while let Some(sample) = lines.next_if(|line| !line.starts_with('#')) {
            assert!(sample.starts_with(name), "{sample} belongs to {name}");
            labels.extend(sample.split_once('{').and_then(|(_, rest)| rest.split_once('=')).map(|(label, _)| label));
        }
        let by_reason = labels.iter().filter(|label| **label == "reason").count();
        assert!(by_reason == 0 || by_reason == Reason::ALL.len(), "{name}");
        // The buckets of a histogram are part of its type.
        let label = labels.first().filter(|label| **label != "le").map(|label| format!(" {label}")).unwrap_or_default();
        served.push(format!("{name} {kind}{label}"));
    }
    let (_, table) = DOCUMENT.split_once("| metric | type | label | what |\n").expect("a table");
    let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
    // This host has no certificate.
    let documented: Vec<String> = rows
        .filter(|row| !row.ends_with("only with TLS |"))
        .map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect::<Vec<_>>())
        .map(|cells| format!("{} {} {}", cells[0], cells[1], cells[2]).trim().to_owned())
        .collect();
    assert_eq!(documented, served);
}

/// The documented limits are those of the code.
#[test]
fn the_document_has_every_limit() {
    let limits = Limits::default();
    let Limits { wire, stall, http_head, store_patience, .. } = limits;
    let commlib::Limits { hello, command, handshake, farewell } = wire;
    for (name, value) in [
        ("connections", limits.connections.to_string()),
        ("connections_per_address", limits.connections_per_address.to_string()),
        ("http_connections", limits.http_connections.to_string()),
        ("http_head", format!("{} s", http_head.as_secs())),
        ("watchers", limits.watchers.to_string()),
        ("games", limits.games.to_string()),
        ("games_per_connection", limits.games_per_connection.to_string()),
        ("messages_per_second", limits.messages_per_second.to_string()),
        ("stall", format!("{} s", stall.as_secs())),
        ("store_patience", format!("{} s", store_patience.as_secs())),
        ("longest_timeout", format!("{} days", limits.longest_timeout / 1000 / 3600 / 24)),
        ("hello", format!("{hello} bytes")),
        ("command", format!("{command} bytes")),
        ("handshake", format!("{} s", handshake.as_secs())),
        ("farewell", format!("{} s", farewell.as_secs())),
    ] {
        assert!(DOCUMENT.contains(&format!("| `{name}` | {value} |")), "{name} is {value}");
    }
    let per_address = limits.per_address;
    for (option, value) in [
        ("--http-connections-per-address N", per_address.http_connections.to_string()),
        ("--watchers-per-address N", per_address.watchers.to_string()),
        ("--bots-per-address N", per_address.bots.to_string()),
        ("--games-per-minute N", per_address.games_per_minute.to_string()),
        ("--hellos-per-minute N", per_address.hellos_per_minute.to_string()),
        ("--wrong-tokens-per-minute N", per_address.wrong_tokens_per_minute.to_string()),
    ] {
        assert!(DOCUMENT.contains(&format!("| `{option}` | {value} |")), "{option} is {value}");
    }
    let server::RefusalLimits { per_client, per_game } = limits.refusals;
    let refusals = format!("at most {per_client} refused commands of a client without a seat, and {per_game} of");
    assert!(DOCUMENT.contains(&refusals), "{refusals}");
    let fewest = format!("at least once in every {} messages", Limits::FEWEST_AHEAD);
    assert!(include_str!("../../../docs/protocol.md").contains(&fewest), "{fewest}");
}

#[tokio::test]
async fn health_says_when_the_log_fails_and_when_the_host_stops() {
    let scratch = Scratch::new();
    let options = server::log::Options { durability: Durability::Full, max_pages: Some(40) };
    let served = Served::on(Arc::new(SqliteLog::open(&scratch.path("games.db"), options).expect("a log"))).await;
    let port = Port::of(&served).await;
    let mut ana = served.creator("1000").await;
    let answer = port.get("/health").await;
    assert!(answer.status == 200 && answer.head.contains("content-type: application/json"), "{answer:?}");
    let body = answer.json();
    let uptime = &body["uptime"];
    assert_eq!(
        body,
        serde_json::json!({"status": "ok", "games": 1, "damaged_games": 0, "connections": 1, "removed_games": 0, "uptime": uptime})
    );

    for _ in 0..60 {
        ana.send(Command::Shout { length: 50_000 }).await;
    }
    let failed = loop {
        let answer = port.get("/health").await;
        if answer.status == 503 {
            break answer;
        }
    };
    let body = failed.json();
    assert_eq!(body["status"], "log failed");
    assert_eq!(body["problem"], "storing an entry: database or disk is full");
    let metrics = port.metrics().await;
    check(&metrics, &[("holdfast_games_store_failed_total", 0.0), ("holdfast_log_failing", 1.0)]);

    let mut bo = served.connect(Form::Json).await;
    assert_eq!(greet(&mut bo, create("1")).await, Err(Rejection::Closing(Reason::StoreUnavailable)));
    let stopped = served.host.stop().await;
    assert!(stopped.is_err(), "the last commands were not stored: {stopped:?}");
    let answer = port.get("/health").await;
    assert!(answer.status == 503 && answer.body.contains("\"status\":\"stopping\""), "{answer:?}");
}

#[tokio::test]
async fn an_unknown_path_gets_a_list_of_all_paths() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    for (method, path, code) in
        [("GET", "/nothing", 404), ("GET", "/metrics/", 404), ("POST", "/metrics", 405), ("DELETE", "/health", 405)]
    {
        let answer = Request::new(method, path).send(port.address).await;
        assert_eq!(answer.status, code, "{method} {path}: {answer:?}");
        assert!(answer.body.contains("GET /metrics") && answer.body.contains("GET /health"), "{answer:?}");
        assert_eq!(answer.head.contains("allow: get,head"), code == 405, "{answer:?}");
    }
}

#[tokio::test]
async fn an_unknown_page_is_a_page() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    for path in ["/nothing", "/nothing/here", "/a/b/c/d", "/games/"] {
        let browser = Request::get(path).header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
        let answer = browser.send(port.address).await;
        assert_eq!((answer.status, answer.header("content-type")), (404, Some("text/html; charset=utf-8")), "{path}");
        assert!(answer.body.contains("<h1>Page not found</h1>") && answer.body.contains("href=\"/\""), "{answer:?}");
        assert!(answer.head.contains("content-security-policy: "), "{answer:?}");
        let program = port.get(path).await;
        assert_eq!(
            (program.status, program.header("content-type")),
            (404, Some("text/plain; charset=utf-8")),
            "{path}"
        );
    }
}

#[tokio::test]
async fn half_a_request_keeps_no_place() {
    let limits = Limits { http_connections: 1, http_head: Duration::from_secs(3), ..Limits::default() };
    let served = Served::with(limits).await;
    let port = Port::of(&served).await;
    let mut slow = TcpStream::connect(port.address).await.expect("a connection");
    slow.write_all(b"GET /metrics HT").await.expect("sent");
    let answer = port.get("/health").await;
    assert_eq!(answer.status, 200, "the only place became free: {answer:?}");
}

/// A proxy may follow the one and the host the other, and then a client can hide a request from the proxy.
#[tokio::test]
async fn a_request_with_two_lengths_is_refused() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let all_answers = async |requests: &str| {
        let mut stream = TcpStream::connect(port.address).await.expect("a connection");
        stream.write_all(requests.as_bytes()).await.expect("sent");
        let mut answers = String::new();
        stream.read_to_string(&mut answers).await.expect("it closes");
        answers
    };
    let health = "GET /health HTTP/1.1\r\nHost: localhost\r\n";
    let chunked = "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    for path in ["/health", "/api/v1/games"] {
        let both = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n{chunked}");
        let answers = all_answers(&format!("{both}{health}\r\n")).await;
        assert!(answers.starts_with("HTTP/1.1 400 "), "{answers}");
        assert!(answers.contains("A request has either Content-Length or Transfer-Encoding, not both."), "{answers}");
        assert_eq!(answers.matches("HTTP/1.1 ").count(), 1, "nothing behind it is answered: {answers}");
    }
    let answers = all_answers(&format!("{health}{chunked}{health}Connection: close\r\n\r\n")).await;
    assert_eq!(answers.matches("HTTP/1.1 200 ").count(), 2, "either of them works: {answers}");
}

#[tokio::test]
async fn it_stops_with_connections_that_say_nothing() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    let mut idle = TcpStream::connect(port.address).await.expect("a connection");
    idle.write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n").await.expect("sent");
    let mut first = [0; 12];
    idle.read_exact(&mut first).await.expect("an answer");
    port.stop.send_replace(true);
    timeout(LONG, port.serving).await.expect("it stops soon").expect("and well");
    assert!(TcpStream::connect(port.address).await.is_err(), "the port is closed");
}

#[tokio::test]
async fn games_are_counted_by_how_they_end() {
    let served = Served::new().await;
    let port = Port::of(&served).await;
    for last in [Command::Add { amount: 1 }, Command::Panic {}, Command::Add { amount: 1 }, Command::PanicLater {}] {
        let mut ana = served.creator("1").await;
        ana.send(last).await;
        ana.rest().await;
    }
    let ended = |metrics: &BTreeMap<String, f64>| {
        metrics["holdfast_games_finished_total"] + metrics["holdfast_games_broken_total"]
    };
    let mut metrics = port.metrics().await;
    while ended(&metrics) < 4.0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
        metrics = port.metrics().await;
    }
    check(
        &metrics,
        &[
            ("holdfast_games_created_total", 4.0),
            ("holdfast_games_finished_total", 2.0),
            ("holdfast_games_broken_total", 2.0),
            ("holdfast_games_open", 0.0),
            ("holdfast_connections_closed_total{reason=\"internal\"}", 2.0),
        ],
    );
}
