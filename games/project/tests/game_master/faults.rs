//! Invalid messages, lost players, a lost server, and a restarted Game Master.

use std::{sync::Arc, time::Duration};

use project::MasterError;
use project_rules::{Connection, Position};
use server::log::{FaultyLog, MemoryLog};

use crate::{
    wire::{Wire, action, id, messages, one, request, team},
    world::{SMALL, STORE_PATIENCE, Seat, World},
};

#[tokio::test]
async fn invalid_messages_are_discarded_and_the_connection_stays_open() {
    let world = World::new(SMALL).await;
    let [mut blue, mut red] = world.begun().await;
    let before = world.truth();
    let good = one(blue.id, 31, &action("Discover"));
    for (document, why) in [
        ("<Messages".to_owned(), None),
        ("nonsense".to_owned(), None),
        // The server forwards these documents, because it reads only envelopes.
        (messages(&[good.replace("Discover", "Dance")]), Some("<Dance> is in <Action>")),
        (messages(&[good.clone(), good.replace("<Request/>", "<Response/>")]), Some("discarded: line")),
        (
            messages(&[one(
                blue.id,
                32,
                "<Action><Move><Request><Direction>Over</Direction></Request></Move></Action>",
            )]),
            Some("<Direction> is \"Over\""),
        ),
        (
            messages(&[one(blue.id, 33, "<Action><Test><Response><Result>Piece</Result></Response></Test></Action>")]),
            Some("only the Game Master answers"),
        ),
        (
            messages(&[one(blue.id, 34, "<ExchangeKnowledge><Request/></ExchangeKnowledge>")]),
            Some("the Game Master has nothing to exchange"),
        ),
        // A message with the id of another player. The server rejects it.
        (messages(&[one(red.id, 35, &action("Discover"))]), None),
        (messages(&[one(77, 36, &action("Discover"))]), None),
        (messages(&[]), None),
    ] {
        blue.wire.say(&document).await;
        if let Some(why) = why {
            world.trace_has(why).await;
        }
    }
    assert_eq!(blue.does("Pickup").await, "PickedUp false", "it lives on");
    red.wire.hears_nothing().await;
    assert_eq!(world.truth().public().actions(), before.public().actions() + 1, "nothing else was done");
    assert_eq!(blue.does("Discover").await.split(' ').next(), Some("Discovered"));
}

#[tokio::test]
async fn a_request_before_the_start_is_discarded() {
    let world = World::new(SMALL).await;
    let mut one = world.join(1).await;
    one.asks("Discover").await;
    world.trace_has("The game has not started").await;
    one.wire.ask(one.id, 1, &team("Red")).await;
    one.wire.hears("Red leader to #1").await;
}

#[tokio::test]
async fn a_flood_is_bounded() {
    let slow = r#""costs": {"discover": 60000}, "players_per_team": 1"#;
    let world = World::with(SMALL, &[("\"players_per_team\": 1", slow)]).await;
    let [mut blue, mut red] = world.begun().await;
    for round in 0..3 {
        let batch: Vec<String> =
            (0..100).map(|number| one(blue.id, 600 + 100 * round + number, &action("Discover"))).collect();
        blue.wire.say(&messages(&batch)).await;
    }
    world.until(|game| game.all_players()[0].waiting() == project_rules::MOST_WAITING).await;
    assert_eq!(red.does("Pickup").await, "PickedUp false", "no other player is affected");
    blue.wire.hears_nothing().await;
}

/// Connects a player again with the hash of a number, and checks the messages that it gets.
async fn back(world: &World, hash: u32) -> Seat {
    let mut seat = world.join(hash).await;
    assert_eq!(seat.id, hash);
    let team = if hash == 1 { "Blue leader" } else { "Red leader" };
    seat.wire.hears(team).await;
    let at = seat.pawn(world);
    seat.wire.hears(&format!("Start 4 x 8, 1 Blue, 2 Red at {at}")).await;
    seat
}

