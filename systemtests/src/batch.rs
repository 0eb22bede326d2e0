//! Many scripts at once.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    files::Found,
    play::Play,
    run::run,
    table::{Failure, Outcome, Target},
};

/// After so many failed servers the rest would fail as well.
pub const MOST_SERVER_FAILURES: usize = 10;

/// What became of one script.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub name: String,
    /// Where the script is written.
    pub place: String,
    pub tags: Vec<String>,
    pub outcome: Outcome,
    /// Over several lines; nothing when all is well.
    pub message: String,
    pub time: Duration,
}

/// Plays scripts, so many at a time, in their order; `progress` hears how many are done. Those that are missing at the end
/// were not played because too many servers had failed.
pub fn play_all(found: &[&Found], target: &dyn Target, jobs: usize, progress: &(dyn Fn(usize) + Sync)) -> Vec<Verdict> {
    let (next, done, failed) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let verdicts = Mutex::new(Vec::new());
    let work = || {
        while failed.load(Ordering::Relaxed) < MOST_SERVER_FAILURES {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(found) = found.get(at) else { break };
            let verdict = judge(found, target);
            if verdict.outcome == Outcome::ServerFail {
                failed.fetch_add(1, Ordering::Relaxed);
            }
            verdicts.lock().unwrap_or_else(PoisonError::into_inner).push((at, verdict));
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    thread::scope(|scope| {
        (1..jobs).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    let mut verdicts = verdicts.into_inner().unwrap_or_else(PoisonError::into_inner);
    verdicts.sort_by_key(|(at, _)| *at);
    verdicts.into_iter().map(|(_, verdict)| verdict).collect()
}

/// Plays one script.
pub fn judge(found: &Found, target: &dyn Target) -> Verdict {
    let since = Instant::now();
    let (name, tags, played) = match &found.script {
        Ok(script) => {
            // A panic of the engine in this process is what a crash is in a server's.
            let played = catch_unwind(AssertUnwindSafe(|| run(&Play::new(script), target)));
            let crashed = |_| Err(Failure::new(Outcome::ServerFail, "the engine panicked; what it said is above"));
            (script.transcript.name.clone(), script.transcript.tags.clone(), played.unwrap_or_else(crashed))
        }
        Err(problem) => ("unreadable".into(), Vec::new(), Err(Failure::new(Outcome::Fail, problem))),
    };
    let (outcome, message) = match played {
        Ok(()) => (Outcome::Ok, String::new()),
        Err(failure) => (failure.outcome, failure.message),
    };
    Verdict { name, place: found.place.clone(), tags, outcome, message, time: since.elapsed() }
}
