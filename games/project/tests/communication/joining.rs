//! Joining: roles, confirmations and refusals.

use std::time::Duration;

use project::communication::{Limits, Options};
use project::documents::{Connection, Role};

use crate::{
    clock::Clock,
    support::{Running, hash, one, options, refusal, request},
};

const NO_MASTER: &str = "there is no Game Master yet: try again later";
const SECOND: &str = "there is a Game Master already";

#[tokio::test]
async fn players_are_refused_before_the_game_master_comes() {
    let running = Running::new(options()).await;
    let mut player = running.stranger().await;
    player.say(&request(1, Role::Player)).await;
    player.hears(&refusal(1, NO_MASTER)).await;
    let mut master = running.master(0).await;
    running.join(&mut master, &mut player, 1).await;
    let log = running.stopped().await;
    for line in [
        "is refused: there is no Game Master yet",
        "is the Game Master, hash 00000000-0000-4000-8000-000000000000",
        "asks the Game Master to take part, hash 01010101-0101-4101-8101-010101010101",
        "is player 1, hash 01010101-0101-4101-8101-010101010101",
    ] {
        assert!(log.contains(line), "{line} in\n{log}");
    }
}

#[tokio::test]
async fn one_game_master() {
    let (running, mut master) = Running::with_master().await;
    let mut second = running.stranger().await;
    second.say(&request(9, Role::GameMaster)).await;
    second.hears(&refusal(9, SECOND)).await;
    // The client may still join as a player.
    running.join(&mut master, &mut second, 9).await;
    // A repeated request is answered again.
    master.say(&request(0, Role::GameMaster)).await;
    master.hears(&Connection::Confirmation { hash: hash(0).to_string(), id: 0 }.write()).await;
    // A client that has joined cannot join in another role.
    master.say(&request(5, Role::Player)).await;
    second.say(&request(9, Role::GameMaster)).await;
    second.say(&request(5, Role::Player)).await;
    second.settles().await;
    master.settles().await;
    running.stopped().await;
}

#[tokio::test]
async fn only_the_right_game_master() {
    let running = Running::new(Options { gm_hash: Some(hash(3)), ..options() }).await;
    let mut wrong = running.stranger().await;
    wrong.say(&request(4, Role::GameMaster)).await;
    wrong.hears(&refusal(4, "this server is for another Game Master")).await;
    let mut right = running.stranger().await;
    right.say(&request(3, Role::GameMaster)).await;
    right.hears(&Connection::Confirmation { hash: hash(3).to_string(), id: 0 }.write()).await;
    running.stopped().await;
}

/// The server forwards documents of a handshake unchanged to the client with their hash, with or without a namespace.
#[tokio::test]
async fn as_it_is() {
    let (running, mut master) = Running::with_master().await;
    let (mut one, mut two) = (running.stranger().await, running.stranger().await);
    let leader = request(1, Role::TeamLeader).replace(" xmlns=\"http://messageSchema.something.com\"", "");
    one.say(&leader).await;
    master.hears(&leader).await;
    let spaced = request(2, Role::Player).replace("<Hash>", "\n <Hash>");
    two.say(&spaced).await;
    master.hears(&spaced).await;
    // The elements are in the other order, and the hash is in upper case.
    let large = hash(2).to_string().to_uppercase();
    let refused = Connection::Refusal { hash: large, description: "the game is full".into() }.write();
    master.say(&refused).await;
    two.hears(&refused).await;
    let confirmed = Connection::Confirmation { hash: hash(1).to_string(), id: 7 }.write();
    master.say(&confirmed).await;
    one.hears(&confirmed).await;
    // A refused client may try again.
    running.join(&mut master, &mut two, 2).await;
    running.stopped().await;
}

