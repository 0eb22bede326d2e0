//! The page of the game for people: the address of its port, and the errors of clients.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use serde_json::{Value, json};
use server::{
    Adapter, Host, Http,
    log::{EventLog, MemoryLog},
};
use testkit::Request;
use tokio::sync::watch;
use treasure::Treasure;
use treasure_rules::Direction;

use crate::support::{HALF, Scratch, Served};

/// The HTTP port of a host. It stays open until this is dropped.
struct Pages {
    address: SocketAddr,
    _stop: watch::Sender<bool>,
}

impl Pages {
    async fn of(host: &Arc<Host>) -> Self {
        let http = Http::bind("127.0.0.1:0".parse().expect("an address")).await.expect("a port");
        let address = http.local_addr().expect("an address");
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(http.serve(host.clone(), stopped));
        Self { address, _stop: stop }
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        let reply = Request::get(path).send(self.address).await;
        (reply.status, reply.json())
    }

    /// The response head of a page or of one of its files.
    async fn head(&self, path: &str) -> String {
        let reply = Request::get(path).send(self.address).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        if !path.starts_with("/web") {
            let body = &reply.body;
            assert!(!body.contains("<script>") && !body.contains(" style=") && !body.contains(" onclick="), "{path}");
        }
        reply.head
    }

    /// Waits until the answer covers this number of games. Returns the errors as `game account exception`, and whether there
    /// are more.
    async fn errors(&self, about: &str, games: u64) -> (Vec<String>, bool) {
        for _ in 0..30_000 {
            let (status, told) = self.get(&format!("/api/v1/rulebooks/treasure/errors{about}")).await;
            assert_eq!(status, 200, "{told}");
            // The log contains the end of a game a moment after the clients are told.
            if told["games"] != json!(games) {
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            }
            let word = |error: &Value, key: &str| error[key].as_str().expect("a text").to_owned();
            let errors = told["errors"].as_array().expect("a list").iter();
            let lines = errors.map(|error| {
                assert!(error["at"].as_i64() > Some(1_600_000_000_000) && error["message"] != json!(""), "{error}");
                format!("{} {} {}", word(error, "game"), word(error, "account"), word(error, "exception"))
            });
            return (lines.collect(), told["more"].as_bool().expect("yes or no"));
        }
        panic!("never {games} games");
    }
}

#[tokio::test]
async fn pages_run_nothing_that_is_not_theirs() {
    let served = Served::new().await;
    let pages = Pages::of(&served.host).await;
    let files = Treasure::web().iter().map(|(file, _)| format!("/web/treasure/{file}"));
    for path in files.chain(["/treasure".to_owned(), "/web/draw/bind.js".to_owned()]) {
        let head = pages.head(&path).await;
        assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self';"), "{path}: {head}");
        assert!(head.contains("x-content-type-options: nosniff"), "{path}: {head}");
    }
}

/// The player who has to wait acts out of turn.
async fn out_of_turn(served: &Served) -> (String, String) {
    let (_, second) = served.two("?enableDebugMode=true").await;
    let answer = second.half(served, &HALF).await;
    assert!(answer.starts_with("NotYourTurn: "), "{answer}");
    (second.game.clone(), second.id)
}

#[tokio::test]
async fn errors_of_games_that_are_over() {
    let scratch = Scratch::new();
    for log in [Arc::new(MemoryLog::new()) as Arc<dyn EventLog>, scratch.log()] {
        let served = Served::on(log, false).await;
        let pages = Pages::of(&served.host).await;
        assert_eq!(pages.errors("", 0).await, (vec![], false));

        let (first, second) = served.map("?enableDebugMode=true").await;
        let game = first.game.clone();
        // Grass is to the right of the fort, and then water.
        for _ in 0..2 {
            assert_eq!(first.go(&served, Direction::Right).await, "");
            assert_eq!(second.go(&served, Direction::Right).await, "");
        }
        let garbled =
            format!("<playerMove><uniquePlayerID>{}</uniquePlayerID><move>Nowhere</move></playerMove>", second.id);
        let reply = served.ask("POST", &format!("/games/{game}/moves"), &garbled).await;
        assert!(reply.outcome().starts_with("Unreadable: "), "{}", reply.body);
        assert_eq!(pages.errors("", 0).await, (vec![], false), "errors of running games are secret");
        assert_eq!(pages.errors("?account=ana", 0).await, (vec![], false));

        let answer = first.go(&served, Direction::Right).await;
        assert!(answer.starts_with("IntoWater: "), "{answer}");
        let (all, more) = pages.errors("", 1).await;
        assert!(!more);
        let account = |line: &str| line.split(' ').nth(1).expect("an account").to_owned();
        let (loser, other) = (account(&all[0]), account(&all[1]));
        assert_eq!(
            all,
            [format!("{game} {loser} IntoWater"), format!("{game} {other} Unreadable")],
            "the newest first"
        );
        assert_ne!(loser, other);
        assert_eq!(pages.errors(&format!("?account={loser}"), 1).await.0, all[..1]);
        assert_eq!(pages.errors(&format!("?account={other}"), 1).await.0, all[1..]);
        assert_eq!(pages.errors("?account=an", 0).await.0, Vec::<String>::new(), "an account is given whole");

        let (_, told) = pages.get(&format!("/api/v1/rulebooks/treasure/errors?account={loser}")).await;
        let error = &told["errors"][0];
        assert_eq!(answer, format!("IntoWater: {}", error["message"].as_str().expect("words")), "as it was told");
        assert_eq!((&error["lost"], &error["name"]), (&json!(true), &json!(format!("Ana {}", loser.to_uppercase()))));

        let (later, _) = out_of_turn(&served).await;
        let (all, _) = pages.errors("", 2).await;
        assert!(
            all[0].starts_with(&format!("{later} ")) && all[0].ends_with(" NotYourTurn"),
            "the newest first: {all:?}"
        );
        assert_eq!(all.len(), 3);
        served.stop().await;
    }
}

#[tokio::test]
async fn an_answer_has_its_limits() {
    let served = Served::new().await;
    let pages = Pages::of(&served.host).await;
    let mut last = String::new();
    for _ in 0..101 {
        last = out_of_turn(&served).await.0;
    }
    let (errors, more) = pages.errors("", 100).await;
    assert_eq!((errors.len(), more), (100, true));
    assert!(errors[0].starts_with(&last), "{} is not of {last}", errors[0]);
    let both = [pages.errors("?account=ana", 100).await, pages.errors("?account=bo", 100).await];
    assert!(both.iter().all(|(_, more)| *more) && both.iter().map(|(errors, _)| errors.len()).sum::<usize>() == 100);
    assert_eq!(pages.errors("?account=nobody", 0).await, (vec![], false));
}

#[tokio::test]
async fn questions_and_ports() {
    let served = Served::new().await;
    let pages = Pages::of(&served.host).await;
    let (_, told) = pages.get("/api/v1/scenarios").await;
    assert_eq!(told["ports"], json!({"treasure": served.address.to_string()}));
    assert_eq!(told["pages"]["treasure"], json!("/treasure"));
    for (path, status) in [
        ("treasure/errors?name=ana", 400),
        ("treasure/errors?ana", 400),
        ("treasure/errors?account=", 200),
        ("treasure/errors?account=%FF", 400),
        ("treasure/errors?account=a%26b%3Dc", 200),
        ("treasure/mistakes", 404),
        ("crazyhouse/errors", 404),
        ("nothing/errors", 404),
    ] {
        assert_eq!(pages.get(&format!("/api/v1/rulebooks/{path}")).await.0, status, "{path}");
    }
}
