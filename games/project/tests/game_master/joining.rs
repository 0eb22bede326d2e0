//! The handshake, teams, the start, and refusals.

use crate::{
    wire::{Wire, id, request, team},
    world::{PAIRS, SMALL, World},
};

#[tokio::test]
async fn four_players_come_and_the_game_begins() {
    let world = World::new(PAIRS).await;
    let mut one = world.join(1).await.wire;
    let mut two = Wire::to(world.address).await;
    two.say(&request(id(2), "TeamLeader")).await;
    two.hears("Confirmation 2").await;
    let [mut three, mut four] = [world.join(3).await.wire, world.join(4).await.wire];

    two.ask(2, 10, &team("Red")).await;
    two.hears("Red leader to #10").await;
    one.ask(1, 11, &team("Red")).await;
    one.hears("Red to #11").await;
    three.ask(3, 12, &team("Red")).await;
    three.hears("Blue leader to #12").await;
    // A repeated request is answered again, and the game does not change.
    let entries = world.truth();
    three.ask(3, 12, &team("Red")).await;
    three.hears("Blue leader to #12").await;
    assert_eq!(world.truth(), entries);

    let mut fifth = Wire::to(world.address).await;
    fifth.say(&request(id(5), "Player")).await;
    fifth.hears("Refusal: All 4 seats are taken. Do not try again.").await;
    four.ask(4, 13, &team("Blue")).await;
    four.hears("Blue to #13").await;
    let truth = world.until(|game| game.public().has_begun()).await;
    for (wire, player) in [(&mut one, 1), (&mut two, 2), (&mut three, 3), (&mut four, 4)] {
        let pawn = truth.all_players().iter().find(|known| known.id == player).expect("a player").position;
        let at = pawn.expect("a pawn");
        wire.hears(&format!("Start 4 x 8, 3 Blue, 4 Blue, 2 Red, 1 Red at {at}")).await;
    }
    fifth.say(&request(id(5), "Player")).await;
    fifth.hears("Refusal: The game is running; no new player can join it. Do not try again.").await;
}

#[tokio::test]
async fn only_listed_players_take_part() {
    let list = format!("\"reconnection_attempts\": 40, \"player_hashes\": [\"{}\", \"{}\"]", id(1), id(2));
    let world = World::with(SMALL, &[("\"reconnection_attempts\": 40", &list)]).await;
    drop(world.join(1).await.wire);
    let mut stranger = Wire::to(world.address).await;
    stranger.say(&request(id(3), "Player")).await;
    stranger
        .hears("Refusal: This game is for listed hashes only, and yours is not among them. Do not try again.")
        .await;
    let second = world.join(2).await;
    assert_eq!(second.id, 2);
    assert_eq!(world.host.list()[0].players.len(), 2, "who is refused has no place in the log");
}

#[tokio::test]
async fn a_lobby_that_is_not_full_in_time_is_over() {
    let mut world =
        World::with(SMALL, &[("\"reconnection_attempts\"", "\"join_timeout\": 700, \"reconnection_attempts\"")]).await;
    let mut one = world.join(1).await.wire;
    one.ask(1, 1, &team("Blue")).await;
    one.hears("Blue leader to #1").await;
    one.hears("End Timeout: Blue, Blue 0, Red 0").await;
    assert_eq!(one.next().await, None, "the server closes");
    let finished = world.master_ends().await.expect("no failure");
    assert!(format!("{finished:?}").contains("LobbyNotFull"), "{finished:?}");
    assert_eq!(world.server_ends().await, project::communication::Ended::Over);
}

#[tokio::test]
async fn a_seat_in_the_lobby_is_kept_and_then_free() {
    let world = World::with(
        SMALL,
        &[
            ("\"reconnection_interval\": 1", "\"reconnection_interval\": 1"),
            ("\"reconnection_attempts\": 40", "\"reconnection_attempts\": 1"),
        ],
    )
    .await;
    let mut one = world.join(1).await.wire;
    one.ask(1, 1, &team("Blue")).await;
    one.hears("Blue leader to #1").await;
    drop(one);
    world.until(|game| game.all_players()[0].connection == project_rules::Connection::Lost).await;
    // A player that is back in time gets the same seat and team.
    let mut back = world.join(1).await;
    assert_eq!(back.id, 1);
    back.wire.hears("Blue leader").await;
    drop(back);
    world.until(|game| game.all_players().is_empty()).await;
    assert_eq!(world.join(1).await.id, 2, "too late: a new seat");
}
