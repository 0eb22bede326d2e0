//! Many seeds on all cores.

use std::{
    num::NonZero,
    ops::Range,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
};

use server::sync::lock;

use crate::{
    coverage::Coverage,
    observer::{Failure, Outcome, Recording},
    planted::Planted,
    run::{Hosts, simulate},
};

/// The result of many seeds.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// How many seeds were played.
    pub seeds: u64,
    /// The faults and states of all seeds.
    pub coverage: Coverage,
    /// The lowest failed seed that was found, with its traced outcome.
    pub failed: Option<(u64, Outcome)>,
}

/// Plays seeds on all cores until one fails. A failed seed is played again with its trace.
///
/// # Panics
/// If a simulation panics outside of its host.
pub fn simulate_all(seeds: Range<u64>, hosts: Hosts, planted: Option<Planted>) -> Batch {
    let (next, failed) = (AtomicU64::new(seeds.start), AtomicBool::new(false));
    let batch = Mutex::new(Batch::default());
    let work = || {
        while !failed.load(Ordering::Relaxed) {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return;
            }
            let outcome = simulate(seed, hosts, planted, Recording::Checks);
            let mut batch = lock(&batch);
            batch.seeds += 1;
            batch.coverage.add(&outcome.coverage);
            if outcome.failure.is_some() {
                failed.store(true, Ordering::Relaxed);
                if batch.failed.as_ref().is_none_or(|(known, _)| seed < *known) {
                    batch.failed = Some((seed, outcome));
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(work);
        }
    });
    let mut batch = batch.into_inner().unwrap_or_default();
    if let Some((seed, outcome)) = &mut batch.failed {
        let first = outcome.failure.take();
        *outcome = simulate(*seed, hosts, planted, Recording::Steps);
        if outcome.failure.is_none() {
            outcome.failure = first.map(|Failure { check, facts, at_ms }| Failure {
                check,
                facts: format!("{facts} (a second run of the seed holds)"),
                at_ms,
            });
        }
    }
    batch
}
