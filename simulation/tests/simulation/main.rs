//! The simulation itself: seeds repeat to the byte, hold, and find planted faults. `cargo xtask test simulation` plays many more
//! seeds.

use simulation::{Outcome, Planted, simulate};

fn check(seed: u64, planted: Option<Planted>) -> Outcome {
    let outcome = simulate(seed, planted, false);
    let again = simulate(seed, planted, true);
    assert_eq!(outcome.digest, again.digest, "seed {seed} differs from itself");
    outcome
}

#[test]
fn seeds_hold_and_repeat() {
    for seed in 0..20 {
        let outcome = check(seed, None);
        assert_eq!(outcome.failure, None, "seed {seed}");
    }
}
