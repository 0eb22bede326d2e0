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
    check_planted(Hosts::One, Planted::ALL);
}

#[test]
fn planted_faults_of_several_hosts_are_found() {
    check_planted(Hosts::Several, Planted::OF_CLUSTERS);
}

fn check_planted(hosts: Hosts, all: &[Planted]) {
    for planted in all {
        let finds = |seed| simulate(seed, hosts, Some(*planted), Recording::Checks).failure.is_some();
        assert!((0..SEEDS).any(finds), "no seed finds {planted:?}");
    }
}
