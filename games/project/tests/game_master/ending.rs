//! The end of a game, and how the players receive it.

use std::sync::Arc;

use project::{Finished, MasterError, communication::Ended};
use project_rules::{Connection, EndReason, Team};
use server::log::{FaultyLog, MemoryLog};

use crate::world::{SMALL, Seat, World, open_goals};

const ONE_GOAL: (&str, &str) = ("{\"x\": 0, \"y\": 0}, {\"x\": 3, \"y\": 1}", "{\"x\": 0, \"y\": 0}");

/// Blue completes its only goal.
async fn wins(world: &World, blue: &mut Seat) {
    blue.fetches(world, false).await;
    let goals = open_goals(&world.truth(), Team::Blue);
    blue.goes(world, goals[0]).await;
    assert_eq!(blue.does("Place").await, "Placed Completed");
}

/// Blue completes its only goal after Red is lost.
async fn wins_without(world: &World, blue: &mut Seat, red: Seat) {
    drop(red);
    world.until(|game| game.all_players()[1].connection == Connection::Lost).await;
    wins(world, blue).await;
}

#[tokio::test]
async fn a_team_that_has_all_its_goals_wins() {
    for mut world in [World::with(SMALL, &[ONE_GOAL]).await, World::in_one_process(SMALL, &[ONE_GOAL]).await] {
        blue_wins(&mut world).await;
    }
}

async fn blue_wins(world: &mut World) {
    let [mut blue, mut red] = world.begun().await;
    wins(world, &mut blue).await;
    for seat in [&mut blue, &mut red] {
        seat.wire.hears("End Success: Blue, Blue 1, Red 0").await;
        assert_eq!(seat.wire.next().await, None, "all connections are closed");
    }
    let Ok(Finished::Over(outcome)) = world.master_ends().await else { panic!("it is over") };
    assert_eq!((outcome.reason, outcome.winner, outcome.tie), (EndReason::Success, Team::Blue, false));
    assert_eq!(world.server_ends().await, Ended::Over);
    world.trace_has("the game is over: Success: Blue has completed all its goals; Blue wins, Blue 1, Red 0").await;
    world.trace_has("response times beyond the costs: ").await;
}

#[tokio::test]
async fn a_lost_player_comes_back_for_the_result() {
    let mut world = World::with(SMALL, &[ONE_GOAL]).await;
    let [mut blue, red] = world.begun().await;
    wins_without(&world, &mut blue, red).await;
    blue.wire.hears("End Success: Blue, Blue 1, Red 0").await;
    let mut red = world.join(2).await;
    assert_eq!(red.id, 2);
    red.wire.hears("End Success: Blue, Blue 1, Red 0").await;
    assert_eq!(red.wire.next().await, None);
    assert!(matches!(world.master_ends().await, Ok(Finished::Over(_))));
    assert_eq!(world.server_ends().await, Ended::Over);
}

/// Stopping a Game Master that waits for a player ends the server, too.
#[tokio::test]
async fn a_game_master_that_is_stopped_after_the_end_ends_the_server() {
    let mut world = World::with(SMALL, &[ONE_GOAL]).await;
    let [mut blue, red] = world.begun().await;
    wins_without(&world, &mut blue, red).await;
    blue.wire.hears("End Success: Blue, Blue 1, Red 0").await;
    world.stop_master.send_replace(true);
    assert!(matches!(world.master_ends().await, Ok(Finished::Over(_))));
    assert_eq!(world.server_ends().await, Ended::Over);
}

#[tokio::test]
async fn a_player_that_stays_away_does_not_block_the_end() {
    let mut world =
        World::with(SMALL, &[ONE_GOAL, ("\"reconnection_attempts\": 40", "\"reconnection_attempts\": 3")]).await;
    let [mut blue, red] = world.begun().await;
    wins_without(&world, &mut blue, red).await;
    blue.wire.hears("End Success: Blue, Blue 1, Red 0").await;
    assert!(matches!(world.master_ends().await, Ok(Finished::Over(_))));
    world.trace_has("not all players came back for the result").await;
    assert_eq!(world.server_ends().await, Ended::Over);
}

