//! Timers change a game without any message.

use std::sync::Arc;

use commlib::Form;
use server::log::{FaultyLog, MemoryLog};

use crate::{
    clock::Clock,
    counter::Command,
    support::{Served, create_with_timeout, resume},
};

#[tokio::test]
async fn timers_are_due_when_nobody_sends_anything() {
    let clock = Clock::stop();
    let served = Served::new().await;
    let mut ana = served.enter(Form::Binary, create_with_timeout("10", 150)).await.expect("a game");
    ana.send(Command::Join { name: "Ana".into() }).await;
    ana.send(Command::Wait { timer: 1, after: 300 }).await;
    ana.send(Command::Wait { timer: 2, after: 1 }).await;
    assert_eq!(ana.next().await, "1 Greeted");
    assert_eq!(ana.next().await, "2 Joined Ana");
    // Both timers are set.
    assert_eq!(ana.hears().await, "");
    assert_eq!(clock.until(ana.next()).await, "3 Rang 2");
    assert_eq!(clock.until(ana.next()).await, "4 Rang 0");
    assert_eq!(clock.until(ana.next()).await, "5 Rang 1");
    clock.until(ana.hears_nothing()).await;
}

#[tokio::test]
async fn a_timer_that_is_set_again_starts_anew() {
    let clock = Clock::stop();
    let served = Served::new().await;
    let mut ana = served.creator("10").await;
    ana.send(Command::Wait { timer: 1, after: 3 }).await;
    ana.send(Command::Wait { timer: 1, after: 60_000 }).await;
    assert_eq!(ana.hears().await, "");
    clock.until(ana.hears_nothing()).await;
}

#[tokio::test]
async fn a_lost_connection_is_no_input_and_stops_no_timer() {
    let served = Served::new().await;
    let mut ana = served.creator("10").await;
    let (game, token) = (ana.game().to_owned(), ana.token());
    ana.send(Command::Wait { timer: 1, after: 30 }).await;
    ana.hears().await;
    drop(ana);
    let mut again = served.enter(Form::Json, resume(&game, token, 2)).await.expect("the place");
    assert_eq!(again.next().await, "3 Rang 1");
}

/// The game is over in memory while its last entry is not yet durable.
#[tokio::test]
async fn no_timer_is_due_after_the_end() {
    let clock = Clock::stop();
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let mut ana = served.creator("1").await;
    ana.send(Command::Wait { timer: 1, after: 40 }).await;
    ana.hears().await;
    log.hold();
    let writes = log.writes();
    ana.add(1).await;
    while log.writes() == writes {
        tokio::task::yield_now().await;
    }
    clock.until(ana.hears_nothing()).await;
    log.release();
    assert_eq!(ana.rest().await, "3 Counted 1; 4 Done; closing GameOver");
}