#[tokio::test]
async fn invalid_handshakes_are_discarded() {
    let (running, mut master) = Running::with_master().await;
    let mut player = running.player(&mut master, 1).await;
    let mut stranger = running.stranger().await;
    let confirmation = |number, id| Connection::Confirmation { hash: hash(number).to_string(), id }.write();
    for document in [confirmation(2, 2), refusal(2, "no"), one(1, 0, ""), one(0, 1, "")] {
        stranger.say(&document).await;
    }
    stranger.settles().await;
    player.say(&confirmation(1, 1)).await;
    player.settles().await;
    // Invalid ids, and a refusal without a request.
    let asks = request(2, Role::Player);
    stranger.say(&asks).await;
    master.hears(&asks).await;
    master.say(&confirmation(2, 0)).await;
    master.say(&confirmation(2, -1)).await;
    master.say(&confirmation(2, 1)).await;
    master.say(&refusal(5, "no")).await;
    master.say(&refusal(0, "something")).await;
    master.settles().await;
    stranger.settles().await;
    master.say(&confirmation(2, 2)).await;
    stranger.hears(&confirmation(2, 2)).await;
    let log = running.stopped().await;
    for line in [
        "discarded: only the Game Master confirms and refuses",
        "discarded: messages of a client that has not joined",
        "discarded: 0 is no id of a player",
        "discarded: -1 is no id of a player",
        "discarded: 1 is the id of 127.0.0.1:",
        "discarded: there is no request with the hash",
        "discarded: the Game Master refuses itself: \"something\"",
    ] {
        assert!(log.contains(line), "{line} in\n{log}");
    }
}

/// The server disconnects an idle client, but not a client that waits for the Game Master.
#[tokio::test]
async fn idle_clients_are_disconnected() {
    let limits = Limits { handshake: Duration::from_millis(200), ..options().limits };
    // Clients that have joined are not idle.
    let clock = Clock::stop();
    let running = Running::new(Options { limits, ..options() }).await;
    let mut master = running.master(0).await;
    let (mut sits, mut waits) = (running.stranger().await, running.stranger().await);
    waits.say(&request(1, Role::Player)).await;
    master.next().await.expect("the request");
    assert_eq!(clock.until(sits.next()).await, None);
    let mut later = running.stranger().await;
    assert_eq!(clock.until(later.next()).await, None);
    waits.settles().await;
    clock.until(running.stopped()).await;
}

/// A client that is refused again and again counts as idle.
#[tokio::test]
async fn refused_clients_are_disconnected() {
    let limits = Limits { handshake: Duration::from_millis(300), ..options().limits };
    let clock = Clock::stop();
    let running = Running::new(Options { limits, ..options() }).await;
    let mut master = running.master(0).await;
    let mut refused = running.stranger().await;
    for times in 0.. {
        assert!(times < 4, "it goes after some time");
        refused.say(&request(1, Role::Player)).await;
        master.hears(&request(1, Role::Player)).await;
        master.say(&refusal(1, "the game is full")).await;
        if refused.next().await.is_none() {
            break;
        }
        clock.pass(Duration::from_millis(250)).await;
        if !clock.until(refused.is_echoed()).await {
            break;
        }
    }
    let log = clock.until(running.stopped()).await;
    assert!(log.contains("left: it does not take part"), "{log}");
}

/// A new client replaces the oldest client that has not joined, but never a player.
#[tokio::test]
async fn idle_clients_make_room() {
    let limits = Limits { connections: 4, farewell: Duration::from_secs(20), ..options().limits };
    let running = Running::new(Options { limits, ..options() }).await;
    let mut master = running.master(0).await;
    let mut asks = running.stranger().await;
    asks.say(&request(2, Role::Player)).await;
    master.hears(&request(2, Role::Player)).await;
    let (mut first, mut second) = (running.stranger().await, running.stranger().await);
    second.settles().await;
    let mut player = running.player(&mut master, 1).await;
    assert_eq!(first.next().await, None);
    let mut other = running.stranger().await;
    other.settles().await;
    assert_eq!(second.next().await, None);
    for client in [&mut master, &mut player, &mut asks, &mut other] {
        client.settles().await;
    }
    drop((asks, other, player, master));
    running.stopped().await;
}

#[tokio::test]
async fn connections_are_limited() {
    let limits = Limits { connections: 2, ..options().limits };
    let running = Running::new(Options { limits, ..options() }).await;
    let mut master = running.master(0).await;
    let player = running.player(&mut master, 1).await;
    assert_eq!(running.stranger().await.next().await, None);
    drop(player);
    master.hears(&refusal(1, "connection lost")).await;
    // The place becomes free slightly later, when the connection has ended.
    let mut next = running.stranger().await;
    while !next.is_echoed().await {
        next = running.stranger().await;
    }
    running.stopped().await;
}
