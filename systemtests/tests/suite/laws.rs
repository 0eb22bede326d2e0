//! The laws over random games. The kit that checks them is the engine's; here is what is thrown at it.

use colony::{Edition, Game, Setup};
use engine::{Rulebook, laws::Trial};
use systemtests::generate;

use crate::{chaos::Chaos, coverage::Coverage};

const GAMES: i64 = 20_000;
/// How many games share a scenario.
const PER_SCENARIO: i64 = 20;
/// Long games show little new.
const LONGEST: usize = 600;

#[test]
fn group() {
    println!("{}", obey(Edition::Group));
}

#[test]
fn equipment() {
    println!("{}", obey(Edition::Equipment));
}

#[test]
fn fate() {
    println!("{}", obey(Edition::Fate));
}

/// Plays the games of an edition and tells what they have shown.
fn obey(edition: Edition) -> String {
    let mut coverage = Coverage::default();
    for number in 0..GAMES / PER_SCENARIO {
        let text = generate::scenario(edition, number);
        let setup = Setup::new(&text, Some(edition), Some(30_000)).expect("generated scenarios are sound");
        for seed in number * PER_SCENARIO..(number + 1) * PER_SCENARIO {
            // Seeds of all sizes and both signs.
            play(&setup, seed.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed()), &mut coverage);
        }
    }
    let shown = format!("{edition}: {GAMES} games, {} inputs{coverage}", coverage.inputs);
    coverage.assert_complete(edition);
    shown
}

fn play(setup: &Setup, seed: i64, coverage: &mut Coverage) {
    let mut chaos = Chaos::new(setup, seed);
    let mut trial = Trial::<Game>::new(setup, seed, chaos.clients());
    let mut after_the_end = 0;
    for step in 0..LONGEST {
        let cause = chaos.next(&trial);
        let before = trial.game().board();
        trial.step(step as u64 * 7, cause.clone());
        coverage.count(&before, &cause, trial.outbox());
        if trial.game().outcome().is_some() {
            after_the_end += 1;
            if after_the_end > 3 {
                break;
            }
        }
    }
    trial.finish();
}
