//! The simulation itself: seeds repeat to the byte and hold, and planted faults are found. `cargo xtask test simulation` plays
//! many more seeds.

use simulation::{Planted, Recording, simulate};

/// The seeds of the short run, within which every planted fault must be found.
const SEEDS: u64 = 2000;

#[test]
fn a_seed_repeats_to_the_byte_and_holds() {
    for seed in 0..50 {
        let (first, second) = (simulate(seed, None, Recording::Digest), simulate(seed, None, Recording::Steps));
        assert_eq!(first.digest, second.digest, "seed {seed} differs from itself");
        assert_eq!(first.failure, None, "seed {seed}");
    }
    let digest = |seed| simulate(seed, None, Recording::Digest).digest;
    assert_ne!(digest(1), digest(2));
}

#[test]
fn planted_faults_are_found() {
    for planted in Planted::ALL {
        let found = (0..SEEDS).find(|seed| simulate(*seed, Some(*planted), Recording::Checks).failure.is_some());
        assert!(found.is_some(), "no seed finds {planted:?}");
    }
}
