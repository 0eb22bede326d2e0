//! Chooses the faulty variant of the rules that this thread plays with.
//!
//! Only the instrumented copy of the workspace that `cargo xtask mutants` builds enables this feature. In that copy, every
//! mutated expression of a rulebook calls [`is_chosen`]. The choice is per thread, so all cores can play at the same time.

extern crate std;

use core::{
    cell::{Cell, RefCell},
    sync::atomic::{AtomicUsize, Ordering},
};
use std::{thread_local, vec::Vec};

/// The number of calls of [`is_chosen`] after which a game counts as endless.
pub const ENDLESS: u32 = 2_000_000;

thread_local! {
    static CHOSEN: Cell<Option<usize>> = const { Cell::new(None) };
    static ASKED: Cell<u32> = const { Cell::new(0) };
    static REACHED: RefCell<Vec<bool>> = const { RefCell::new(Vec::new()) };
}

/// The mutant of all threads, or [`NO_MUTANT`].
static EVERYWHERE: AtomicUsize = AtomicUsize::new(NO_MUTANT);
const NO_MUTANT: usize = usize::MAX;

/// Chooses a mutant for all threads of this process, until it ends: for a server, whose games move between threads.
pub fn choose_everywhere(mutant: usize) {
    EVERYWHERE.store(mutant, Ordering::Relaxed);
}

/// Plays with a mutant, or with the correct rules if `mutant` is `None`. Returns for each of `count` mutants whether the game
/// reached its expression; the others cannot change the game. If `play` panics, the caller must catch it. The next call resets
/// the state.
pub fn play_with<T>(count: usize, mutant: Option<usize>, play: impl FnOnce() -> T) -> (T, Vec<bool>) {
    CHOSEN.set(mutant);
    ASKED.set(0);
    REACHED.with_borrow_mut(|reached| {
        reached.clear();
        reached.resize(count, false);
    });
    let played = play();
    CHOSEN.set(None);
    (played, REACHED.with_borrow(Clone::clone))
}

/// Whether the calling expression must use the faulty variant.
///
/// # Panics
/// After [`ENDLESS`] calls in one game.
pub fn is_chosen(mutant: usize) -> bool {
    let everywhere = EVERYWHERE.load(Ordering::Relaxed);
    if everywhere != NO_MUTANT {
        return everywhere == mutant;
    }
    let asked = ASKED.get() + 1;
    assert!(asked < ENDLESS, "the game does not come to an end");
    ASKED.set(asked);
    REACHED.with_borrow_mut(|reached| {
        if let Some(reached) = reached.get_mut(mutant) {
            *reached = true;
        }
    });
    CHOSEN.get() == Some(mutant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_is_chosen_for_one_game_of_one_thread() {
        let game = || (is_chosen(0), is_chosen(2), std::thread::spawn(|| is_chosen(2)).join().ok());
        let (by_the_rules, reached) = play_with(3, None, game);
        assert_eq!(by_the_rules, (false, false, Some(false)));
        assert_eq!(reached, [true, false, true]);
        assert_eq!(play_with(3, Some(2), game).0, (false, true, Some(false)));
        assert!(!is_chosen(2), "after the game");
    }

    #[test]
    #[should_panic = "does not come to an end"]
    fn an_endless_game_is_stopped() {
        play_with(1, None, || while !is_chosen(0) {});
    }
}
