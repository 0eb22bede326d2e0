//! Lost players, and new pieces.

use engine::{CommId, Rulebook};
use project_rules::{Command, Note, Piece, Placed, Position, Team, Timer, Zone};

use crate::table::{ONE, Table, at, hash, request, with};

const AWAITED: Timer = Timer::Return { player: 1 };

/// Two against two, so that the game goes on after one player has left.
fn two(changes: &str) -> Table {
    Table::begun(&with(&with(ONE, r#"{"players_per_team": 2}"#), changes))
}

#[test]
fn a_player_comes_back() {
    let mut table = two("{}");
    table.fetches(1, false);
    let stood = table.position(1);
    assert_eq!(table.does(1, Command::Lost {}), "[1 lost]");
    assert_eq!(table.timers.get(&AWAITED), Some(&(5 * 20_000)));
    assert!(table.game.pawn_at(stood).is_some(), "its pawn stays");
    assert_eq!(table.joins(1), "[1 back]; 1> you are 1");
    assert_eq!(table.timers.get(&AWAITED), None);
    assert_eq!((table.position(1), table.player(1).load.is_some()), (stood, true), "its id, pawn and piece");
}

#[test]
fn a_player_comes_back_as_another_client() {
    let mut table = two("{}");
    table.fetches(1, false);
    table.does(1, Command::Lost {});
    let start = format!("9> 4 x 8, 1 Blue, 2 Blue, 3 Red, 4 Red, at {}", table.position(1));
    let said = table.does(9, Command::Join { hash: hash(1) });
    assert_eq!(said, format!("-1; +9; [1 back]; 9> you are 1; {start}"), "that client was never told");
    let view = table.game.view(CommId(9));
    assert_eq!((view.team, view.leader), (Some(Team::Blue), true));
    assert!(table.player(9).load.is_some());
    assert_eq!(table.does(1, request("a", "Test")), "1> refused: You do not take part; join first.");
    assert_eq!(table.asks(9, "Test"), "tests its piece: it is one");
    let said = table.does(9, Command::Join { hash: hash(2) });
    assert_eq!(said, "9> refused: You are player 1 already, under another hash.", "a client is only one player");
}

#[test]
fn requests_of_a_lost_player_are_carried_out() {
    let mut table = two(r#"{"costs": {"discover": 450}}"#);
    table.does(1, request("a", "Discover"));
    table.does(1, Command::Lost {});
    table.rings(Timer::Action { player: 1 });
    table.joins(1);
    assert!(table.does(1, request("a", "Discover")).starts_with("1> a again: discovers"));
}

#[test]
fn attempts_and_interval() {
    let mut table = two(r#"{"reconnection_attempts": 3, "reconnection_interval": 7}"#);
    table.does(1, Command::Lost {});
    assert_eq!(table.timers.get(&AWAITED), Some(&21_000));
}

#[test]
fn after_the_last_attempt_the_pawn_leaves() {
    let mut table = two(r#"{"costs": {"test": 500000}}"#);
    let stood = table.position(1);
    table.does(1, request("a", "Test"));
    table.does(1, request("b", "Test"));
    table.does(1, Command::Lost {});
    assert_eq!(table.rings(AWAITED), "[1 left]; -1");
    assert_eq!(table.timers.get(&Timer::Action { player: 1 }), None, "what it asked for is void");
    let gone = &table.game.all_players()[0];
    assert_eq!((gone.doing(), gone.waiting()), (None, 0));
    assert!(table.game.pawn_at(stood).is_none());
    assert_eq!(table.game.outcome(), None, "the game goes on");
    assert_eq!(table.joins(1), "1> refused: The game is running; no new player can join it.");
    assert_eq!(table.does(1, request("c", "Test")), "1> refused: You do not take part; join first.");
    assert_eq!((table.game.client_of(1), table.game.answered(CommId(1), "a")), (None, None));
    table.walks(2, stood);
}

/// Makes a player that carries a piece leave, and returns the tile on which the piece falls.
fn falls(table: &mut Table) -> Option<Position> {
    let before: Vec<Position> = table.game.ground().pieces().map(|(tile, _)| tile).collect();
    table.does(1, Command::Lost {});
    let said = table.rings(AWAITED);
    let fallen = table.game.ground().pieces().map(|(tile, _)| tile).find(|tile| !before.contains(tile));
    let note = Note::PieceFell { player: 1, at: fallen };
    assert!(said.starts_with(&format!("[1 left]; -1; 0> {note}")), "{said}");
    fallen
}

#[test]
fn the_piece_falls() {
    let mut table = two("{}");
    table.fetches(1, false);
    let stood = table.position(1);
    assert_eq!(falls(&mut table), Some(stood), "on that tile");

    let mut table = two("{}");
    table.fetches(1, false);
    let (occupied, _) = table.game.ground().pieces().next().expect("another");
    table.walks(1, occupied);
    let fallen = falls(&mut table).expect("it falls somewhere");
    let area = table.game.ground().area();
    assert_eq!(area.zone(fallen), Some(Zone::Task));
    let nearer = area.tiles(Zone::Task).filter(|tile| tile.distance(occupied) < fallen.distance(occupied));
    assert!(nearer.into_iter().all(|tile| table.game.ground().piece_at(tile).is_some()), "the nearest free one");
    assert!(fallen != occupied);
}

#[test]
fn from_a_goal_area_the_piece_falls_on_the_nearest_task_tile() {
    let mut table = two(r#"{"pieces": 1}"#);
    table.fetches(1, false);
    table.walks(1, at(2, 0));
    assert_eq!(falls(&mut table), Some(at(2, 2)));
}

#[test]
fn a_piece_without_room_is_gone() {
    // All 16 tiles have a piece. A player carries one to its goal area, a new one appears, and the player picks up the first
    // one again.
    let mut table = two(r#"{"pieces": 16, "respawn_interval": 1000}"#);
    table.brings(1, at(0, 0), Placed::Meaningless);
    table.rings(Timer::Respawn);
    assert_eq!(table.game.ground().pieces().count(), 17);
    assert_eq!(table.asks(1, "PickUp"), "picks up a piece");
    assert_eq!(falls(&mut table), None);
    assert_eq!(table.game.ground().pieces().count(), 16);
}

#[test]
fn no_new_pieces_unless_configured() {
    assert_eq!(two("{}").timers.len(), 0);
    assert_eq!(two(r#"{"respawn_interval": 0}"#).timers.len(), 0);
    assert_eq!(Table::new(&with(ONE, r#"{"respawn_interval": 1000}"#)).timers.len(), 0, "not in the lobby");
}

#[test]
fn new_pieces_replace_those_that_are_gone() {
    let changes = r#"{"respawn_interval": 1000, "goals": [{"x": 1, "y": 0}, {"x": 2, "y": 0}]}"#;
    let mut table = Table::begun(&with(ONE, changes));
    assert_eq!(table.timers.get(&Timer::Respawn), Some(&1000));
    assert_eq!(table.rings(Timer::Respawn), "", "as many as at the start are there");
    assert_eq!(table.timers.get(&Timer::Respawn), Some(&2000));
    table.fetches(1, false);
    assert_eq!(table.rings(Timer::Respawn), "", "a carried one counts");
    table.walks(1, at(1, 0));
    table.asks(1, "Place");
    let said = table.rings(Timer::Respawn);
    assert!(said.starts_with("0> A new piece lies at"), "{said}");
    let ground = table.game.ground();
    assert_eq!(ground.in_task_area().count(), 3);
    assert_eq!(table.rings(Timer::Respawn), "");
}

#[test]
fn new_pieces_are_shams_in_their_share() {
    let (mut shams, mut all) = (0, 0);
    for seed in 0..40 {
        let changes = r#"{"pieces": 16, "shams_percentage": 25, "respawn_interval": 1000}"#;
        let mut table = Table::begun_seeded(&with(ONE, changes), seed);
        for tile in [at(0, 0), at(0, 1), at(2, 0), at(2, 1), at(3, 0), at(3, 1)] {
            table.brings(1, tile, Placed::Meaningless);
            let before: Vec<(Position, Piece)> = table.game.ground().pieces().collect();
            table.rings(Timer::Respawn);
            let new = table.game.ground().pieces().find(|lying| !before.contains(lying));
            all += 1;
            shams += usize::from(new.expect("one has come").1.sham);
        }
    }
    assert!((30..90).contains(&shams), "{shams} of {all} are shams, and 60 are expected");
}
