//! A client is told what it can do, behind the events that this depends on.

use std::{sync::Arc, time::Duration};

use commlib::{Form, Hello};
use server::{
    Limits,
    log::{FaultyLog, MemoryLog},
};

use crate::{
    counter::Command,
    support::{Served, create, join, watch, with_board},
};

/// The offers to Ana in a game that has counted so far.
fn offers(number: u64, after: u64, count: u32) -> String {
    offers_to(r#""Ana""#, r#"["Ana"]"#, number, after, count)
}

/// The offers to a client, with the table around them. `you` and `players` are JSON.
fn offers_to(you: &str, players: &str, number: u64, after: u64, count: u32) -> String {
    let add = r#"{"label":"Add","command":{"Add":{"amount":1}},"arguments":[{"field":"amount","label":"How much","range":{"least":1,"most":9}}],"uncertain":true}"#;
    let round = count / 10;
    let picture = format!(r#"{{"count":{count},"players":{players}}}"#);
    // Only Ana has a seat in these tests, the first one.
    let seat = if you == "null" { "" } else { r#""seat":0,"# };
    let table = format!(r#"{{"you":{you},{seat}"players":{players},"turn":null,"round":{round},"picture":{picture}}}"#);
    format!(r#"offers {number} after {after}: {{"title":"The count is {count}.","offers":[{add}],"table":{table}}}"#)
}

#[tokio::test]
async fn offers_come_behind_the_events_that_they_depend_on() {
    for form in [Form::Binary, Form::Json] {
        let served = Served::new().await;
        let mut ana = served.enter(form, create("100")).await.expect("a game");
        ana.ask_offers(7).await;
        assert_eq!(ana.next().await, offers_to("null", "[]", 7, 0, 0), "before the first event");
        ana.send(Command::Join { name: "Ana".into() }).await;
        ana.add(2).await;
        ana.ask_offers(u64::MAX).await;
        ana.add(3).await;
        ana.ask_offers(0).await;
        let heard = ana.hears().await;
        let expected = [
            "1 Greeted".into(),
            "2 Joined Ana".into(),
            "3 Counted 2".into(),
            offers(u64::MAX, 3, 2),
            "4 Counted 5".into(),
            offers(0, 4, 5),
        ];
        assert_eq!(heard, expected.join("; "), "{form:?}");

        // Each client has its own numbers, and only the client that asked is answered.
        let mut bo = served.enter(form, with_board(join(ana.game()))).await.expect("a place");
        bo.ask_offers(1).await;
        assert!(
            bo.hears().await.ends_with(&offers_to("null", r#"["Ana"]"#, 1, 5, 5)),
            "a client with the board has more events"
        );
        assert_eq!(ana.hears().await, "");
    }
}

#[tokio::test]
async fn only_clients_of_protocol_3_have_offers() {
    let served = Served::new().await;
    let mut ana = served.creator("100").await;
    let mut eve = served.enter(Form::Json, watch(ana.game(), 1)).await.expect("a place to watch");
    eve.ask_offers(1).await;
    assert_eq!(eve.hears().await, "refused BadMessage");
    let mut old = served.enter(Form::Json, Hello { protocol: 2, ..join(ana.game()) }).await.expect("a place");
    old.ask_offers(1).await;
    assert_eq!(old.rest().await, "closing BadMessage");
    ana.add(1).await;
    assert_eq!(ana.hears().await, "3 Counted 1", "no other client is affected");
}

#[tokio::test]
async fn offers_that_fail_or_are_too_large_harm_no_game() {
    let served = Served::new().await;
    let mut ana = served.creator("100").await;
    ana.add(13).await;
    ana.ask_offers(1).await;
    ana.add(1).await;
    ana.ask_offers(2).await;
    ana.add(1).await;
    ana.ask_offers(3).await;
    let expected =
        ["3 Counted 13", "refused Internal", "4 Counted 14", "refused TooLarge", "5 Counted 15", &offers(3, 5, 15)];
    assert_eq!(ana.hears().await, expected.join("; "));
}

/// A request for offers costs as much of the rate limit as ten other messages.
#[tokio::test]
async fn offers_are_slowed_down_sooner() {
    let served = Served::with(Limits { messages_per_second: 20, ..Limits::default() }).await;
    let mut ana = served.creator("100").await;
    tokio::time::pause();
    let since = tokio::time::Instant::now();
    for number in 0..10 {
        ana.ask_offers(number).await;
        assert_eq!(ana.next().await, offers(number, 2, 0));
    }
    let took = since.elapsed();
    assert!((Duration::from_secs(4)..Duration::from_secs(6)).contains(&took), "100 messages at 20 a second: {took:?}");
}

/// Offers tell the state of the game, so they wait for the log as events do.
#[tokio::test]
async fn offers_wait_until_their_entry_is_durable() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let mut ana = served.creator("100").await;
    log.hold();
    ana.add(4).await;
    ana.ask_offers(1).await;
    ana.hears_nothing().await;
    log.release();
    assert_eq!(ana.hears().await, ["3 Counted 4", &offers(1, 3, 4)].join("; "));
}
