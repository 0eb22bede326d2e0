//! The mutants of the host (`mutants.txt`): each breaks a promise, and some seed must find it.

use std::{
    collections::BTreeMap,
    num::NonZero,
    ops::Range,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use server::sync::lock;

use crate::{
    observer::{Failure, Recording},
    run::{Hosts, simulate},
};

const TABLE: &str = include_str!("../mutants.txt");

/// The beginning of the sections whose mutants need several hosts.
const OF_CLUSTERS: &str = "section Several hosts";

/// A mutant of the host.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its name in the table.
    pub name: &'static str,
    /// The first seed that finds it, and the check that fails.
    pub by: Option<(u64, Failure)>,
}

/// Looks for each mutant, seed by seed, on all cores. With names in `only`, it looks for these.
///
/// # Panics
/// If a simulation panics outside of its host.
pub fn find_all(seeds: &Range<u64>, only: &[String]) -> Vec<Found> {
    let names: Vec<(&'static str, Hosts)> = mutants().collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        loop {
            let mutant = next.fetch_add(1, Ordering::Relaxed);
            let Some((name, hosts)) = names.get(mutant) else { return };
            if !only.is_empty() && !only.iter().any(|only| only == name) {
                continue;
            }
            let by = seeds.clone().find_map(|seed| {
                let play = || simulate(seed, *hosts, None, Recording::Checks);
                let (outcome, _) = engine::mutants::play_with(names.len(), Some(mutant), play);
                outcome.failure.map(|failure| (seed, failure))
            });
            lock(&found).insert(mutant, Found { name, by });
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(work);
        }
    });
    found.into_inner().unwrap_or_default().into_values().collect()
}

/// The mutants of the table, and the hosts that find them.
fn mutants() -> impl Iterator<Item = (&'static str, Hosts)> {
    let mut hosts = Hosts::One;
    TABLE.lines().filter_map(move |line| {
        if line.starts_with("section ") {
            hosts = if line.starts_with(OF_CLUSTERS) { Hosts::Several } else { Hosts::One };
        }
        name(line).map(|name| (name, hosts))
    })
}

/// The name in the first line of a mutant.
fn name(line: &'static str) -> Option<&'static str> {
    let is_first = !line.starts_with([' ', '#']) && !line.starts_with("section ");
    line.split_once(" (").filter(|_| is_first).map(|(name, _)| name)
}
