//! Plays many games on all cores.

use std::{
    num::NonZero,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    thread,
    time::Duration,
};

use crate::progress::Progress;

/// Plays games on this many threads; without a number, one for each core. Each thread adds its games to its own sums, and the
/// sums of all threads are returned. The result of a game depends only on its number, so the total does not depend on the
/// number of threads.
pub fn on_all_cores<T: Default + Send>(
    games: u64,
    threads: Option<NonZero<usize>>,
    play: impl Fn(&mut T, u64) + Sync,
) -> Vec<T> {
    let threads = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let next = AtomicU64::new(0);
    let work = || {
        let mut sums = T::default();
        loop {
            let game = next.fetch_add(1, Relaxed);
            if game >= games {
                return sums;
            }
            play(&mut sums, game);
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let progress = Progress::new("games", games);
        while !workers.iter().all(|worker| worker.is_finished()) {
            progress.show(next.load(Relaxed).min(games));
            thread::sleep(Duration::from_millis(20));
        }
        drop(progress);
        workers.into_iter().map(|worker| worker.join().expect("a game never panics")).collect()
    })
}
