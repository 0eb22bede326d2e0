//! Clients that disconnect before the answer, games that have no room any more, and a host that stops.

use std::{sync::Arc, time::Duration};

use commlib::Create;
use server::log::{FaultyLog, MemoryLog};
use testkit::Request;
use tokio::time::timeout;
use treasure::documents::{
    y2017::{
        answer::Answer,
        request::{NewMap, NewPlayer, Trouble, Update},
    },
    y2022::{
        answer::Answer as Answer2022,
        request::{HalfMap, Registration},
    },
};

use crate::{
    support::{HALF_2017, LONG, Served},
    y2017::{Old, ask},
};

/// A host with a log that the test can make fail or wait.
async fn faulty() -> (Arc<FaultyLog>, Served) {
    let log = Arc::new(FaultyLog::new(Arc::new(MemoryLog::new())));
    let served = Served::on(log.clone(), false).await;
    (log, served)
}

/// Waits until a condition is true.
pub(crate) async fn until(what: &str, is_so: impl Fn() -> bool) {
    let in_time = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    assert!(timeout(LONG, in_time).await.is_ok(), "never: {what}");
}

/// Sends a request while the log holds all writes back, and disconnects before the answer.
async fn ask_and_go(served: &Served, log: &FaultyLog, method: &str, path: &str, body: &str) {
    log.hold();
    let writes = log.writes();
    let stream = Request::new(method, path).body(body).open(served.address).await;
    until("the request is being done", || log.writes() > writes).await;
    drop(stream);
    tokio::time::sleep(Duration::from_millis(200)).await;
    log.release();
}

fn players(served: &Served) -> Vec<Vec<String>> {
    served.host.list().into_iter().map(|game| game.players).collect()
}

#[tokio::test]
async fn a_registration_is_done_to_its_end() {
    let (log, served) = faulty().await;
    let body = NewPlayer { first_name: "Ana".into(), last_name: "B".into(), number: "1".into() }.write();
    ask_and_go(&served, &log, "POST", "/NewPlayer", &body).await;
    until("a player is in the created game", || players(&served).iter().flatten().count() == 1).await;

    let game = served.create("?enableDummyCompetition=true").await;
    let body = Registration { first_name: "Ana".into(), last_name: "B".into(), account: "a".into() }.write();
    ask_and_go(&served, &log, "POST", &format!("/games/{game}/players"), &body).await;
    until("the dummy is called", || !served.dummies.lock().expect("no thread panicked").is_empty()).await;
}

fn game_of(year: u32) -> Create {
    let scenario = format!("{{\"year\":{year}}}");
    Create { rulebook: Some("treasure".into()), scenario, edition: None, seed: None, timeout: None }
}

#[tokio::test]
async fn an_empty_game_of_2017_is_used_or_goes() {
    let served = Served::new().await;
    let make = async || served.host.create(&game_of(2017), None).await.expect("a game");
    let there = |name: &str| served.host.list().iter().any(|game| game.game == name);
    let used = make().await;
    served.create("").await;
    Old::new(&served, "Ana").await;
    Old::new(&served, "Bo").await;
    let game = served.host.list().into_iter().find(|game| game.game == used).expect("the game");
    assert_eq!(game.players.len(), 2, "no other game is needed");

    let (first, second) = (make().await, make().await);
    served.create("").await;
    assert!(there(&first) && there(&second), "a player may be about to come");
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(121)).await;
    tokio::time::resume();
    served.create("").await;
    until("both are gone", || !there(&first) && !there(&second)).await;
    Old::new(&served, "Cyd").await;
}

#[tokio::test]
async fn games_of_pages_count_too() {
    let served = Served::new().await;
    for _ in 0..99 {
        served.host.create(&game_of(2022), None).await.expect("a game");
    }
    let newest = served.create("").await;
    until("the oldest is gone", || served.host.list().len() == 99).await;
    served.register(&newest, "ana").await;
    let (log, served) = faulty().await;
    for _ in 0..99 {
        served.create("").await;
    }
    ask_and_go(&served, &log, "GET", "/games", "").await;
    until("also for one whose maker is gone", || served.host.list().len() == 99).await;
}

