//! The simulation itself: seeds repeat to the byte and hold, and planted faults are found. `cargo xtask test simulation` plays
//! many more seeds.

use simulation::{Hosts, Planted, Recording, simulate};

/// The seeds of the short run, within which every planted fault must be found.
const SEEDS: u64 = 2000;

#[test]
fn a_seed_repeats_to_the_byte_and_holds() {
    for hosts in [Hosts::One, Hosts::Several] {
        for seed in 0..50 {
            let first = simulate(seed, hosts, None, Recording::Digest);
            let second = simulate(seed, hosts, None, Recording::Steps);
            assert_eq!(first.digest, second.digest, "seed {seed} of {hosts:?} differs from itself");
            assert_eq!(first.failure, None, "seed {seed} of {hosts:?}");
        }
        let digest = |seed| simulate(seed, hosts, None, Recording::Digest).digest;
        assert_ne!(digest(1), digest(2));
    }
}

#[test]
fn planted_faults_are_found() {
    let finds = |seed: &u64, hosts, planted| simulate(*seed, hosts, Some(planted), Recording::Checks).failure.is_some();
    for planted in Planted::ALL {
        assert!((0..SEEDS).any(|seed| finds(&seed, Hosts::One, *planted)), "no seed finds {planted:?}");
    }
    for planted in Planted::OF_CLUSTERS {
        assert!((0..SEEDS).any(|seed| finds(&seed, Hosts::Several, *planted)), "no seed finds {planted:?}");
    }
}