#[tokio::test]
async fn a_team_without_players_ends_the_game() {
    let mut world = World::with(SMALL, &[("\"reconnection_attempts\": 40", "\"reconnection_attempts\": 1")]).await;
    let [blue, mut red] = world.begun().await;
    drop(blue);
    red.wire.hears("End Timeout: Red, Blue 0, Red 0").await;
    let Ok(Finished::Over(outcome)) = world.master_ends().await else { panic!("it is over") };
    assert!(outcome.tie, "the log says so");
    assert_eq!(world.server_ends().await, Ended::Over);
}

#[tokio::test]
async fn an_internal_error_is_a_failure() {
    let mut world = World::new(SMALL).await;
    let [mut blue, mut red] = world.begun().await;
    let (_, handle) = world.host.handles::<project_rules::Game>().pop().expect("the game");
    let fail = project_rules::Command::Fail { because: "the sky falls".into() };
    handle.submit(project_rules::GAME_MASTER, fail).await.expect("an entry");
    for seat in [&mut blue, &mut red] {
        seat.wire.hears("End Failure: Blue, Blue 0, Red 0").await;
    }
    let Ok(Finished::Over(outcome)) = world.master_ends().await else { panic!("it is over") };
    assert_eq!(outcome.reason, EndReason::Failure);
    assert_eq!(world.server_ends().await, Ended::Over);
}

/// A Game Master that was killed after the end sends the result when it is restarted.
#[tokio::test]
async fn a_restarted_game_master_sends_the_result() {
    let mut world = World::on_file_with(SMALL, &[ONE_GOAL]).await;
    let [mut blue, mut red] = world.begun().await;
    blue.fetches(&world, false).await;
    let goals = open_goals(&world.truth(), Team::Blue);
    blue.goes(&world, goals[0]).await;
    let (_, handle) = world.host.handles::<project_rules::Game>().pop().expect("the game");
    let client = blue.player(&world.truth()).client;
    world.kill().await;
    // The last action is added to the log without the Game Master, as if the Game Master had been killed just after it.
    let place = project_rules::Command::Place { id: crate::wire::id(9).as_str().into() };
    handle.submit(client, place).await.expect("an entry");
    // A crash can happen before the log marks the end.
    world.unmark().await;
    assert_eq!(world.tells_late().await, Some(EndReason::Success));
    for seat in [&mut blue, &mut red] {
        seat.wire.hears(&format!("Confirmation {}", seat.id)).await;
        seat.wire.hears("End Success: Blue, Blue 1, Red 0").await;
        assert_eq!(seat.wire.next().await, None);
    }
    assert_eq!(world.server_ends().await, Ended::Over);
}

#[tokio::test]
async fn a_new_game_begins_if_no_player_waits_for_the_last_result() {
    let mut world = World::on_file_with(SMALL, &[ONE_GOAL]).await;
    let [mut blue, _red] = world.begun().await;
    wins(&world, &mut blue).await;
    assert!(matches!(world.master_ends().await, Ok(Finished::Over(_))));
    assert_eq!(world.server_ends().await, Ended::Over);
    world.another_server().await;
    assert_eq!(world.tells_late().await, None, "all have heard");
    world.begin_again().await;
    let one = world.join(1).await;
    assert_eq!((one.id, world.truth().public().actions()), (1, 0), "a new game");
}

#[tokio::test]
async fn answers_wait_until_they_are_durable_and_a_failing_log_ends_the_game() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let mut world = World::on_log(SMALL, Arc::new(log.clone())).await;
    let [mut blue, mut red] = world.begun().await;
    log.hold();
    let message = blue.asks("Pickup").await;
    blue.wire.hears_nothing().await;
    log.release();
    blue.wire.hears(&format!("PickedUp false to #{message}")).await;

    log.fail_at(log.writes() + 1);
    blue.asks("Discover").await;
    for seat in [&mut blue, &mut red] {
        seat.wire.hears("End Failure: Blue, Blue 0, Red 0").await;
        assert_eq!(seat.wire.next().await, None);
    }
    let failed = world.master_ends().await.expect_err("a failure");
    assert!(matches!(failed, MasterError::GameFailed), "{failed}");
    assert_eq!(world.server_ends().await, Ended::Over);
}
