//! Moves, distances and discoveries.

use std::collections::BTreeSet;

use engine::CommId;
use project_rules::{Answer, Direction, Position, Team, Tile, TileObject, Zone};

use crate::table::{DIRECTIONS, ONE, Table, at, request, with};

#[test]
fn areas() {
    for (height, rows) in [(4, 1), (7, 1), (8, 2), (11, 2), (40, 10)] {
        let area = project_rules::Area { width: 3, height };
        assert_eq!(area.goal_rows(), rows, "floor({height} / 4)");
        assert_eq!(area.zone(at(0, rows - 1)), Some(Zone::Goal(Team::Blue)), "Blue is at the bottom");
        assert_eq!(area.zone(at(0, rows)), Some(Zone::Task));
        assert_eq!(area.zone(at(0, height - rows - 1)), Some(Zone::Task));
        assert_eq!(area.zone(at(0, height - rows)), Some(Zone::Goal(Team::Red)));
        for zone in [Zone::Task, Zone::Goal(Team::Blue), Zone::Goal(Team::Red)] {
            assert_eq!(area.tiles(zone).count() as i64, area.size(zone));
            assert!(area.tiles(zone).all(|tile| area.zone(tile) == Some(zone)));
        }
    }
    assert_eq!(at(3, 3).toward(Direction::Up), at(3, 4));
    assert_eq!(at(3, 3).toward(Direction::Down), at(3, 2));
    assert_eq!(at(3, 3).toward(Direction::Left), at(2, 3));
    assert_eq!(at(3, 3).toward(Direction::Right), at(4, 3));
}

/// Checks one step of Blue from a position. `to` is the new position, or `None` if the step fails.
#[track_caller]
fn check(table: &mut Table, from: Position, direction: &str, to: Option<Position>) {
    table.walks(1, from);
    let expected = match to {
        Some(to) => format!("moves to {to}, {} from a piece", nearest(table, to)),
        None => format!("cannot move and stays at {from}"),
    };
    assert_eq!(table.asks(1, direction), expected, "{from} {direction}");
}

fn nearest(table: &Table, from: Position) -> i32 {
    let ground = table.game.ground();
    let lying = ground.pieces().filter(|(tile, _)| ground.area().zone(*tile) == Some(Zone::Task));
    lying.map(|(tile, _)| (tile.x - from.x).abs() + (tile.y - from.y).abs()).min().unwrap_or(-1)
}

#[test]
fn moves() {
    let mut table = Table::begun(ONE);
    check(&mut table, at(0, 0), "Left", None);
    check(&mut table, at(0, 0), "Down", None);
    check(&mut table, at(0, 0), "Up", Some(at(0, 1)));
    check(&mut table, at(0, 0), "Right", Some(at(1, 0)));
    check(&mut table, at(3, 3), "Right", None);
    check(&mut table, at(3, 3), "Left", Some(at(2, 3)));
    check(&mut table, at(2, 4), "Up", Some(at(2, 5)));
    check(&mut table, at(2, 5), "Up", None);
    check(&mut table, at(2, 2), "Down", Some(at(2, 1)));
    table.walks(2, at(0, 2));
    assert_eq!(table.asks(2, "Down"), "cannot move and stays at (0, 2)", "Red not into Blue's area");
    check(&mut table, at(0, 1), "Up", None);
    check(&mut table, at(1, 2), "Left", None);
    table.walks(2, at(0, 3));
    check(&mut table, at(0, 1), "Up", Some(at(0, 2)));
}

#[test]
fn moves_are_free_of_pieces() {
    let table = &mut Table::begun(&with(ONE, r#"{"pieces": 16, "shams_percentage": 50}"#));
    for tile in table.game.ground().area().tiles(Zone::Task).collect::<Vec<_>>() {
        table.walks(1, tile);
        assert_eq!(table.player(1).load, None, "a piece is not picked up by entering its tile");
    }
}

#[test]
fn the_distance_counts_shams_but_not_what_is_carried_or_lies_in_a_goal_area() {
    let mut table = Table::begun(&with(ONE, r#"{"pieces": 2, "shams_percentage": 50}"#));
    table.fetches(1, false);
    let (sham, _) = table.game.ground().pieces().next().expect("the sham lies");
    table.walks(1, at(0, 1));
    table.walks(1, at(0, 0));
    let expected = sham.x + sham.y;
    assert_eq!(table.asks(1, "Place"), "places its piece where no goal is");
    table.walks(1, at(0, 1));
    assert_eq!(table.asks(1, "Down"), format!("moves to (0, 0), {expected} from a piece"));
    table.fetches(1, true);
    let before = table.position(1);
    let direction = DIRECTIONS.into_iter().find(|way| {
        let next = before.toward(*way);
        table.game.ground().area().zone(next) == Some(Zone::Task) && table.game.pawn_at(next).is_none()
    });
    let direction = direction.expect("a way");
    let said = table.does(1, request("last", &format!("{direction:?}")));
    assert!(said.starts_with("1> last: moves to"), "{said}");
    let answer = table.game.answered(CommId(1), "last");
    let position = before.toward(direction);
    assert_eq!(answer, Some(Answer::Moved { success: true, position, distance: Some(-1) }), "-1 if none");
}

#[track_caller]
fn discovered(table: &mut Table, client: u32) -> Vec<Tile> {
    let id = format!("look-{}", table.game.public().actions());
    table.does(client, request(&id, "Discover"));
    match table.game.answered(CommId(client), &id) {
        Some(Answer::Discovered { tiles }) => tiles.to_vec(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn discovering() {
    let mut table = Table::begun(&with(ONE, r#"{"pieces": 8, "shams_percentage": 50}"#));
    table.walks(2, at(2, 3));
    for (from, count) in [(at(0, 0), 3), (at(1, 0), 5), (at(3, 2), 5), (at(1, 2), 8), (at(1, 4), 8), (at(3, 5), 5)] {
        table.walks(1, from);
        let tiles = discovered(&mut table, 1);
        assert_eq!(tiles.len(), count, "{from}");
        let different: BTreeSet<Position> = tiles.iter().map(|tile| tile.position).collect();
        assert_eq!(different.len(), count);
        for tile in tiles {
            let Position { x, y } = tile.position;
            assert!(tile.position != from && (x - from.x).abs() <= 1 && (y - from.y).abs() <= 1, "a neighbour");
            assert_eq!(tile.distance, nearest(&table, tile.position));
            let piece = table.game.ground().piece_at(tile.position).is_some();
            assert_eq!(tile.object == TileObject::Piece, piece);
            assert_eq!(tile.object == TileObject::Nothing, !piece, "goals and shams stay hidden");
            assert_eq!(tile.player, (tile.position == at(2, 3)).then_some((2, Team::Red)));
        }
    }
}

#[test]
fn goals_stay_hidden_when_done() {
    let two = r#"{"goals": [{"x": 1, "y": 0}, {"x": 3, "y": 1}]}"#;
    let mut table = Table::begun(&with(ONE, two));
    table.brings(1, at(1, 0), project_rules::Placed::Completed);
    table.walks(1, at(0, 0));
    let tiles = discovered(&mut table, 1);
    let goal = tiles.iter().find(|tile| tile.position == at(1, 0)).expect("a neighbour");
    assert_eq!(goal.object, TileObject::Nothing);
}
