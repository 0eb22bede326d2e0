//! Nothing is sent before it is durable, and games end if the store fails.

use std::{sync::Arc, time::Duration};

use commlib::{ClientError, Form, Reason};
use server::log::{FaultyLog, MemoryLog};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::support::{Rejection, Served, create, greet, join, next, resume, watch};

#[tokio::test]
async fn nothing_is_told_before_it_is_durable() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let mut ana = served.creator("100").await;
    let mut eve = served.enter(Form::Json, watch(ana.game(), 1)).await.expect("a place to watch");
    log.hold();
    for _ in 0..3 {
        ana.add(1).await;
    }
    ana.add(0).await;
    ana.ping().await;
    ana.hears_nothing().await;
    eve.hears_nothing().await;

    let mut again = served.enter(Form::Json, resume(ana.game(), ana.token(), 2)).await.expect("the place");
    again.hears_nothing().await;
    assert_eq!(ana.rest().await, "closing Replaced", "and the pong with it");

    assert!(log.release_one(), "the first entry");
    again.hears_nothing().await;
    log.release();
    assert_eq!(again.hears().await, "3 Counted 1; 4 Counted 2; 5 Counted 3; 6 Nothing (Zero is nothing.)");
    assert_eq!(eve.hears().await, "2 Moved 1; 3 Counted 1; 4 Moved 1; 5 Counted 2; 6 Moved 1; 7 Counted 3");
}

/// Reads the socket itself: not even the first byte of a message arrives early.
#[tokio::test]
async fn no_byte_leaves_before_it_is_durable() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let mut socket = TcpStream::connect(served.address).await.expect("a connection");
    let hello = r#"{"hello":{"protocol":1,"want":{"create":{"scenario":"100"}}}}"#;
    socket.write_all(format!("{hello}\n").as_bytes()).await.expect("sent");
    let mut bytes = vec![0; 64 * 1024];
    let welcome = socket.read(&mut bytes).await.expect("a welcome");
    assert!(bytes[..welcome].starts_with(br#"{"welcome""#) && bytes[..welcome].ends_with(b"\n"));

    log.hold();
    let commands =
        "{\"command\":{\"Join\":{\"name\":\"Ana\"}}}\n{\"command\":{\"Add\":{\"amount\":1}}}\n{\"ping\":1}\n";
    socket.write_all(commands.as_bytes()).await.expect("sent");
    let early = timeout(Duration::from_millis(300), socket.read(&mut bytes)).await;
    assert!(early.is_err(), "bytes came: {early:?}");
    log.release();
    let mut came = String::new();
    while !came.contains("pong") {
        let count = socket.read(&mut bytes).await.expect("what was held back");
        came += std::str::from_utf8(&bytes[..count]).expect("text");
    }
    assert!(came.contains("Joined") && came.contains("Counted"), "{came}");
}

#[tokio::test]
async fn a_token_is_stored_before_it_is_told() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let ana = served.creator("100").await;
    log.hold();
    for hello in [join(ana.game()), create("1")] {
        let mut bo = served.connect(Form::Json).await;
        let early = timeout(Duration::from_millis(80), bo.hello(hello)).await;
        assert!(early.is_err(), "an answer before it is stored: {early:?}");
        log.release();
        assert_eq!(next(&mut bo).await, "welcome 1");
        log.hold();
    }
}

#[tokio::test]
async fn a_game_that_cannot_be_stored_stops_alone() {
    let store = Arc::new(MemoryLog::new());
    let log = FaultyLog::new(store.clone());
    let served = Served::on(Arc::new(log.clone())).await;
    let mut ana = served.creator("100").await;
    let mut other = served.creator("100").await;
    let mut eve = served.enter(Form::Json, watch(ana.game(), 1)).await.expect("a place to watch");
    ana.add(1).await;
    assert_eq!(ana.hears().await, "3 Counted 1");
    log.fail_at(log.writes() + 1);
    ana.add(5).await;
    assert_eq!(ana.rest().await, "closing StoreFailed");
    assert_eq!(eve.rest().await, "2 Moved 1; 3 Counted 1; closing StoreFailed");
    other.add(1).await;
    assert_eq!(other.hears().await, "3 Counted 1");
    served.stop().await;
}

/// The store has exactly the events that players were told: a new host continues from there.
#[tokio::test]
async fn what_was_not_stored_has_not_happened() {
    let store = Arc::new(MemoryLog::new());
    let log = FaultyLog::new(store.clone());
    let served = Served::on(Arc::new(log.clone())).await;
    let mut ana = served.creator("100").await;
    ana.add(1).await;
    assert_eq!(ana.hears().await, "3 Counted 1");
    log.hold();
    ana.add(5).await;
    ana.hears_nothing().await;
    log.crash();

    let next = Served::on(store).await;
    let mut again = next.enter(Form::Json, resume(ana.game(), ana.token(), 3)).await.expect("the place");
    assert_eq!(again.hears().await, "");
    again.add(1).await;
    assert_eq!(again.hears().await, "4 Counted 2");
}

/// The last entry is stored, but the end of the game is not.
#[tokio::test]
async fn an_end_that_was_not_stored_is_found_again() {
    let store = Arc::new(MemoryLog::new());
    let log = FaultyLog::new(store.clone());
    let served = Served::on(Arc::new(log.clone())).await;
    let mut ana = served.creator("1").await;
    log.hold();
    ana.add(1).await;
    ana.hears_nothing().await;
    assert!(log.release_one(), "the last entry");
    log.crash();

    let next = Served::on(store).await;
    let mut again = loop {
        match next.enter(Form::Json, resume(ana.game(), ana.token(), 2)).await {
            Ok(again) => break again,
            Err(answer) => assert_eq!(answer, Rejection::Refused(Reason::GameOver), "the room is ending"),
        }
    };
    assert_eq!(again.rest().await, "3 Counted 1; 4 Done; closing GameOver");
}

#[tokio::test]
async fn a_client_that_cannot_be_stored_is_refused() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let mut ana = served.creator("100").await;
    log.fail_at(log.writes() + 1);
    let mut bo = served.connect(Form::Json).await;
    assert_eq!(greet(&mut bo, join(ana.game())).await, Err(Rejection::Refused(Reason::StoreFailed)));
    assert_eq!(ana.rest().await, "closing StoreFailed");
    log.fail_at(log.writes() + 1);
    let answer = bo.hello(create("10")).await;
    assert!(matches!(answer, Err(ClientError::Refused(_))), "a game that is not stored: {answer:?}");
    greet(&mut bo, create("10")).await.expect("the next one is");
}
