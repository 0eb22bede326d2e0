//! Finds seeds whose games fulfil a wish.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
};

use script::SeedSearch;

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The seeds, in ascending order from the first tried seed.
    pub seeds: Vec<i64>,
    /// The number of tried seeds.
    pub tried: u64,
}

/// Finds the first `count` seeds, starting from `from`. Tries at most `limit` seeds, and calls `progress` with the number of
/// tried seeds.
///
/// The result does not depend on the number of jobs.
pub fn find(
    search: &dyn SeedSearch,
    from: i64,
    limit: u64,
    count: usize,
    jobs: usize,
    progress: &(dyn Fn(u64) + Sync),
) -> Found {
    let block = if search.is_fast() { 1 << 16 } else { 32 };
    let (next, tried, hits) = (AtomicU64::new(0), AtomicU64::new(0), AtomicUsize::new(0));
    let seeds = Mutex::new(Vec::new());
    let work = || {
        let mut search = search.copy();
        while hits.load(Ordering::Relaxed) < count {
            // Threads take blocks in order and finish them, so all seeds before a hit were tried.
            let begin = next.fetch_add(block, Ordering::Relaxed);
            if begin >= limit {
                break;
            }
            let end = begin.saturating_add(block).min(limit);
            for offset in begin..end {
                let seed = from.wrapping_add_unsigned(offset);
                if search.grants(seed) {
                    hits.fetch_add(1, Ordering::Relaxed);
                    seeds.lock().unwrap_or_else(PoisonError::into_inner).push((offset, seed));
                }
            }
            progress(tried.fetch_add(end - begin, Ordering::Relaxed) + end - begin);
        }
    };
    thread::scope(|scope| {
        (1..jobs).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    let mut seeds = seeds.into_inner().unwrap_or_else(PoisonError::into_inner);
    seeds.sort_unstable();
    let seeds = seeds.into_iter().take(count).map(|(_, seed)| seed).collect();
    Found { seeds, tried: tried.into_inner() }
}