#[tokio::test]
async fn a_game_that_cannot_be_stored_is_not_waited_for() {
    let (log, served) = faulty().await;
    let ana = Old::new(&served, "Ana").await;
    log.fail_at(log.writes() + 1);
    let half = NewMap { id: ana.0, half: HALF_2017.into() }.write();
    assert_eq!(served.ask("POST", "/MapCreation", &half).await.status, 503);
    let (bo, cyd) = (Old::new(&served, "Bo").await, Old::new(&served, "Cyd").await);
    let (one, other) = tokio::join!(bo.half(&served, HALF_2017), cyd.half(&served, HALF_2017));
    assert!(matches!((one, other), (Answer::NewMap { .. }, Answer::NewMap { .. })));
}

#[tokio::test]
async fn a_game_whose_room_has_ended_is_opened_again_by_the_next_request() {
    let (log, served) = faulty().await;
    let (first, _) = served.two("").await;
    log.fail_at(log.writes() + 1);
    let (path, body) =
        (format!("/games/{}/halfmaps", first.game), HalfMap { player: first.id.clone(), nodes: Vec::new() });
    assert_eq!(served.ask("POST", &path, &body.write()).await.status, 503);
    until("the room is gone", || served.host.list().is_empty()).await;
    assert!(first.must_act(&served).await, "its half is not stored");
    let refused = served.ask("POST", &path, &body.write()).await;
    assert!(matches!(refused.answer(), Answer2022::Error { .. }), "the rules refuse it: {}", refused.body);
}

#[tokio::test]
async fn a_game_of_2017_whose_room_has_ended_is_opened_again_by_the_next_request() {
    let (log, served) = faulty().await;
    let ana = Old::new(&served, "Ana").await;
    log.fail_at(log.writes() + 1);
    let half = NewMap { id: ana.0, half: HALF_2017.into() }.write();
    assert_eq!(served.ask("POST", "/MapCreation", &half).await.status, 503);
    until("the room is gone", || served.host.list().is_empty()).await;
    let after = async {
        until("the room is back", || served.host.list().len() == 1).await;
        Old::new(&served, "Bo").await.half(&served, HALF_2017).await
    };
    let (first, second) = tokio::join!(ana.half(&served, HALF_2017), after);
    assert!(matches!((first, second), (Answer::NewMap { .. }, Answer::NewMap { .. })));
    assert_eq!(served.host.list().len(), 1, "no other game is needed");
}

/// Sends a request, disconnects while the log holds its entry back, and sends it again before the entry is stored.
async fn ask_twice(served: &Served, log: &FaultyLog, path: &str, body: &str) -> Answer {
    log.hold();
    let writes = log.writes();
    let stream = Request::new("POST", path).body(body).open(served.address).await;
    until("the request is being done", || log.writes() > writes).await;
    drop(stream);
    tokio::time::sleep(Duration::from_millis(200)).await;
    let release = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        log.release();
    };
    let (answer, ()) = tokio::join!(ask(served, path, body), release);
    answer
}

#[tokio::test]
async fn a_command_of_2017_that_is_repeated_while_it_is_being_stored_counts_once() {
    let (log, served) = faulty().await;
    let (ana, bo) = (Old::new(&served, "Ana").await, Old::new(&served, "Bo").await);
    let half = NewMap { id: ana.0, half: HALF_2017.into() }.write();
    let after = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        bo.half(&served, HALF_2017).await
    };
    let (first, second) = tokio::join!(ask_twice(&served, &log, "/MapCreation", &half), after);
    let (Answer::NewMap { full }, Answer::NewMap { .. }) = (first, second) else { panic!("no map") };
    let at = full.as_bytes().chunks(2).position(|field| field == b"04").expect("the own fort") as i32;
    let (x, y) = (at % 8 + 1, at / 8 + 1);
    // The field to the left of the fort is grass.
    let update = Update { id: ana.0, x, y, wanted_x: x - 1, wanted_y: y, turns: 2 }.write();
    let Answer::Update(updated) = ask_twice(&served, &log, "/Updates", &update).await else { panic!("no answer") };
    assert!(!updated.loss);
}

#[tokio::test]
async fn a_held_half_is_not_won_when_the_host_stops() {
    let served = Served::new().await;
    let ana = Old::new(&served, "Ana").await;
    let half = NewMap { id: ana.0, half: HALF_2017.into() }.write();
    let stopping = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        served.host.stop().await.expect("the log closes");
    };
    let (held, ()) = tokio::join!(served.ask("POST", "/MapCreation", &half), stopping);
    assert_eq!((held.status, held.body.as_str()), (503, ""));
    assert_eq!(served.ask("POST", "/Problem", &Trouble { id: ana.0 }.write()).await.status, 503);
}
