//! Slow readers, floods, lost connections, and the end of a server.

use std::time::Duration;

use project::communication::{Ended, Limits, Options};
use project::documents::{CONNECTION_LOST, Connection, GAME_OVER, Role};
use tokio::time::sleep;

use crate::support::{PATIENCE, Running, hash, one, options, refusal, request};

const AWAY: &str = "the Game Master is away: try again later";

/// Small limits that a test can reach.
fn small() -> Options {
    let limits = Limits { queue: 1 << 20, courtesy: 64 << 10, stall: PATIENCE, ..options().limits };
    Options { limits, attempts: 3, interval: Duration::from_millis(200), ..options() }
}

#[tokio::test]
async fn a_lost_player_comes_back() {
    let (running, mut master) = Running::with_master().await;
    let player = running.player(&mut master, 1).await;
    let mut other = running.player(&mut master, 2).await;
    drop(player);
    master.hears(&refusal(1, CONNECTION_LOST)).await;
    master.say(&one(0, 1, "<gone/>")).await;
    other.say(&one(2, 1, "<gone/>")).await;
    other.settles().await;
    master.settles().await;
    let mut again = running.player(&mut master, 1).await;
    master.say(&one(0, 1, "<back/>")).await;
    again.hears(&one(0, 1, "<back/>")).await;
    let log = running.stopped().await;
    assert_eq!(log.matches("no client has that id").count(), 2, "{log}");
}

/// The old connection is still open. The server closes it, and reports its loss before the new request.
#[tokio::test]
async fn a_player_comes_back_too_early() {
    let (running, mut master) = Running::with_master().await;
    let mut old = running.player(&mut master, 1).await;
    let mut new = running.stranger().await;
    new.say(&request(1, Role::Player)).await;
    master.hears(&refusal(1, CONNECTION_LOST)).await;
    master.hears(&request(1, Role::Player)).await;
    assert_eq!(old.next().await, None);
    let confirmation = Connection::Confirmation { hash: hash(1).to_string(), id: 1 }.write();
    master.say(&confirmation).await;
    new.hears(&confirmation).await;
    new.say(&one(1, 0, "<back/>")).await;
    master.hears(&one(1, 0, "<back/>")).await;
    running.stopped().await;
}

/// The server reports to the Game Master that the player has left.
#[tokio::test]
async fn a_player_leaves_before_the_answer() {
    let (running, mut master) = Running::with_master().await;
    let mut player = running.stranger().await;
    player.say(&request(1, Role::Player)).await;
    master.hears(&request(1, Role::Player)).await;
    drop(player);
    let confirmation = Connection::Confirmation { hash: hash(1).to_string(), id: 1 }.write();
    // The server may notice the loss slightly later.
    master.say(&confirmation).await;
    master.hears(&refusal(1, CONNECTION_LOST)).await;
    running.stopped().await;
}

#[tokio::test]
async fn a_lost_game_master_comes_back() {
    let running = Running::new(Options { interval: PATIENCE, ..small() }).await;
    let mut master = running.master(0).await;
    let mut stays = running.player(&mut master, 1).await;
    let leaves = running.player(&mut master, 2).await;
    let mut asks = running.stranger().await;
    asks.say(&request(3, Role::Player)).await;
    master.hears(&request(3, Role::Player)).await;
    drop(master);
    // The server refuses a player that waits for the Game Master's answer.
    asks.hears(&refusal(3, AWAY)).await;
    asks.say(&request(3, Role::Player)).await;
    asks.hears(&refusal(3, AWAY)).await;
    asks.say(&request(9, Role::GameMaster)).await;
    asks.hears(&refusal(9, "there is a Game Master already")).await;
    stays.say(&one(1, 0, "<lost/>")).await;
    stays.settles().await;
    drop(leaves);
    wait_until(&running, "left: the connection ended", 2).await;

    let mut master = running.master(0).await;
    master.hears(&refusal(2, CONNECTION_LOST)).await;
    stays.say(&one(1, 0, "<again/>")).await;
    master.hears(&one(1, 0, "<again/>")).await;
    master.say(&one(0, 1, "<answer/>")).await;
    stays.hears(&one(0, 1, "<answer/>")).await;
    running.join(&mut master, &mut asks, 3).await;
    // The Game Master confirms all players again, to find out which of them are connected.
    let confirmation =
        |number: u8| Connection::Confirmation { hash: hash(number).to_string(), id: i32::from(number) }.write();
    master.say(&confirmation(1)).await;
    stays.hears(&confirmation(1)).await;
    master.say(&confirmation(2)).await;
    master.hears(&refusal(2, CONNECTION_LOST)).await;
    let log = running.stopped().await;
    assert!(log.contains("discarded: 1 -> 0 lost"), "{log}");
}

