//! The laws of every rulebook, over random games with all kinds of commands.

use std::collections::BTreeSet;

use engine::{Cause, CommId, Message, Rulebook, Shown, laws::Trial};
use treasure_rules::{Event, Game, Setup};

use crate::wanderer::Wanderer;

const GAMES: i64 = 3_000;
const LONGEST: u32 = 420;

const SETUPS: [&str; 6] = ["2022", "2017", "2022-debug", "2017", "2025s", "2025w"];

#[test]
fn random_games() {
    let mut seen = Seen::default();
    let games = if std::env::var_os("HOLDFAST_LONG").is_some() { 20 * GAMES } else { GAMES };
    for seed in 0..games {
        let setup = Setup::new(SETUPS[seed as usize % SETUPS.len()]).expect("a setup");
        play(&setup, seed, &mut seen);
    }
    let kinds: BTreeSet<&str> = Event::KINDS.iter().map(|kind| kind.name).collect();
    assert_eq!(seen.events, kinds, "every event was seen");
    assert_eq!(seen.ends.len(), 15, "every reason to end was seen: {:?}", seen.ends);
    assert!(seen.refusals.len() > 15, "only these refusals were seen: {:?}", seen.refusals);
}

#[derive(Default)]
struct Seen {
    events: BTreeSet<&'static str>,
    refusals: BTreeSet<&'static str>,
    ends: BTreeSet<String>,
}

impl Seen {
    fn note(&mut self, trial: &Trial<Game>) {
        for (_, event) in trial.outbox().events() {
            self.events.insert(event.kind().name);
            if let Some(refusal) = event.problem() {
                self.refusals.insert(refusal.kind().name);
                assert!(!refusal.to_string().is_empty() && !refusal.name().is_empty());
            }
            assert!(!Game::tell_event(trial.game().public(), event).is_empty());
        }
        if let Some(outcome) = trial.game().outcome() {
            self.ends.insert(outcome.reason().to_string());
        }
    }
}

fn play(setup: &Setup, seed: i64, seen: &mut Seen) {
    let mut wanderer = Wanderer::new(seed);
    // Each setup is played in each version.
    let version = Game::VERSIONS[seed as usize / SETUPS.len() % Game::VERSIONS.len()];
    let mut trial = Trial::<Game>::of_version(version, setup, wanderer.random.next_long(), (0..=4).map(CommId));
    let (mut clock, mut late) = (0, 0);
    for _ in 0..LONGEST {
        let cause = wanderer.next(trial.game());
        clock += match cause {
            // Every timer is due by then.
            Cause::Timer { .. } => 600_000,
            Cause::Command { .. } => wanderer.random.next_below(1_000) as u64,
        };
        trial.step(clock, cause);
        check_lent(trial.game());
        seen.note(&trial);
        late += u32::from(trial.game().outcome().is_some());
        if late > 2 {
            break;
        }
    }
    trial.finish();
}

/// A borrowed view equals the copy, and borrows the game's own board.
fn check_lent(game: &Game) {
    for client in (0..=4).map(CommId) {
        let (lent, copy) = (game.view_ref(client), game.view(client));
        assert_eq!(lent, copy.as_view_ref());
        assert!(std::ptr::eq(lent.board, game.public()), "the board is copied");
    }
}