#[tokio::test]
async fn a_lost_player_gets_its_pawn_and_piece_back() {
    let world = World::new(SMALL).await;
    let [mut blue, _red] = world.begun().await;
    blue.fetches(&world, false).await;
    let before = blue.player(&world.truth()).clone();
    drop(blue);
    let truth = world.until(|game| game.all_players()[0].connection == Connection::Lost).await;
    assert_eq!(truth.all_players()[0].load, before.load);
    let mut blue = back(&world, 1).await;
    let truth = world.truth();
    let after = blue.player(&truth);
    assert_eq!((after.position, after.load, after.connection), (before.position, before.load, Connection::Here));
    assert_eq!(blue.does("Test").await, "Tested Piece");

    // Opens a new connection before the server knows that the old one is gone.
    let mut again = back(&world, 1).await;
    assert_eq!(blue.wire.next().await, None, "the old one is closed");
    assert_eq!(again.does("Pickup").await, "PickedUp false");
}

#[tokio::test]
async fn a_player_that_comes_back_while_the_log_is_silent_stays_in_the_game() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let world = World::on_log(SMALL, Arc::new(log.clone())).await;
    let [blue, _red] = world.begun().await;
    log.hold();
    drop(blue);
    // The host gives no answer to the Game Master any more, and still takes the loss.
    tokio::time::sleep(STORE_PATIENCE + Duration::from_secs(1)).await;
    let mut early = Wire::to(world.address).await;
    early.say(&request(id(1), "Player")).await;
    early.hears("Refusal: The log cannot be written or read now; resume later.").await;
    log.release();
    let mut blue = back(&world, 1).await;
    assert_eq!(blue.player(&world.truth()).connection, Connection::Here);
    assert_eq!(blue.does("Pickup").await, "PickedUp false");
}

#[tokio::test]
async fn a_player_that_is_lost_too_long_leaves_and_its_piece_falls() {
    let short = [
        ("\"reconnection_attempts\": 40", "\"reconnection_attempts\": 1"),
        ("\"players_per_team\": 1", "\"players_per_team\": 2"),
    ];
    let world = World::with(SMALL, &short).await;
    let mut seats = Vec::new();
    for number in 1..=4 {
        let mut seat = world.join(number).await;
        seat.wire.ask(seat.id, number, &team(if number < 3 { "Blue" } else { "Red" })).await;
        seat.wire.next().await;
        seats.push(seat);
    }
    for seat in &mut seats {
        assert!(seat.wire.next().await.expect("the start").starts_with("Start "));
    }
    let mut lost = seats.remove(0);
    // The other players do not move, so one of them may stand in the way. Then the player takes another column.
    let free = |game: &project_rules::Game, x: i32| {
        (0..8).all(|y| game.pawn_at(Position { x, y }).is_none_or(|player| player.id == 1))
    };
    assert!((0..4).any(|x| free(&world.truth(), x)), "there is a way");
    let pieces = world.truth().ground().pieces().count();
    let _first_steps = lost.does("Move Up").await;
    drop(lost);
    let truth = world.until(|game| game.all_players()[0].is_gone()).await;
    assert_eq!(truth.all_players()[0].position, None);
    assert_eq!(truth.ground().pieces().count(), pieces);
    let mut late = Wire::to(world.address).await;
    late.say(&request(id(1), "Player")).await;
    late.hears("Refusal: The game is running; no new player can join it. Do not try again.").await;
    assert_eq!(seats[0].does("Pickup").await, "PickedUp false", "the game goes on");
}

#[tokio::test]
async fn a_repeated_join_is_answered_and_not_logged() {
    let world = World::new(SMALL).await;
    let [mut blue, _red] = world.begun().await;
    let entries = || world.host.handles::<project_rules::Game>().pop().expect("one game").1.look(|last| last.sequence);
    let before = entries();
    let start = format!("Start 4 x 8, 1 Blue, 2 Red at {}", blue.pawn(&world));
    for _ in 0..20 {
        blue.wire.say(&request(id(1), "Player")).await;
        for told in ["Confirmation 1", "Blue leader", &start] {
            blue.wire.hears(told).await;
        }
    }
    assert_eq!(entries(), before);
}

#[tokio::test]
async fn a_request_is_answered_once_in_a_document() {
    let world = World::new(SMALL).await;
    let [mut blue, _red] = world.begun().await;
    let again = one(blue.id, 900, &action("Discover"));
    blue.wire.say(&messages(&vec![again; 100])).await;
    assert!(blue.wire.next().await.is_some_and(|answer| answer.starts_with("Discovered")));
    blue.wire.hears_nothing().await;
}

