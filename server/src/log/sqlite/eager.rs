//! Durability `none`: entries are acknowledged before they are written, so that no game waits for the writer.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock},
};

use crate::log::{Acknowledge, GameKey, StoreError};

/// The maximum number of entries of a game that are acknowledged but not yet written. Further entries are acknowledged when the
/// writer has written them. This limits the memory of waiting entries.
const MOST_AHEAD: u64 = 1024;

/// The open games of a log that acknowledges entries early.
#[derive(Default)]
pub(super) struct Eager {
    games: RwLock<HashMap<GameKey, Arc<EarlyWord>>>,
}

impl Eager {
    /// Opens a game. Returns the receiver that the writer must notify in place of the game's own.
    pub(super) fn open(&self, game: GameKey, acknowledge: Arc<dyn Acknowledge>) -> Arc<dyn Acknowledge> {
        let word = Arc::new(EarlyWord { acknowledge, told: Mutex::default() });
        self.games.write().unwrap_or_else(PoisonError::into_inner).insert(game, word.clone());
        word
    }

    /// Passes an entry to the writer with `send`, and acknowledges it. `send` returns false if the writer is gone.
    pub(super) fn append(&self, game: GameKey, sequence: u64, send: impl FnOnce() -> bool) {
        // The lock is held until the end, so that a close of the log happens before both steps or after both.
        let games = self.games.read().unwrap_or_else(PoisonError::into_inner);
        if send()
            && let Some(word) = games.get(&game)
        {
            word.sent(sequence);
        }
    }

    pub(super) fn finish(&self, game: GameKey) {
        self.games.write().unwrap_or_else(PoisonError::into_inner).remove(&game);
    }

    /// Stops early acknowledgements.
    pub(super) fn close(&self) {
        self.games.write().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Sits between the writer and a game. The game receives ascending numbers, even if the early acknowledgement and the writer
/// race.
struct EarlyWord {
    acknowledge: Arc<dyn Acknowledge>,
    told: Mutex<Told>,
}

#[derive(Default)]
struct Told {
    /// The last entry that the writer has written; `None` until the game itself is stored.
    written: Option<u64>,
    acknowledged: Option<u64>,
    failed: bool,
}

impl EarlyWord {
    fn sent(&self, sequence: u64) {
        let mut told = self.told();
        // If this is not the next entry, the writer decides whether it is valid.
        let next = !told.failed && told.acknowledged.map(|last| last + 1) == Some(sequence);
        if next && told.written.is_some_and(|written| sequence - written <= MOST_AHEAD) {
            told.acknowledged = Some(sequence);
            self.acknowledge.durable(sequence);
        }
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Acknowledge for EarlyWord {
    fn durable(&self, through: u64) {
        let mut told = self.told();
        told.written = Some(through);
        if told.acknowledged < Some(through) {
            told.acknowledged = Some(through);
            self.acknowledge.durable(through);
        }
    }

    fn failed(&self, error: Arc<StoreError>) {
        self.told().failed = true;
        self.acknowledge.failed(error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Last(Mutex<Option<u64>>);

    impl Acknowledge for Last {
        fn durable(&self, through: u64) {
            let last = self.0.lock().expect("not poisoned").replace(through);
            assert!(last < Some(through), "{through} after {last:?}");
        }

        fn failed(&self, _: Arc<StoreError>) {}
    }

    /// `> 7` sends entry 7 to the writer, `< 7` reports that the writer has written it.
    #[track_caller]
    fn check(steps: &str, expected: Option<u64>) {
        let last = Arc::new(Last::default());
        let word = EarlyWord { acknowledge: last.clone(), told: Mutex::default() };
        for step in steps.split(", ") {
            match step.split_at(2) {
                ("> ", range) if range.contains("..") => {
                    let (from, to) = range.split_once("..").expect("two numbers");
                    (from.parse().expect("a number")..=to.parse().expect("a number")).for_each(|at| word.sent(at));
                }
                ("> ", sequence) => word.sent(sequence.parse().expect("a number")),
                ("< ", through) => word.durable(through.parse().expect("a number")),
                (_, _) => word.failed(Arc::new(StoreError::Closed)),
            }
        }
        assert_eq!(*last.0.lock().expect("not poisoned"), expected, "{steps}");
    }

    #[test]
    fn who_is_first_to_say_it() {
        check("> 1", None);
        check("> 1, < 0", Some(0));
        check("< 0, > 1, > 2", Some(2));
        check("< 0, > 1, > 2, < 1, < 2", Some(2));
        check("< 0, > 2", Some(0));
        check("< 0, > 1, failed, > 2", Some(1));
        check("< 0, > 1..1024", Some(1024));
        check("< 0, > 1..1025", Some(1024));
        check("< 0, > 1..2000, < 1500, > 2001", Some(1500));
        check("< 0, > 1..2000, < 1500, < 2000, > 2001", Some(2001));
    }
}
