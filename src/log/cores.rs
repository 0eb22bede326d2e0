//! The same work on many games, on all cores.

use std::{
    num::NonZero,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
    time::Duration,
};

use server::log::GameRecord;

use super::{error::LogError, games::Log};
use cli::progress::Progress;

/// Runs `work` on every game, on all cores, each with its own connection to the store. The results are in the order of the games.
pub(super) fn each<T: Send>(
    log: &Log,
    games: &[&GameRecord],
    work: impl Fn(&Log, &GameRecord) -> T + Sync,
) -> Result<Vec<T>, LogError> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(games.len());
    let next = AtomicUsize::new(0);
    let (program, path) = (&log.program, log.path.as_path());
    let take_turns = || {
        let own = Log::open(program, path)?;
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some(game) = games.get(at) else { return Ok(done) };
            done.push((at, work(&own, game)));
        }
    };
    let mut all = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(take_turns)).collect();
        let progress = Progress::new("games", games.len() as u64);
        while !workers.iter().all(|worker| worker.is_finished()) {
            progress.show(next.load(Relaxed).min(games.len()) as u64);
            thread::sleep(Duration::from_millis(if games.len() > 100 { 20 } else { 1 }));
        }
        drop(progress);
        let mut all = Vec::new();
        for worker in workers {
            let done: Result<Vec<(usize, T)>, LogError> = worker.join().expect("a panic of the rules is caught");
            all.extend(done?);
        }
        Ok::<_, LogError>(all)
    })?;
    all.sort_by_key(|(at, _)| *at);
    Ok(all.into_iter().map(|(_, given)| given).collect())
}
