//! Answers of the Game Master overtake messages between players. On the Game Master's own link, players take turns.

use std::time::Duration;

use project::{
    communication::{Limits, Options},
    documents::{CONNECTION_LOST, Role},
};
use tokio::time::timeout;

use crate::support::{Client, Running, one, options, refusal, request};

/// The most bytes that may arrive before an answer: what a link of 1 Mb/s carries in a second.
const MOST_BYTES: usize = 125_000;

/// Sends an answer to a player that has read nothing while others sent it `document`. Returns the player, and the frames that
/// arrived before the answer.
async fn before_the_answer(running: &Running, document: &str) -> (Client, Vec<String>) {
    let mut master = running.master(0).await;
    let mut slow = running.slow_player(&mut master, 1).await;
    // More than the system's default buffers hold.
    let count = (8 << 20) / document.len() / 3;
    let mut enemies = Vec::new();
    for number in 2..=4 {
        let mut enemy = running.player(&mut master, number).await;
        for _ in 0..count {
            enemy.say(&document.replace("Sender id=\"2\"", &format!("Sender id=\"{number}\""))).await;
        }
        enemy.settles().await;
        enemies.push(enemy);
    }
    master.say(&one(0, 1, "<answer/>")).await;
    let mut before = Vec::new();
    loop {
        let next = slow.next().await.expect("it is still there");
        if next == one(0, 1, "<answer/>") {
            return (slow, before);
        }
        before.push(next);
    }
}

fn talk(bytes: usize) -> String {
    one(2, 1, &"<x/>".repeat(bytes / 4))
}

/// However long the messages are, few bytes of them are before an answer. No frame is lost in the middle of others.
#[tokio::test(flavor = "multi_thread")]
async fn whatever_others_send() {
    for bytes in [200, 5_000, 30_000, 115_000, 1_000_000] {
        let running = Running::new(options()).await;
        let (_slow, before) = before_the_answer(&running, &talk(bytes)).await;
        let count: usize = before.iter().map(|frame| frame.len() + 1).sum();
        assert!(count < MOST_BYTES, "messages of {bytes} bytes: {count} bytes in {} frames", before.len());
        let is_whole = |frame: &String| frame.ends_with("</Messages>");
        let broken = before.iter().position(|frame| !is_whole(frame)).unwrap_or(before.len());
        assert!(broken + 1 >= before.len(), "only the last one before the answer may be ended early");
        running.stopped().await;
    }
}

/// A long message that was ended early for an answer arrives whole after it.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_message_is_sent_again() {
    let running = Running::new(options()).await;
    let long = talk(500_000);
    let (mut slow, before) = before_the_answer(&running, &long).await;
    let begun = before.last().expect("it had begun");
    assert!(!begun.is_empty() && long.starts_with(begun.as_str()) && *begun != long, "{} bytes", begun.len());
    slow.hears(&long).await;
    running.stopped().await;
}

/// A long message that was ended early too often makes room for the next.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_message_is_given_up() {
    let limits = Limits { courtesy: 600_000, ..options().limits };
    let running = Running::new(Options { limits, ..options() }).await;
    let mut master = running.master(0).await;
    let mut slow = running.slow_player(&mut master, 1).await;
    let mut enemy = running.player(&mut master, 2).await;
    let (long, short) = (talk(500_000), talk(200));
    enemy.say(&long).await;
    enemy.say(&short).await;
    enemy.settles().await;
    for number in 0..3 {
        let answer = one(0, 1, &format!("<n>{number}</n>"));
        master.say(&answer).await;
        let begun = slow.next().await.expect("it is still there");
        assert!(long.starts_with(&begun) && begun != long, "{begun}");
        slow.hears(&answer).await;
        if number < 2 {
            // It has begun again.
            slow.has_more().await;
        }
    }
    slow.hears(&short).await;
    let log = running.stopped().await;
    assert!(log.contains("discarded: a player's message of "), "{log}");
}

/// Three players send the Game Master as much as they can. The request of a fourth one is among the next messages.
#[tokio::test(flavor = "multi_thread")]
async fn the_game_masters_link_is_shared() {
    for bytes in [200, 5_000, 30_000, 115_000, 1_000_000] {
        let running = Running::new(options()).await;
        let mut master = running.slow_master(0).await;
        let mut honest = running.player(&mut master, 1).await;
        let mut enemies = Vec::new();
        for number in 2..=4 {
            enemies.push((number, running.player(&mut master, number).await));
        }
        for (number, enemy) in &mut enemies {
            let flood = one((*number).into(), 0, &"<x/>".repeat(bytes / 4));
            // More than the system's buffers and the server's queues hold.
            let mut left = (8 << 20) / flood.len();
            while left > 0 && timeout(Duration::from_millis(300), enemy.say(&flood)).await.is_ok() {
                left -= 1;
            }
        }
        let request = one(1, 0, "<request/>");
        honest.say(&request).await;
        let settles = timeout(Duration::from_secs(60), honest.settles()).await;
        settles.unwrap_or_else(|_| panic!("messages of {bytes} bytes: the others keep its request waiting"));
        let mut before = 0;
        loop {
            let next = master.next().await.expect("it is still there");
            if next == request {
                break;
            }
            before += next.len() + 1;
        }
        assert!(before < MOST_BYTES, "messages of {bytes} bytes: {before} bytes before the request");
        drop(enemies);
        running.stopped().await;
    }
}

/// A player that is lost while its requests wait is lost after them, and may come back.
#[tokio::test(flavor = "multi_thread")]
async fn a_loss_is_told_after_the_requests_of_the_player() {
    let running = Running::new(options()).await;
    let mut master = running.slow_master(0).await;
    let mut player = running.player(&mut master, 1).await;
    let mut enemy = running.player(&mut master, 2).await;
    let flood = one(2, 0, &"<x/>".repeat(1000));
    while timeout(Duration::from_millis(300), enemy.say(&flood)).await.is_ok() {}
    let asked = one(1, 0, "<request/>");
    player.say(&asked).await;
    player.settles().await;
    drop(player);
    let mut again = running.stranger().await;
    again.say(&request(1, Role::Player)).await;
    again.settles().await;
    let mut heard = Vec::new();
    while heard.len() < 3 {
        let next = master.next().await.expect("it is still there");
        if next != flood {
            heard.push(next);
        }
    }
    assert_eq!(heard, [asked, refusal(1, CONNECTION_LOST), request(1, Role::Player)]);
    running.stopped().await;
}
