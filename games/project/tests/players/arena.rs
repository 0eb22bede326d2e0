//! How well strategies play.

use project::players::{Strategy, arena};
use project_rules::{Setup, Team};

/// The number of games that the first strategy won and lost. Each seed is played twice, with the teams swapped.
fn meet(setup: &Setup, seeds: std::ops::RangeInclusive<i64>, one: Strategy, other: Strategy) -> (u32, u32) {
    let (mut won, mut lost) = (0, 0);
    for seed in seeds {
        for (strategies, own) in [([one, other], Team::Blue), ([other, one], Team::Red)] {
            match arena::play(setup, seed, strategies).winner() {
                Some(team) if team == own => won += 1,
                Some(_) => lost += 1,
                None => {}
            }
        }
    }
    (won, lost)
}

fn setup(name: &str, players: i32) -> Setup {
    Setup { players_per_team: players, ..Setup::new(name).expect("a built-in scenario") }
}

/// The seeds to play; the long tests play more of them.
fn seeds(usual: i64, long: i64) -> std::ops::RangeInclusive<i64> {
    1..=if std::env::var_os("HOLDFAST_LONG").is_some() { long } else { usual }
}

#[test]
fn the_same_seed_is_the_same_game() {
    let setup = setup("team", 4);
    let played = |seed| arena::play(&setup, seed, [Strategy::Team, Strategy::Solo]);
    assert_eq!(played(3), played(3));
    assert_ne!(played(3), played(4));
}

#[test]
fn solo_beats_random() {
    let (won, lost) = meet(&setup("team", 4), seeds(20, 100), Strategy::Solo, Strategy::Random);
    assert!(lost * 20 <= won, "{won} won, {lost} lost");
}

#[test]
fn team_beats_solo() {
    let (won, lost) = meet(&setup("team", 4), seeds(20, 100), Strategy::Team, Strategy::Solo);
    assert!(won >= 2 * lost, "{won} won, {lost} lost");
}

#[test]
fn team_beats_solo_with_eight_players_each() {
    let (won, lost) = meet(&setup("classic", 8), seeds(5, 100), Strategy::Team, Strategy::Solo);
    assert!(won >= 9 * lost, "{won} won, {lost} lost");
}

#[test]
fn games_end_where_there_is_hardly_room() {
    let crowded = r#"{"width": 2, "height": 8, "players_per_team": 4, "pieces": 6, "shams_percentage": 30,
        "goals": [{"x": 0, "y": 0}, {"x": 1, "y": 0}], "no_progress": 600000,
        "costs": {"move": 100, "discover": 450, "test": 500, "pick_up": 100, "place": 100}}"#;
    let setup = Setup::new(crowded).expect("a setup");
    for seed in 1..=20 {
        for strategies in [[Strategy::Team, Strategy::Solo], [Strategy::Solo, Strategy::Team]] {
            let played = arena::play(&setup, seed, strategies);
            assert!(played.outcome.is_some() && played.length_ms < 3_000_000, "seed {seed}: {played:?}");
        }
    }
}
