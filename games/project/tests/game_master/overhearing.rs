//! The Game Master sees exchanges between players only if the server sends it copies. Then they are in the log, as part of a
//! player's knowledge.

use engine::{CommId, Rulebook};
use project::documents::Timestamp;
use project_rules::{Game, Position};

use crate::{
    wire::{self, to_player},
    world::{SMALL, Seat, World},
};

const REQUEST: &str = "<Request/>";
const ALLOW: &str = "<Response><Result>Allow</Result></Response>";
const DECLINE: &str = "<Response><Result>Decline</Result></Response>";

fn piece(x: i32, y: i32, timestamp: Option<&str>) -> String {
    let timestamp = timestamp.map(|at| format!(" timestamp=\"{at}\"")).unwrap_or_default();
    format!(
        "<Tile{timestamp}><Position><X>{x}</X><Y>{y}</Y></Position><Distance>0</Distance>\
         <TileObject>Piece</TileObject></Tile>"
    )
}

/// A document as players send it. The server forwards it unchanged.
fn messages(all: &[String]) -> String {
    wire::messages(all).replacen("<Messages", "<Messages xmlns=\"http://messageSchema.something.com\"", 1)
}

fn data(tiles: &[String]) -> String {
    format!("<Data><Tiles>{}</Tiles></Data>", tiles.concat())
}

async fn says(from: &mut Seat, to: &mut Seat, [message, context]: [u32; 2], content: &str, heard: &str) {
    let context = (context > 0).then_some(context);
    from.wire.say(&messages(&[to_player([from.id, to.id], message, context, content)])).await;
    to.wire.hears(heard).await;
}

fn knows(game: &Game, seat: &Seat, x: i32, y: i32) -> bool {
    let client = seat.player(game).client;
    game.view(client).tiles.get(&Position { x, y }).is_some_and(|seen| seen.piece)
}

/// Waits until a later exchange is in the log. Then all earlier messages are handled.
async fn marker(world: &World, from: &mut Seat, to: &mut Seat, message: u32, x: i32) {
    let now = Timestamp::from_millis(1).to_string();
    says(from, to, [message, 0], REQUEST, &format!("{} asks as #{message}", from.id)).await;
    says(to, from, [message + 1, message], ALLOW, &format!("{} allows", to.id)).await;
    let tiles = data(&[piece(x, 7, Some(&now))]);
    says(from, to, [message + 2, message], &tiles, &format!("{} tells of 1", from.id)).await;
    let client = to.id;
    world.until(|game| game.view(CommId(client)).tiles.contains_key(&Position { x, y: 7 })).await;
}

#[tokio::test]
async fn an_exchange_is_known_also_after_a_crash() {
    let mut world = World::in_one_process(SMALL, &[]).await;
    let [mut blue, mut red] = world.begun().await;
    says(&mut blue, &mut red, [501, 0], REQUEST, "1 asks as #501").await;
    says(&mut red, &mut blue, [502, 501], ALLOW, "2 allows").await;
    let tiles = data(&[piece(2, 4, None), piece(9, 9, None), piece(3, 4, Some("2999-01-01T00:00:00Z"))]);
    says(&mut blue, &mut red, [503, 501], &tiles, "1 tells of 3").await;
    let back = data(&[piece(1, 4, None)]);
    says(&mut red, &mut blue, [504, 501], &back, "2 tells of 1").await;

    let game = world.until(|game| game.view(CommId(1)).tiles.len() == 1).await;
    assert!(knows(&game, &red, 2, 4) && knows(&game, &red, 3, 4), "the other learns from the asker");
    assert!(knows(&game, &blue, 1, 4), "and the asker from the other");
    assert_eq!([&blue, &red].map(|seat| game.view(seat.player(&game).client).tiles.len()), [1, 2], "no more");
    world.trace_has("1 shares 2 tiles with 2").await;
    for seat in [&mut blue, &mut red] {
        seat.wire.hears_nothing().await;
    }

    world.begin_again().await;
    let game = world.truth();
    assert!(knows(&game, &red, 3, 4) && knows(&game, &blue, 1, 4), "it is in the log");
}

#[tokio::test]
async fn only_requested_and_allowed_exchanges_count() {
    let world = World::in_one_process(SMALL, &[]).await;
    let [mut blue, mut red] = world.begun().await;
    let tiles = data(&[piece(2, 4, None)]);
    says(&mut blue, &mut red, [501, 0], &tiles, "1 tells of 1").await;
    says(&mut blue, &mut red, [502, 500], &tiles, "1 tells of 1").await;
    says(&mut blue, &mut red, [503, 500], ALLOW, "1 allows").await;
    says(&mut blue, &mut red, [504, 500], &tiles, "1 tells of 1").await;
    says(&mut blue, &mut red, [510, 0], REQUEST, "1 asks as #510").await;
    says(&mut blue, &mut red, [511, 510], &tiles, "1 tells of 1").await;
    says(&mut red, &mut blue, [512, 510], DECLINE, "2 declines").await;
    says(&mut blue, &mut red, [513, 510], &tiles, "1 tells of 1").await;
    says(&mut red, &mut blue, [514, 513], ALLOW, "2 allows").await;
    says(&mut blue, &mut red, [515, 513], &tiles, "1 tells of 1").await;
    marker(&world, &mut blue, &mut red, 600, 0).await;
    assert!(!knows(&world.truth(), &red, 2, 4), "unasked, declined, or of another exchange");

    // Red allows this exchange. Its answer and its data are in one document.
    let (request, response) = (to_player([1, 2], 700, None, REQUEST), to_player([2, 1], 701, Some(700), ALLOW));
    blue.wire.say(&messages(&[request])).await;
    red.wire.hears("1 asks as #700").await;
    red.wire.say(&messages(&[response, to_player([2, 1], 702, Some(700), &data(&[piece(3, 3, None)]))])).await;
    blue.wire.hears("2 allows").await;
    world.until(|game| knows(game, &blue, 3, 3)).await;
}

/// A separate server sends no copies.
#[tokio::test]
async fn without_copies_nothing_is_known() {
    let world = World::new(SMALL).await;
    let [mut blue, mut red] = world.begun().await;
    says(&mut blue, &mut red, [501, 0], REQUEST, "1 asks as #501").await;
    says(&mut red, &mut blue, [502, 501], ALLOW, "2 allows").await;
    says(&mut blue, &mut red, [503, 501], &data(&[piece(2, 4, None)]), "1 tells of 1").await;
    red.does("Move Left").await;
    assert!(!knows(&world.truth(), &red, 2, 4));
}
