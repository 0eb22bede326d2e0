//! Every action and its answer on the wire, known ids, queues and batches.

use project_rules::{Area, Position, Team};

use crate::{
    wire::{action, messages, one},
    world::{SMALL, World, open_goals},
};

#[tokio::test]
async fn moving_and_discovering() {
    let world = World::new(SMALL).await;
    let [mut blue, _red] = world.begun().await;
    blue.goes(&world, Position { x: 0, y: 0 }).await;
    assert_eq!(blue.does("Move Down").await, "Stays (0, 0)");
    assert_eq!(blue.does("Move Left").await, "Stays (0, 0)");
    let truth = world.truth();
    let distance = truth.ground().distance(Position { x: 0, y: 1 });
    assert_eq!(blue.does("Move Up").await, format!("Moved (0, 1), {distance} away"));

    let tiles = truth.ground().area().around(Position { x: 0, y: 1 }).map(|at| {
        let object = if truth.ground().piece_at(at).is_some() { "Piece" } else { "Nothing" };
        format!("{at} {} {object}", truth.ground().distance(at))
    });
    let expected: Vec<String> = tiles.collect();
    assert_eq!(expected.len(), 5, "the own tile is not among them");
    assert_eq!(blue.does("Discover").await, format!("Discovered {}", expected.join("; ")));

    // A player cannot enter the other team's goal area.
    blue.goes(&world, Position { x: 0, y: 5 }).await;
    assert_eq!(blue.does("Move Up").await, "Stays (0, 5)");
}

#[tokio::test]
async fn pieces_and_goals() {
    let world = World::new(SMALL).await;
    let [mut blue, _red] = world.begun().await;
    assert_eq!(blue.does("Place").await, "Placed Disallowed", "without a piece");
    assert_eq!(blue.does("Pickup").await, "PickedUp false", "there is none in a goal area");
    let silent = blue.asks("Test").await;
    world.trace_has("has no piece to test and is told nothing").await;
    blue.wire.ask(blue.id, silent, &action("Test")).await;
    blue.wire.hears_nothing().await;

    blue.fetches(&world, false).await;
    assert_eq!(blue.does("Pickup").await, "PickedUp false", "the hands are full");
    assert_eq!(blue.does("Test").await, "Tested Piece");
    assert_eq!(blue.does("Place").await, "Placed Disallowed", "in the task area");
    let goals = open_goals(&world.truth(), Team::Blue);
    blue.goes(&world, goals[0]).await;
    assert_eq!(blue.does("Place").await, "Placed Completed");
    assert_eq!(blue.does("Place").await, "Placed Disallowed");

    blue.fetches(&world, true).await;
    assert_eq!(blue.does("Test").await, "Tested Sham");
    assert_eq!(blue.player(&world.truth()).load, None, "it is gone");

    blue.fetches(&world, false).await;
    let barren = not_a_goal(&world);
    blue.goes(&world, barren).await;
    assert_eq!(blue.does("Place").await, "Placed Meaningless");
    assert_eq!(blue.does("Pickup").await, "PickedUp true", "it stays on the tile");
    assert_eq!(blue.does("Place").await, "Placed Meaningless");

    blue.fetches(&world, true).await;
    blue.goes(&world, goals[1]).await;
    let silent = blue.asks("Place").await;
    world.trace_has("placed a sham at").await;
    // A repeated request gets no answer again.
    blue.wire.ask(blue.id, silent, &action("Place")).await;
    blue.wire.hears_nothing().await;
    assert_eq!(world.truth().ground().goal_at(goals[1]), Some(false));
}

fn not_a_goal(world: &World) -> Position {
    let truth = world.truth();
    let Area { width, .. } = truth.ground().area();
    let row = (0..width).map(|x| Position { x, y: 1 });
    let mut barren = row.filter(|at| truth.ground().goal_at(*at).is_none());
    barren.next().expect("a tile without a goal")
}

#[tokio::test]
async fn a_known_id_is_answered_as_before() {
    let world = World::new(SMALL).await;
    let [mut blue, _red] = world.begun().await;
    let message = blue.asks("Discover").await;
    let (words, first) = blue.wire.next_with_text().await.expect("an answer");
    assert!(words.starts_with("Discovered "), "{words}");
    let before = world.truth();
    let entries = world.host.list();
    for content in ["Discover", "Move Up", "Discover"] {
        // The content does not matter, because this id was already answered.
        blue.wire.ask(blue.id, message, &action(content)).await;
        let (_, again) = blue.wire.next_with_text().await.expect("an answer");
        assert_eq!(again, first, "to the last letter");
    }
    assert_eq!(world.truth(), before, "nothing was folded");
    assert_eq!(format!("{:?}", world.host.list()), format!("{entries:?}"));
}

#[tokio::test]
async fn requests_queue_and_take_their_time() {
    let costs = r#""costs": {"move": 150, "discover": 40}, "players_per_team": 1"#;
    let world = World::with(SMALL, &[("\"players_per_team\": 1", costs)]).await;
    let [mut blue, mut red] = world.begun().await;
    let begun = tokio::time::Instant::now();
    // A document with three requests; one of them occurs twice.
    let batch: Vec<String> = [(21, "Move Up"), (22, "Discover"), (23, "Move Down"), (22, "Discover")]
        .iter()
        .map(|(number, words)| one(blue.id, *number, &action(words)))
        .collect();
    blue.wire.say(&messages(&batch)).await;
    assert_eq!(red.does("Pickup").await, "PickedUp false", "no other player waits");
    let up = blue.wire.next().await.expect("an answer");
    assert!(up.ends_with(" to #21"), "{up}");
    let seen = blue.wire.next().await.expect("an answer");
    assert!(seen.starts_with("Discovered ") && seen.ends_with(" to #22"), "{seen}");
    let down = blue.wire.next().await.expect("an answer");
    assert!(down.ends_with(" to #23"), "{down}");
    let took = begun.elapsed().as_millis();
    assert!(took >= 340, "two moves and a discovery take 340 ms, not {took}");
    blue.wire.hears_nothing().await;
}

#[tokio::test]
async fn a_hundred_in_one_document() {
    let world = World::new(SMALL).await;
    let [mut blue, _red] = world.begun().await;
    blue.goes(&world, Position { x: 0, y: 0 }).await;
    let batch: Vec<String> = (0..100).map(|number| one(blue.id, 500 + number, &action("Move Left"))).collect();
    blue.wire.say(&messages(&batch)).await;
    for number in 0..100 {
        blue.wire.hears(&format!("Stays (0, 0) to #{}", 500 + number)).await;
    }
    let documents = blue.wire.came.iter().filter(|document| document.contains("Failure")).count();
    assert!(documents < 100, "answers are told together: {documents} documents");
}
