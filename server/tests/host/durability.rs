//! Nothing is sent before it is durable, and games end if the store fails.

use std::{sync::Arc, time::Duration};

use commlib::{Form, Hello, Reason, Want};
use server::log::{FaultyLog, MemoryLog};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, timeout},
};

use crate::{
    clock::Clock,
    counter::Command,
    support::{Rejection, Served, create, create_with_timeout, greet, join, next, resume, watch},
};

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

    // The next client opens the game again, from what is stored.
    let mut again = served.enter(Form::Json, resume(ana.game(), ana.token(), 3)).await.expect("the place");
    again.add(2).await;
    assert_eq!(again.hears().await, "4 Counted 3");
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
    assert_eq!(greet(&mut bo, create("10")).await, Err(Rejection::Closing(Reason::StoreUnavailable)));
    served.creator("10").await;
}

/// Opening a game again costs a recovery and starts its bots again, so a game that the store never takes is given up.
#[tokio::test]
async fn a_game_that_is_refused_again_and_again_is_given_up() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let mut ana = served.creator("100").await;
    let (game, token) = (ana.game().to_owned(), ana.token());
    let refuse = |log: &FaultyLog| log.fail_at(log.writes() + 1);
    for _ in 0..4 {
        refuse(&log);
        ana.add(1).await;
        assert_eq!(ana.rest().await, "closing StoreFailed");
        match served.enter(Form::Json, resume(&game, token, 2)).await {
            Ok(again) => ana = again,
            Err(answer) => {
                assert_eq!(answer, Rejection::Refused(Reason::StoreFailed));
                break;
            }
        }
    }
    let given_up = served.enter(Form::Json, resume(&game, token, 2)).await;
    assert_eq!(given_up.err(), Some(Rejection::Refused(Reason::StoreFailed)));
    served.stop().await;
}

/// Refusals of different entries are different faults: the game goes on after each of them.
#[tokio::test]
async fn a_game_that_goes_on_between_refusals_is_opened_again() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let mut ana = served.creator("100").await;
    let (game, token) = (ana.game().to_owned(), ana.token());
    for seen in 2..10 {
        log.fail_at(log.writes() + 1);
        ana.add(1).await;
        assert_eq!(ana.rest().await, "closing StoreFailed");
        ana = served.enter(Form::Json, resume(&game, token, seen)).await.expect("the place");
        ana.add(1).await;
        assert_eq!(ana.hears().await, format!("{} Counted {}", seen + 1, seen - 1));
    }
    served.stop().await;
}

/// The store is silent. The game waits, its clock stands, and after a while its clients are turned away. Everything goes on when
/// the store is back.
#[tokio::test]
async fn a_silent_store_is_a_pause() {
    let clock = Clock::stop();
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let mut ana = served.creator("100").await;
    let old = Hello { protocol: 2, ..join(ana.game()) };
    let mut bo = served.enter(Form::Json, old).await.expect("a place");
    let mut eve = served.enter(Form::Json, watch(ana.game(), 0)).await.expect("a place to watch");
    ana.send(Command::Wait { timer: 1, after: 1_000 }).await;
    assert_eq!(ana.hears().await, "");
    assert_eq!((bo.hears().await, eve.hears().await), (String::new(), "1 Joined Ana".into()));

    log.hold();
    let writes = log.writes();
    ana.add(1).await;
    while log.writes() == writes {
        tokio::task::yield_now().await;
    }
    for _ in 0..59 {
        clock.pass(Duration::from_secs(1)).await;
    }
    clock.until(ana.hears_nothing()).await;
    log.release();
    assert_eq!(ana.next().await, "3 Counted 1");
    clock.pass(Duration::from_millis(600)).await;
    clock.until(ana.hears_nothing()).await;
    assert_eq!(clock.until(ana.next()).await, "4 Rang 1", "the timer has missed the silence");

    log.hold();
    let writes = log.writes();
    ana.add(2).await;
    while log.writes() == writes {
        tokio::task::yield_now().await;
    }
    assert_eq!(clock.until(ana.rest()).await, "closing StoreUnavailable");
    assert_eq!(bo.rest().await, "closing ShuttingDown", "what an older client understands");
    assert!(eve.rest().await.ends_with("closing StoreUnavailable"));
    for hello in [join(ana.game()), resume(ana.game(), ana.token(), 4), watch(ana.game(), 0)] {
        let refused = served.enter(Form::Json, hello).await.err();
        assert_eq!(refused, Some(Rejection::Closing(Reason::StoreUnavailable)));
    }

    log.release();
    let mut again = served.enter(Form::Json, resume(ana.game(), ana.token(), 4)).await.expect("the place");
    assert_eq!(again.hears().await, "5 Counted 3", "nothing is lost");
    served.stop().await;
}

/// A client joins while the store is silent: the room waits with it.
#[tokio::test]
async fn a_join_during_a_silence_stops_no_clock_for_others() {
    let clock = Clock::stop();
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let mut ana = served.creator("100").await;
    ana.send(Command::Wait { timer: 1, after: 1_000 }).await;
    assert_eq!(ana.hears().await, "");
    log.hold();
    let mut bo = served.connect(Form::Json).await;
    assert!(clock.until(timeout(Duration::from_secs(30), bo.hello(join(ana.game())))).await.is_err(), "not stored");
    log.release();
    assert_eq!(next(&mut bo).await, "welcome 1");
    clock.until(ana.hears_nothing()).await;
    assert_eq!(clock.until(ana.next()).await, "3 Rang 1");
}

/// A game is created while the store is silent, and its creator gives up. No time of the game passes before it is stored.
#[tokio::test]
async fn a_game_that_waits_to_be_stored_misses_no_time() {
    let clock = Clock::stop();
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let Want::Create(create) = create_with_timeout("100", 1_000).want else { panic!("to create") };
    log.hold();
    let game = served.host.create(&create, None).await.expect("a room");
    clock.until(tokio::time::sleep(Duration::from_secs(30))).await;
    log.release();
    let mut eve = served.enter(Form::Json, watch(&game, 0)).await.expect("a place to watch");
    let since = Instant::now();
    assert_eq!(clock.until(eve.next()).await, "1 Rang 0");
    assert!(since.elapsed() >= Duration::from_millis(700), "the timer has missed the silence");
}

/// A host that stops waits only a few seconds for a silent store.
#[tokio::test]
async fn a_host_stops_while_its_store_is_silent() {
    let clock = Clock::stop();
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let mut ana = served.creator("100").await;
    log.hold();
    let writes = log.writes();
    ana.add(1).await;
    while log.writes() == writes {
        tokio::task::yield_now().await;
    }
    clock.until(served.stop()).await;
    assert_eq!(ana.rest().await, "closing ShuttingDown");
}
