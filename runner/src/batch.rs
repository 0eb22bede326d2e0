//! Plays many scripts in parallel.

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
    target::{Failure, Outcome, Target},
};

/// The number of failed servers after which the runner stops, because the other servers would fail, too.
pub const MOST_SERVER_FAILURES: usize = 10;

/// The result of one script.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The name of the script.
    pub name: String,
    /// The file of the script.
    pub place: String,
    /// The tags of the script.
    pub tags: Vec<String>,
    /// The outcome of the script.
    pub outcome: Outcome,
    /// Why the script failed, in several lines; empty if it passed.
    pub message: String,
    /// How long the script took.
    pub time: Duration,
}

/// Plays scripts, `jobs` at a time, and calls `progress` with the number of finished scripts. After `most_failed` failed servers it
/// stops, and returns fewer verdicts than scripts.
pub fn play_all(
    found: &[&Found],
    target: &dyn Target,
    jobs: usize,
    most_failed: Option<usize>,
    progress: &(dyn Fn(usize) + Sync),
) -> Vec<Verdict> {
    let (next, done, failed) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let verdicts = Mutex::new(Vec::new());
    let work = || {
        while most_failed.is_none_or(|most| failed.load(Ordering::Relaxed) < most) {
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
            // A panic of the rules in this process counts as a crash of a server.
            let played = catch_unwind(AssertUnwindSafe(|| run(&Play::new(script), target)));
            let crashed = |_| Err(Failure::new(Outcome::ServerFail, "the rules panicked; the message is above"));
            (script.transcript.name.clone(), script.transcript.tags.clone(), played.unwrap_or_else(crashed))
        }
        Err(error) => ("unreadable".into(), Vec::new(), Err(Failure::new(Outcome::Fail, error.to_string()))),
    };
    let (outcome, message) = match played {
        Ok(()) => (Outcome::Ok, String::new()),
        Err(failure) => (failure.outcome, failure.message),
    };
    Verdict { name, place: found.place.clone(), tags, outcome, message, time: since.elapsed() }
}
