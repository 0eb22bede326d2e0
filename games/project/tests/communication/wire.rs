//! Frames in any number of pieces.

use std::time::Duration;

use project::communication::{Limits, Options};
use project::documents::{Connection, FRAME_END, Role};

use crate::{
    clock::Clock,
    support::{Running, hash, one, options, request},
};

#[tokio::test]
async fn keep_alives_are_echoed() {
    let running = Running::new(options()).await;
    let mut stranger = running.stranger().await;
    stranger.settles().await;
    stranger.raw(&[FRAME_END; 10]).await;
    for _ in 0..10 {
        stranger.hears("").await;
    }
    let mut master = running.master(0).await;
    let mut player = running.player(&mut master, 1).await;
    player.settles().await;
    master.settles().await;
    running.stopped().await;
}

#[tokio::test]
async fn in_pieces_and_together() {
    let (running, mut master) = Running::with_master().await;
    let mut player = running.stranger().await;
    let asks = request(1, Role::Player);
    for byte in asks.bytes().chain([FRAME_END]) {
        player.raw(&[byte]).await;
    }
    master.hears(&asks).await;
    let confirmation = Connection::Confirmation { hash: hash(1).to_string(), id: 1 }.write();
    master.say(&confirmation).await;
    player.hears(&confirmation).await;
    let documents: Vec<String> = (0..50).map(|number| one(1, 0, &number.to_string())).collect();
    let together: Vec<u8> = documents.iter().flat_map(|document| document.bytes().chain([FRAME_END])).collect();
    player.raw(&together).await;
    for document in &documents {
        master.hears(document).await;
    }
    running.stopped().await;
}

#[tokio::test]
async fn too_long() {
    let limits = Limits { frame: 1000, ..options().limits };
    let running = Running::new(Options { limits, ..options() }).await;
    let mut master = running.master(0).await;
    let mut player = running.player(&mut master, 1).await;
    let of_length = |length: usize| one(1, 0, &"x".repeat(length - one(1, 0, "").len()));
    player.say(&of_length(1001)).await;
    player.say(&of_length(1_000_000)).await;
    player.say(&of_length(1000)).await;
    master.hears(&of_length(1000)).await;
    let log = running.stopped().await;
    assert_eq!(log.matches("discarded: a frame of more than 1000 bytes").count(), 2, "{log}");
}

/// A document with a player's knowledge of a large board passes through all buffers.
#[tokio::test]
async fn large_ones() {
    let (running, mut master) = Running::with_master().await;
    let mut first = running.player(&mut master, 1).await;
    let mut second = running.player(&mut master, 2).await;
    let large = one(1, 2, &"<Tile>0123456789</Tile>".repeat(40_000));
    assert!(large.len() > 900_000 && large.len() < 1 << 20);
    for _ in 0..3 {
        first.say(&large).await;
        second.hears(&large).await;
    }
    running.stopped().await;
}

#[tokio::test]
async fn silence() {
    let limits = Limits { silence: Some(Duration::from_millis(300)), ..options().limits };
    // Time is stopped, so keep-alives are on time even on a busy machine.
    let clock = Clock::stop();
    let running = Running::new(Options { limits, ..options() }).await;
    let mut master = running.master(0).await;
    let mut quiet = running.player(&mut master, 1).await;
    let begin = tokio::time::Instant::now();
    // The Game Master sends keep-alives, and receives the report that the player is gone.
    loop {
        master.raw(&[FRAME_END]).await;
        let heard = master.next().await.expect("it is alive");
        if !heard.is_empty() {
            assert!(heard.contains("connection lost"), "{heard}");
            break;
        }
        clock.pass(Duration::from_millis(20)).await;
    }
    assert!(begin.elapsed() >= Duration::from_millis(290));
    assert_eq!(clock.until(quiet.next()).await, None);
    clock.until(running.stopped()).await;
}
