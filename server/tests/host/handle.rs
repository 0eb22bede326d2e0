//! Gateways with another protocol play through a handle.

use std::{sync::Arc, time::Duration};

use commlib::{Create, Reason};
use engine::{CommId, Emission, Rulebook};
use server::{
    Committed, Durable, GameHandle,
    log::{FaultyLog, MemoryLog},
};

use crate::{
    counter::{Command, Counter},
    support::{Scratch, Served},
};

async fn open(served: &Served, goal: &str) -> (String, GameHandle<Counter>) {
    let create = Create { rulebook: None, scenario: goal.into(), edition: None, seed: None, timeout: None };
    let game = served.host.create(&create, None).await.expect("a game");
    let handle = served.host.handle(&game).expect("its handle");
    (game, handle)
}

fn said(entry: &Committed<Counter>) -> String {
    let events = entry.emissions.iter().filter_map(|emission| match emission {
        Emission::Event { event, .. } => Some(format!("{event:?}")),
        Emission::Seated { .. } | Emission::Unseated { .. } => None,
    });
    format!("{}: {}", entry.sequence, events.collect::<Vec<_>>().join(", "))
}

fn told(durable: &Durable<Counter>) -> String {
    said(&Committed { sequence: durable.sequence, emissions: durable.emissions.clone() })
}

#[tokio::test]
async fn a_command_is_answered_with_its_durable_entry() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let (_, handle) = open(&served, "10").await;
    handle.stored().await.expect("stored");
    let ana = handle.join().await.expect("a client");
    assert_eq!(ana, CommId(1));
    assert_eq!(handle.join().await.expect("another"), CommId(2));
    log.hold();
    let adding = tokio::spawn({
        let handle = handle.clone();
        async move { handle.submit(ana, Command::Add { amount: 3 }).await }
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!adding.is_finished(), "no answer before the entry is durable");
    assert_eq!(handle.look(|last| last.sequence), 0, "and the handle does not show it");
    log.release();
    let added = adding.await.expect("no panic").expect("an entry");
    assert_eq!(said(&added), "1: Moved { client: 1 }, Counted { count: 3 }");
    assert_eq!(handle.look(|last| last.sequence), 1);
}

#[tokio::test]
async fn whoever_follows_hears_everything_in_order() {
    let served = Served::new().await;
    let (_, handle) = open(&served, "10").await;
    let ana = handle.join().await.expect("a client");
    handle.submit(ana, Command::Join { name: "Ana".into() }).await.expect("an entry");
    let mut followed = handle.follow(|durable| (told(durable), durable.game.board())).await.expect("the game");
    handle.submit(ana, Command::Wait { timer: 3, after: 1 }).await.expect("an entry");
    let (mut heard, mut boards) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let (said, board) = followed.recv().await.expect("the next");
        heard.push(said);
        boards.push(board);
    }
    assert_eq!(heard, ["1: Greeted, Joined { name: \"Ana\" }", "2: ", "3: Rang { timer: 3 }"]);
    let last = boards.pop();
    let waited = handle.until(|game| (Some(game.board()) == last).then(|| game.clone())).await.expect("what is there");
    assert!(waited == handle.snapshot());
}

#[tokio::test]
async fn a_game_that_is_over_is_still_seen() {
    let scratch = Scratch::new();
    let served = Served::on(scratch.log()).await;
    let (game, handle) = open(&served, "2").await;
    let (later, _) = open(&served, "5").await;
    let ana = handle.join().await.expect("a client");
    let last = handle.submit(ana, Command::Add { amount: 2 }).await.expect("an entry");
    assert_eq!(said(&last), "1: Moved { client: 1 }, Counted { count: 2 }, Done");
    let refused = handle.submit(ana, Command::Add { amount: 1 }).await.expect_err("it is over");
    assert_eq!((refused.reason, &*refused.message), (Reason::GameOver, "The game is over: counted."));
    assert!(handle.look(|last| last.game.outcome().is_some()));
    served.stop().await;

    let served = Served::on(scratch.log()).await;
    let names: Vec<String> = served.host.handles::<Counter>().into_iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(names, [later]);
    let past = served.host.past_handles::<Counter>(Duration::from_secs(60)).await.expect("the log");
    assert_eq!(past.iter().map(|(name, _)| &**name).collect::<Vec<_>>(), [&*game]);
    assert_eq!((past[0].1.look(|last| last.sequence), past[0].1.key()), (1, handle.key()));
    let refused = past[0].1.submit(ana, Command::Add { amount: 1 }).await.expect_err("it is over");
    assert_eq!(refused.reason, Reason::GameOver);
    assert!(served.host.past_handles::<Counter>(Duration::ZERO).await.expect("the log").is_empty());
}

/// A request that arrives while the end is not yet durable is answered after the end.
#[tokio::test]
async fn a_command_after_the_end_waits_for_the_end() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let (_, handle) = open(&served, "2").await;
    let ana = handle.join().await.expect("a client");
    log.hold();
    let last = handle.submit(ana, Command::Add { amount: 2 });
    let late = handle.submit(ana, Command::Add { amount: 1 });
    let release = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        log.release();
    };
    let (last, late, ()) = tokio::join!(last, late, release);
    assert!(last.is_ok());
    assert_eq!(late.expect_err("it is over").reason, Reason::GameOver);
}