#[tokio::test]
async fn a_game_master_begins_again_and_its_players_play_on() {
    let mut world = World::on_file(SMALL).await;
    let [mut blue, mut red] = world.begun().await;
    let message = blue.asks("Discover").await;
    let (_, first) = blue.wire.next_with_text().await.expect("an answer");
    red.does("Pickup").await;
    let before = world.truth();
    for _ in 0..2 {
        world.begin_again().await;
        // The players are still connected to the server, and get the messages that they may have missed.
        for seat in [&mut blue, &mut red] {
            seat.wire.hears(&format!("Confirmation {}", seat.id)).await;
            seat.wire.hears(if seat.id == 1 { "Blue leader" } else { "Red leader" }).await;
            let at = seat.pawn(&world);
            seat.wire.hears(&format!("Start 4 x 8, 1 Blue, 2 Red at {at}")).await;
        }
        assert_eq!(world.truth().all_players(), before.all_players(), "everything is as it was");
        blue.wire.ask(blue.id, message, &action("Discover")).await;
        assert_eq!(
            blue.wire.next_with_text().await.expect("an answer").1,
            first,
            "an answer from before, to the letter"
        );
    }
    blue.fetches(&world, false).await;
    assert_eq!(red.does("Pickup").await, "PickedUp false");
    assert_eq!(world.host.list().len(), 1, "it is the same game");
}

#[tokio::test]
async fn a_log_goes_on_with_its_own_game_only() {
    let mut world = World::on_file(SMALL).await;
    let game = world.host.list()[0].game.clone();
    let larger = project_rules::Setup { width: 5, ..world.setup.clone() };
    let refused = world.begin_otherwise(&larger, 5).await;
    assert!(matches!(&refused, MasterError::OtherConfiguration { game: name } if **name == *game), "{refused}");
    let setup = world.setup.clone();
    let refused = world.begin_otherwise(&setup, 6).await;
    assert!(matches!(&refused, MasterError::OtherSeed { game: name } if **name == *game), "{refused}");
    // The server may have a new address.
    world.setup.address = "10.1.2.3:77".into();
    world.begin_again().await;
    assert_eq!(world.host.list()[0].game, game);
}

#[tokio::test]
async fn a_player_that_leaves_while_the_game_master_is_away_is_awaited() {
    let mut world = World::on_file(SMALL).await;
    let [blue, mut red] = world.begun().await;
    world.stop_master.send_replace(true);
    assert!(matches!(world.master_ends().await, Ok(project::Finished::Stopped)));
    drop(blue);
    world.begin_again().await;
    red.wire.hears("Confirmation 2").await;
    let truth = world.until(|game| game.all_players()[0].connection == Connection::Lost).await;
    assert_eq!(truth.all_players()[1].connection, Connection::Here);
    red.wire.hears("Red leader").await;
    red.wire.next().await;
    let mut blue = back(&world, 1).await;
    assert_eq!(blue.does("Pickup").await, "PickedUp false");
    assert_eq!(red.does("Pickup").await, "PickedUp false");
}

#[tokio::test]
async fn after_another_server_all_shake_hands_again() {
    let mut world = World::new(SMALL).await;
    let [mut blue, mut red] = world.begun().await;
    blue.fetches(&world, false).await;
    world.another_server().await;
    assert_eq!(blue.wire.next().await, None);
    assert_eq!(red.wire.next().await, None);
    world.until(|game| game.all_players().iter().all(|player| player.connection == Connection::Lost)).await;
    let (mut blue, mut red) = (back(&world, 1).await, back(&world, 2).await);
    assert_eq!(blue.does("Test").await, "Tested Piece", "with its piece");
    assert_eq!(red.does("Pickup").await, "PickedUp false");
}

#[tokio::test]
async fn a_server_that_never_comes_is_given_up() {
    let few = [("\"reconnection_attempts\": 40", "\"reconnection_attempts\": 2")];
    let mut world = World::with(SMALL, &few).await;
    let [_blue, _red] = world.begun().await;
    let begun = tokio::time::Instant::now();
    world.no_server().await;
    let ended = world.master_ends().await.expect_err("no server");
    let expected = world.address;
    assert!(matches!(ended, MasterError::Unreachable { server, attempts: 2, .. } if server == expected), "{ended}");
    assert!(begun.elapsed().as_millis() >= 1000, "with an interval between them");
}

#[tokio::test]
async fn a_second_game_master_is_refused() {
    let world = World::new(SMALL).await;
    let _one = world.join(1).await;
    let mut other = Wire::to(world.address).await;
    other.say(&request(id(99), "GameMaster")).await;
    other.hears("Refusal: there is a Game Master already").await;
}
