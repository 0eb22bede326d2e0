//! The limits: 99 games that run or wait, ten minutes per game, and the polling rule.

use std::{pin::pin, time::Duration};

use tokio::time::Instant;
use treasure::documents::y2022::answer::Answer;

use crate::{
    clock::Clock,
    gone::until,
    support::{HALF, Served},
};

#[tokio::test]
async fn the_oldest_of_a_hundred_games_goes() {
    let served = Served::new().await;
    let first = served.create("").await;
    let ana = served.register(&first, "ana").await;
    let second = served.create("").await;
    for _ in 2..99 {
        served.create("").await;
    }
    assert_eq!(ana.standing(&served).await, "MustWait", "99 are not too many");
    served.create("").await;
    let gone = served.ask("GET", &format!("/games/{first}/states/{}", ana.id), "").await.outcome();
    assert!(gone.starts_with("UnknownGame: "), "{gone}");
    served.register(&second, "bo").await;
    // The removed game is over.
    until("one is over", || served.host.list().len() == 99).await;
    assert!(served.host.list().iter().all(|game| game.game != first));
}

/// A client that registers while its game is removed is told so.
#[tokio::test(flavor = "multi_thread")]
async fn registering_in_a_game_that_goes() {
    let served = Served::new().await;
    let mut games = Vec::new();
    for _ in 0..99 {
        games.push(served.create("").await);
    }
    for (round, game) in games.iter().enumerate() {
        let account = format!("ana{round}");
        let (_created, told) = tokio::join!(served.create(""), served.try_register(game, &account));
        match told.answer() {
            Answer::Player(_) => {}
            Answer::Error { name, .. } => {
                assert!(["UnknownGame", "GameOver"].contains(&&*name), "{round}: {}", told.body)
            }
            Answer::Okay | Answer::State(_) => panic!("{round}: {}", told.body),
        }
    }
}

/// Only games that run or wait count. Finished ones stay readable, and remove no running one.
#[tokio::test]
async fn finished_games_do_not_count() {
    let served = Served::new().await;
    let waits = served.create("").await;
    let ana = served.register(&waits, "ana").await;
    let (runs, _) = served.two("").await;
    let mut losers = Vec::new();
    for _ in 0..99 {
        let (loser, _) = served.two("").await;
        let lost = loser.half(&served, &["GGGGG"]).await;
        assert!(lost.starts_with("WrongNumberOfFields: "), "{lost}");
        losers.push(loser);
    }
    assert_eq!(ana.standing(&served).await, "MustWait");
    assert!(runs.must_act(&served).await);
    for loser in &losers {
        assert_eq!(loser.standing(&served).await, "Lost", "a finished game stays readable");
    }

    // Two games run or wait, and 97 more are not too many. The next one removes the oldest that runs or waits.
    for _ in 2..99 {
        served.create("").await;
    }
    assert_eq!(ana.standing(&served).await, "MustWait");
    served.create("").await;
    let gone = served.ask("GET", &format!("/games/{waits}/states/{}", ana.id), "").await.outcome();
    assert!(gone.starts_with("UnknownGame: "), "{gone}");
    assert!(runs.must_act(&served).await);
    assert_eq!(losers[0].standing(&served).await, "Lost");
}

#[tokio::test]
async fn a_status_request_that_comes_too_soon_waits() {
    // While the clock is stopped, no timer fires by itself.
    let clock = Clock::stop();
    let served = Served::strict().await;
    let mut held = false;
    for _ in 0..100 {
        let game = served.create("").await;
        let (ana, bo) = (served.register(&game, "ana").await, served.register(&game, "bo").await);
        ana.state(&served).await;
        let since = Instant::now();
        let mut again = pin!(ana.state(&served));
        tokio::select! {
            // On a slow machine, the request may not be too soon.
            _ = &mut again => continue,
            _ = bo.state(&served) => {}
        }
        assert_eq!(since.elapsed(), Duration::ZERO, "no other player waits");
        clock.until(again).await;
        held = since.elapsed() >= Duration::from_secs(1);
        if held {
            // The polling rule uses real time, not the clock of the runtime.
            std::thread::sleep(Duration::from_millis(420));
            let later = Instant::now();
            bo.state(&served).await;
            assert_eq!(later.elapsed(), Duration::ZERO, "a request that is not too soon does not wait");
            break;
        }
    }
    assert!(held, "a request that is too soon waits");
}

#[tokio::test]
async fn who_thinks_too_long_has_lost() {
    let clock = Clock::stop();
    let served = Served::new().await;
    let (first, second) = served.two("").await;
    let (debug, _) = served.two("?enableDebugMode=true").await;
    assert_eq!(first.half(&served, &HALF).await, "");
    clock.pass(Duration::from_millis(4900)).await;
    assert!(second.must_act(&served).await);
    clock.pass(Duration::from_millis(200)).await;
    while second.must_act(&served).await {}
    assert_eq!((first.standing(&served).await, second.standing(&served).await), ("Won".into(), "Lost".into()));
    assert!(debug.must_act(&served).await, "not in a debug game");
}

#[tokio::test]
async fn asking_for_a_head_makes_no_game() {
    let served = Served::new().await;
    assert_eq!(served.ask("HEAD", "/games", "").await.status, 405);
    assert!(served.host.list().is_empty());
}