/// While the old connection is still open, the server refuses the players that asked over it.
#[tokio::test]
async fn a_game_master_comes_back_too_early() {
    let (running, mut old) = Running::with_master().await;
    let mut player = running.stranger().await;
    player.say(&request(1, Role::Player)).await;
    old.hears(&request(1, Role::Player)).await;
    let mut master = running.master(0).await;
    assert_eq!(old.next().await, None);
    player.hears(&refusal(1, "the Game Master has come on another connection: try again later")).await;
    running.join(&mut master, &mut player, 1).await;
    running.stopped().await;
}

/// Waits until the trace contains a line this many times.
async fn wait_until(running: &Running, line: &str, times: usize) {
    for _ in 0..30_000 {
        if running.trace_so_far().matches(line).count() >= times {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("{line:?} is not {times} times in\n{}", running.trace_so_far());
}

#[tokio::test]
async fn a_lost_game_master_stays_away() {
    let running = Running::new(small()).await;
    let mut master = running.master(0).await;
    let mut player = running.player(&mut master, 1).await;
    let begin = std::time::Instant::now();
    drop(master);
    assert_eq!(player.next().await, None);
    let held = begin.elapsed();
    assert!(held >= Duration::from_millis(590), "{held:?}");
    drop(player);
    let (ended, log) = running.ended().await;
    assert_eq!(ended, Ended::MasterLost);
    assert!(log.contains("the Game Master is lost; waiting 0.6 s for it"), "{log}");
}

/// All messages of the Game Master arrive, even if a player still sends messages.
#[tokio::test]
async fn the_game_is_over() {
    let running = Running::new(options()).await;
    let mut master = running.master(0).await;
    let mut first = running.player(&mut master, 1).await;
    let mut second = running.player(&mut master, 2).await;
    let end = |id| one(0, id, "<GameState><End/></GameState>");
    for id in [1, 2] {
        master.say(&end(id)).await;
    }
    master.say(&refusal(0, GAME_OVER)).await;
    master.settles().await;
    for _ in 0..100 {
        first.say(&one(1, 0, &"<x/>".repeat(1000))).await;
    }
    drop(master);
    first.hears(&end(1)).await;
    second.hears(&end(2)).await;
    assert_eq!((first.next().await, second.next().await), (None, None));
    drop((first, second));
    let (ended, log) = running.ended().await;
    assert_eq!(ended, Ended::Over, "{log}");
}

/// A Game Master of another program sends the end to every player, and leaves.
#[tokio::test]
async fn a_foreign_game_master_ends_the_game() {
    let end = |id| one(0, id, "<GameState><End><Reason>Success</Reason></End></GameState>");
    let running = Running::new(options()).await;
    let mut master = running.master(0).await;
    let mut players = [running.player(&mut master, 1).await, running.player(&mut master, 2).await];
    for (id, player) in [1, 2].into_iter().zip(&mut players) {
        master.say(&end(id)).await;
        player.hears(&end(id)).await;
    }
    drop(master);
    let (ended, log) = running.ended().await;
    assert_eq!(ended, Ended::Over, "{log}");
    assert!(!log.contains("waiting"), "{log}");
}

/// A Game Master that is lost before every player has the end may come back for the others. The game has ended all the same.
#[tokio::test]
async fn a_game_master_is_lost_while_it_ends_the_game() {
    let end = |id| one(0, id, "<GameState><End/></GameState>");
    for is_new_game in [false, true] {
        let running = Running::new(Options { attempts: 2, interval: Duration::from_millis(300), ..options() }).await;
        let mut master = running.master(0).await;
        let mut told = running.player(&mut master, 1).await;
        let untold = running.player(&mut master, 2).await;
        master.say(&end(1)).await;
        told.hears(&end(1)).await;
        if is_new_game {
            let start = one(0, 1, "<GameState><Start/></GameState>");
            master.say(&start).await;
            told.hears(&start).await;
        }
        drop(master);
        let (ended, log) = running.ended().await;
        assert_eq!(ended, if is_new_game { Ended::MasterLost } else { Ended::Over }, "{log}");
        assert!(log.contains("the Game Master is lost; waiting 0.6 s for it"), "{log}");
        drop(untold);
    }
}

/// The server disconnects a player that reads nothing when too much data waits for it. Other clients are not affected.
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_player() {
    let running = Running::new(small()).await;
    let mut master = running.master(0).await;
    let _slow = running.player(&mut master, 1).await;
    let mut quick = running.player(&mut master, 2).await;
    let large = |id| one(0, id, &"<x/>".repeat(20_000));
    let mut said = 0;
    let lost = loop {
        assert!(said < 1000, "it is dropped some time");
        said += 1;
        master.say(&large(1)).await;
        master.say(&large(2)).await;
        quick.hears(&large(2)).await;
        master.raw(&[project::documents::FRAME_END]).await;
        let heard = master.next().await.expect("alive");
        if !heard.is_empty() {
            break heard;
        }
    };
    assert_eq!(lost, refusal(1, CONNECTION_LOST));
    quick.settles().await;
    let log = running.stopped().await;
    assert!(log.contains("left: it reads too slowly"), "{log}");
}

/// A player that sends more than the Game Master reads has to wait. Nothing is lost, and no client is disconnected.
#[tokio::test(flavor = "multi_thread")]
async fn a_flood_to_the_game_master() {
    const COUNT: usize = 2000;
    let running = Running::new(small()).await;
    let mut master = running.master(0).await;
    let mut player = running.player(&mut master, 1).await;
    let document = |number: usize| one(1, 0, &format!("{number}{}", "<x/>".repeat(2000)));
    let flood = tokio::spawn(async move {
        for number in 0..COUNT {
            player.say(&document(number)).await;
        }
        player
    });
    // 16 MB do not fit into all buffers together.
    sleep(Duration::from_millis(300)).await;
    assert!(!flood.is_finished(), "the sender waits");
    for number in 0..COUNT {
        master.hears(&document(number)).await;
    }
    let mut player = flood.await.expect("no panic");
    player.settles().await;
    running.stopped().await;
}

/// Repeated requests to join, with one hash or many, cannot disconnect the Game Master either.
#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_requests() {
    let running = Running::new(small()).await;
    let mut master = running.master(0).await;
    let mut player = running.player(&mut master, 1).await;
    let mut stranger = running.stranger().await;
    for _ in 0..2000 {
        player.say(&request(1, Role::Player)).await;
    }
    player.settles().await;
    master.hears(&request(1, Role::Player)).await;
    master.settles().await;
    // 16 MB do not fit into all buffers together.
    let large = |number| request(number, Role::Player).replace("<Hash>", &format!("{}<Hash>", " ".repeat(8000)));
    let flood = tokio::spawn(async move {
        for number in 0..2000 {
            stranger.say(&large(if number % 2 == 0 { 2 } else { 3 })).await;
        }
        stranger
    });
    sleep(Duration::from_millis(300)).await;
    assert!(!flood.is_finished(), "the sender waits");
    for number in 0..2000 {
        master.hears(&large(if number % 2 == 0 { 2 } else { 3 })).await;
    }
    let mut stranger = flood.await.expect("no panic");
    stranger.settles().await;
    let log = running.stopped().await;
    assert_eq!(log.matches("its request is with the Game Master already").count(), 1999, "{log}");
}

/// The server disconnects a Game Master that reads nothing at all.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_master_that_does_not_read() {
    let limits = Limits { stall: Duration::from_millis(300), ..small().limits };
    let running = Running::new(Options { limits, ..small() }).await;
    let mut master = running.master(0).await;
    let mut player = running.player(&mut master, 1).await;
    let document = one(1, 0, &"<x/>".repeat(10_000));
    let flood = tokio::spawn(async move {
        loop {
            player.say(&document).await;
        }
    });
    let (ended, log) = running.ended().await;
    assert_eq!(ended, Ended::MasterLost);
    assert!(log.contains("left: it reads too slowly"), "{log}");
    assert!(flood.await.is_err(), "it wrote until there was no connection");
    drop(master);
}

