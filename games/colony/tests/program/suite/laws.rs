//! The laws over random games. The engine's test kit checks the laws; this module generates the games.

use std::{
    env,
    io::{self, Write},
};

use colony::script::generate;
use colony_rules::{Edition, Event, Game, Outcome, Setup};
use engine::{Cause, Rulebook, laws::Trial};

use super::{chaos::Chaos, coverage::Coverage};

const GAMES: i64 = 20_000;
/// The number of games with the same scenario.
const PER_SCENARIO: i64 = 20;
/// The most steps of a game. Later steps show little new.
const LONGEST: u64 = 600;
/// The time limit of players, in milliseconds.
const DEADLINE: u64 = 30_000;

#[test]
fn group() {
    obey(Edition::Group);
}

#[test]
fn equipment() {
    obey(Edition::Equipment);
}

#[test]
fn fate() {
    obey(Edition::Fate);
}

/// Plays the games of an edition, and prints and checks their coverage.
fn obey(edition: Edition) {
    let games = if env::var_os("HOLDFAST_LONG").is_some() { 10 * GAMES } else { GAMES };
    let mut coverage = Coverage::default();
    for number in 0..games / PER_SCENARIO {
        let text = generate::scenario(edition, number);
        let setup = Setup::new(&text, Some(edition), Some(DEADLINE)).expect("generated scenarios are sound");
        for seed in number * PER_SCENARIO..(number + 1) * PER_SCENARIO {
            // Seeds of all sizes and both signs.
            play(&setup, seed.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed()), &mut coverage);
        }
    }
    // Written past the captured output: the coverage is of interest even if the test passes.
    writeln!(io::stderr(), "{edition}: {games} games, {} inputs{coverage}", coverage.inputs).expect("stderr is there");
    coverage.assert_complete(edition);
}

fn play(setup: &Setup, seed: i64, coverage: &mut Coverage) {
    let mut chaos = Chaos::new(setup, seed);
    let mut trial = Trial::<Game>::new(setup, seed, chaos.clients());
    let (mut clock, mut after_the_end) = (0, 0);
    for step in 0..LONGEST {
        let cause = chaos.next(&trial);
        let before = trial.game().board();
        // A timer fires when it is due; commands follow each other quickly.
        clock += if matches!(cause, Cause::Timer { .. }) { DEADLINE } else { step % 7 };
        trial.step(clock, cause.clone());
        coverage.count(&before, &cause, trial.outbox());
        if trial.game().outcome().is_some() {
            if after_the_end == 0 {
                assert_ends_well(&trial);
                coverage.count_end(trial.game().outcome().expect("it is over"));
            }
            after_the_end += 1;
            if after_the_end > 3 {
                break;
            }
        }
    }
    trial.finish();
}

/// Checks that the event that ends a game is the last event.
fn assert_ends_well(trial: &Trial<Game>) {
    let is_last = |event: &Event| matches!(event, Event::GameEnd { .. } | Event::RegistrationAborted {});
    let events: Vec<&Event> = trial.outbox().events().map(|(_, event)| event).collect();
    let (last, before) = events.split_last().expect("a game does not end in silence");
    match trial.game().outcome().expect("it is over") {
        Outcome::Abandoned => assert!(matches!(last, Event::Left { .. }), "{events:?}"),
        Outcome::Won | Outcome::LostMorale | Outcome::LostGoal | Outcome::Aborted => {
            assert!(is_last(last), "{events:?}")
        }
    }
    assert!(!before.iter().any(|event| is_last(event)), "{events:?}");
}
