//! A game is durable before a client is told its name, over every route that creates one.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use server::{
    Limits, Options,
    log::{FaultyLog, LogReader, MemoryLog},
};
use testkit::{Request, Response};

use crate::support::{Lines, Port, Served, options};

/// Enough for an answer that does not wait.
const ROUND_TRIPS: usize = 50;

/// A host with a finished game and a player of it.
struct Fixture {
    log: FaultyLog,
    port: Arc<Port>,
    served: Served,
    game: String,
    token: String,
}

impl Fixture {
    async fn new() -> Self {
        let log = FaultyLog::new(Arc::new(MemoryLog::new()));
        let served = Served::on(Arc::new(log.clone())).await;
        let port = Arc::new(Port::of(&served).await);
        let mut ana = served.creator("1").await;
        ana.add(1).await;
        ana.rest().await;
        while !served.host.list().is_empty() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let token = json!(ana.token()).as_str().expect("a text").to_owned();
        Self { log, port, game: ana.game().to_owned(), token, served }
    }

    /// The routes that are not only read: their methods and paths, as the host lists them.
    async fn routes(&self) -> Vec<(String, String)> {
        let contents = self.port.get("/nothing").await.body;
        let mut routes = Vec::new();
        for line in contents.lines().skip(1) {
            let path =
                line.split_whitespace().find(|word| word.contains('/')).expect("a path").replace("..", "/api/v1/games");
            let path = path.split('?').next().unwrap_or_default();
            // They create no game: `adding_bots`, `access`, `accounts` and `housekeeping` have their tests.
            let is_of_account = ["/api/v1/me", "/api/v1/register", "/api/v1/sign-", "/api/v1/reports"];
            let others = ["/bots", "/access", "/archive", "/redact"];
            let is_other = others.iter().any(|other| path.ends_with(other))
                || is_of_account.iter().any(|start| path.starts_with(start));
            if is_other && line.contains("POST") {
                continue;
            }
            let answer = Request::new("OPTIONS", path).send(self.port.address).await;
            let allowed =
                answer.header("allow").unwrap_or_else(|| panic!("{path} does not say its methods: {answer:?}"));
            let changing = allowed.split(',').filter(|method| !["get", "head", "delete"].contains(method));
            routes.extend(changing.map(|method| (method.to_uppercase(), path.to_owned())));
        }
        routes
    }

    /// A request that creates something.
    fn request(&self, method: &str, path: &str) -> Request {
        let body = match (method, path) {
            ("POST", "/api/v1/games") => json!({"scenario": "3"}),
            ("POST", "/api/v1/games/NAME/fork") => json!({"entry": 1}),
            ("POST", "/api/v1/games/NAME/rematch") => json!({"token": self.token}),
            _ => panic!("{method} {path} is new: does it wait until what it creates is durable?"),
        };
        let request = Request::new(method, &path.replace("NAME", &self.game));
        request.header("Content-Type", "application/json").body(body.to_string())
    }

    fn send(&self, request: Request) -> tokio::task::JoinHandle<Response> {
        let address = self.port.address;
        tokio::spawn(async move { request.send(address).await })
    }

    async fn writes_another(&self, before: u64) {
        while self.log.writes() == before {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        for _ in 0..ROUND_TRIPS {
            self.port.get("/health").await;
        }
    }
}

#[tokio::test]
async fn no_route_answers_before_it_is_durable() {
    let routes = Fixture::new().await.routes().await;
    assert_eq!(routes.len(), 3, "{routes:?}");
    for (method, path) in routes {
        let on = Fixture::new().await;
        let before = on.log.writes();
        on.log.hold();
        let first = on.send(on.request(&method, &path));
        on.writes_another(before).await;
        // The second player who asks for a rematch, and a page that looks for it, wait for the same game.
        let more = path.ends_with("rematch").then(|| {
            let look = Request::get(&path.replace("NAME", &on.game));
            [on.request(&method, &path), look].map(|request| on.send(request))
        });
        on.writes_another(before).await;
        assert!(!first.is_finished(), "{method} {path} answers before it is durable");
        for other in more.iter().flatten() {
            assert!(!other.is_finished(), "{path} tells a name before it is durable");
        }
        on.log.release();
        let answer = first.await.expect("no panic");
        assert_eq!(answer.status, 201, "{method} {path}: {answer:?}");
        let name = answer.json()["game"].as_str().expect("a name").to_owned();
        assert!(on.log.find(&name).await.expect("a log").is_some());
        for other in more.into_iter().flatten() {
            assert_eq!(other.await.expect("no panic").json()["game"], json!(name));
        }
    }
}

#[tokio::test]
async fn no_route_says_that_a_game_is_there_if_it_cannot_be_stored() {
    for (method, path) in Fixture::new().await.routes().await {
        let on = Fixture::new().await;
        on.log.fail_at(on.log.writes() + 1);
        let answer = on.request(&method, &path).send(on.port.address).await;
        assert_eq!(answer.status, 503, "{method} {path}: {answer:?}");
        let code = &answer.json()["error"]["code"];
        assert!(
            ["store_failed", "store_unavailable"].map(|code| json!(code)).contains(code),
            "{method} {path}: {code}"
        );
        let answer = on.request(&method, &path).send(on.port.address).await;
        assert_eq!(answer.status, 201, "the next one is stored: {method} {path}: {answer:?}");
    }
}

/// A game that was not created is no game that the log has given up, for its creator, for the operator and in the metrics.
#[tokio::test]
async fn a_game_that_is_not_created_is_not_damaged() {
    let (log, lines) = (FaultyLog::new(Arc::new(MemoryLog::new())), Lines::default());
    let options = Options { logger: lines.logger(), ..options(Arc::new(log.clone()), Limits::default()) };
    let served = Served::open(options).await;
    let port = Port::of(&served).await;
    let has_failed = |games: u32| {
        let line = format!("holdfast_games_store_failed_total {games}");
        let port = &port;
        async move { port.get("/metrics").await.body.lines().any(|found| found == line) }
    };
    log.fail_at(log.writes() + 1);
    let answer = port.post("/api/v1/games", r#"{"scenario": "3"}"#).await;
    assert_eq!(answer.status, 503, "{answer:?}");
    while !served.host.list().is_empty() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(lines.take(), ["WARN the log did not take the new game"]);
    assert!(has_failed(0).await);

    let mut ana = served.creator("3").await;
    log.fail_at(log.writes() + 1);
    ana.add(1).await;
    assert_eq!(ana.rest().await, "closing StoreFailed");
    assert_eq!(lines.take(), ["ERRO the log takes no more of this game"]);
    while !has_failed(1).await {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// A rematch that is over has no room any more.
#[tokio::test]
async fn a_rematch_that_is_over_is_still_told() {
    let on = Fixture::new().await;
    let rematch = on.request("POST", "/api/v1/games/NAME/rematch");
    let name = rematch.send(on.port.address).await.json()["game"].as_str().expect("a name").to_owned();
    let mut bo = on.served.enter(commlib::Form::Json, crate::support::join(&name)).await.expect("a place");
    bo.send(crate::counter::Command::Join { name: "Bo".into() }).await;
    bo.add(1).await;
    bo.rest().await;
    while !on.served.host.list().is_empty() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let answer = rematch.send(on.port.address).await;
    assert_eq!((answer.status, &answer.json()["game"]), (201, &json!(name)));
    let answer = on.port.get(&format!("/api/v1/games/{}/rematch", on.game)).await;
    assert_eq!(answer.json()["game"], json!(name));
}