/// A player cannot cause the disconnection of another player: messages beyond the limit are discarded.
#[tokio::test(flavor = "multi_thread")]
async fn a_flood_to_a_slow_player() {
    let running = Running::new(small()).await;
    let mut master = running.master(0).await;
    let mut slow = running.player(&mut master, 1).await;
    let mut flooder = running.player(&mut master, 2).await;
    let document = one(2, 1, &"<x/>".repeat(10_000));
    for _ in 0..500 {
        flooder.say(&document).await;
    }
    flooder.settles().await;
    master.say(&one(0, 1, "<hello/>")).await;
    let mut heard = 0;
    loop {
        let next = slow.next().await.expect("it is still there");
        if next == one(0, 1, "<hello/>") {
            break;
        }
        assert_eq!(next, document);
        heard += 1;
    }
    assert!((1..500).contains(&heard), "{heard}");
    master.settles().await;
    let log = running.stopped().await;
    assert!(log.contains("too much waits for the receiver"), "{log}");
}

#[tokio::test]
async fn stopped() {
    let (running, mut master) = Running::with_master().await;
    let mut player = running.player(&mut master, 1).await;
    running.stop.send_replace(true);
    assert_eq!((master.next().await, player.next().await), (None, None));
    drop((master, player));
    assert_eq!(running.ended().await.0, Ended::Stopped);
}
