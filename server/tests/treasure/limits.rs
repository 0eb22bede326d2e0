//! 99 games, ten minutes, and the polling rule.

use std::time::{Duration, Instant};

use crate::support::{HALF, Served};

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
    // It is in the log, and over.
    for _ in 0..100 {
        if served.host.list().len() <= 99 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(served.host.list().len(), 99);
    assert!(served.host.list().iter().all(|game| game.game != first));
}

#[tokio::test]
async fn a_status_request_that_comes_too_soon_waits() {
    let served = Served::strict().await;
    let game = served.create("").await;
    let (ana, bo) = (served.register(&game, "ana").await, served.register(&game, "bo").await);
    let timed = async |player: &crate::support::Player| {
        let since = Instant::now();
        player.state(&served).await;
        since.elapsed()
    };
    assert!(timed(&ana).await < Duration::from_millis(300));
    let (late, other) = tokio::join!(timed(&ana), timed(&bo));
    assert!(late >= Duration::from_secs(1) && late < Duration::from_secs(2), "{late:?}");
    assert!(other < Duration::from_millis(300), "nobody else waits: {other:?}");
    tokio::time::sleep(Duration::from_millis(420)).await;
    assert!(timed(&bo).await < Duration::from_millis(300));
}

#[tokio::test]
async fn who_thinks_too_long_has_lost() {
    let served = Served::new().await;
    let (first, second) = served.two("").await;
    let (debug, _) = served.two("?enableDebugMode=true").await;
    assert_eq!(first.half(&served, &HALF).await, "");
    tokio::time::sleep(Duration::from_millis(4500)).await;
    assert!(second.must_act(&served).await);
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert_eq!((first.standing(&served).await, second.standing(&served).await), ("Won".into(), "Lost".into()));
    assert!(debug.must_act(&served).await, "not in a debug game");
}

#[tokio::test]
async fn asking_for_a_head_makes_no_game() {
    let served = Served::new().await;
    assert_eq!(served.ask("HEAD", "/games", "").await.status, 405);
    assert!(served.host.list().is_empty());
}
