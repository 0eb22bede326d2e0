//! Random positions.

use std::collections::BTreeMap;

use engine::{Outbox, Rulebook};
use project_rules::{Game, Position, Setup, Zone};

use crate::table::{ONE, Table, with};

#[test]
fn the_right_number_of_pieces_lies_on_different_task_tiles() {
    for (pieces, percentage, shams) in [(16, 50, 8), (9, 33, 3), (1, 0, 0), (5, 50, 3)] {
        let changes = format!(r#"{{"pieces": {pieces}, "shams_percentage": {percentage}}}"#);
        let setup = Setup::new(&with(ONE, &changes)).expect("a setup");
        for seed in 0..100 {
            let game = Game::start(&setup, seed, &mut Outbox::new());
            let ground = game.ground();
            assert_eq!(ground.pieces().count(), pieces);
            assert_eq!(ground.pieces().filter(|(_, piece)| piece.sham).count(), shams);
            assert!(ground.pieces().all(|(tile, _)| ground.area().zone(tile) == Some(Zone::Task)));
        }
    }
}

/// Pieces, shams and pawns are on every tile about equally often.
#[test]
fn every_tile_is_as_likely() {
    const GAMES: usize = 4000;
    let mut pieces: BTreeMap<Position, usize> = BTreeMap::new();
    let (mut shams, mut pawns) = (pieces.clone(), pieces.clone());
    for seed in 0..GAMES as i64 {
        let table = Table::begun_seeded(&with(ONE, r#"{"pieces": 4, "shams_percentage": 50}"#), seed);
        for (tile, piece) in table.game.ground().pieces() {
            *pieces.entry(tile).or_default() += 1;
            *shams.entry(tile).or_default() += usize::from(piece.sham);
        }
        let stood = table.game.all_players().iter().filter_map(|player| player.position);
        stood.for_each(|tile| *pawns.entry(tile).or_default() += 1);
    }
    // A count that is more than five standard deviations from the expected number is not an accident.
    let fair = |counts: &BTreeMap<Position, usize>, share: f64| {
        assert_eq!(counts.len(), 16);
        let (mean, deviation) = (GAMES as f64 * share, (GAMES as f64 * share * (1.0 - share)).sqrt());
        for (tile, count) in counts {
            assert!((*count as f64 - mean).abs() < 5.0 * deviation, "{tile}: {count} of {mean}");
        }
    };
    fair(&pieces, 4.0 / 16.0);
    fair(&shams, 2.0 / 16.0);
    fair(&pawns, 1.0 / 8.0);
}

#[test]
fn all_bits_of_a_seed_matter() {
    let setup = Setup::new("classic").expect("a setup");
    let laid = |seed: i64| Game::start(&setup, seed, &mut Outbox::new()).ground().clone();
    for bit in 0..64 {
        assert_ne!(laid(5), laid(5 ^ (1 << bit)), "bit {bit}");
    }
    assert_eq!(laid(5), laid(5));
}
