//! Which mutant this thread plays with. A thread plays one game at a time, so that all cores can be used.

extern crate std;

use core::cell::{Cell, RefCell};
use std::{thread_local, vec, vec::Vec};

use super::MUTANTS;

/// A game that asks so often whether a mutant is chosen never comes to its end.
pub const ENDLESS: u32 = 2_000_000;

/// Which mutants a game asked for: the others cannot change it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached(Vec<bool>);

impl Reached {
    pub fn contains(&self, mutant: usize) -> bool {
        self.0[mutant]
    }
}

thread_local! {
    static CHOSEN: Cell<Option<usize>> = const { Cell::new(None) };
    static ASKED: Cell<u32> = const { Cell::new(0) };
    static REACHED: RefCell<Reached> = RefCell::new(Reached(vec![false; MUTANTS.len()]));
}

/// Plays with a mutant, or by the rules, and says what was reached. A panic of `play` is the caller's to catch; the next
/// call starts afresh.
pub fn play_with<T>(mutant: Option<usize>, play: impl FnOnce() -> T) -> (T, Reached) {
    CHOSEN.set(mutant);
    ASKED.set(0);
    REACHED.with_borrow_mut(|reached| reached.0.fill(false));
    let played = play();
    CHOSEN.set(None);
    (played, REACHED.with_borrow(Clone::clone))
}

/// # Panics
/// When the game seems to go on for ever.
pub fn is_chosen(mutant: usize) -> bool {
    let asked = ASKED.get() + 1;
    assert!(asked < ENDLESS, "the game does not come to an end");
    ASKED.set(asked);
    REACHED.with_borrow_mut(|reached| reached.0[mutant] = true);
    CHOSEN.get() == Some(mutant)
}

/// The place of a name in the table; one that is not there does not compile.
pub const fn number(name: &str) -> usize {
    let mut at = 0;
    while at < MUTANTS.len() {
        if is_equal(MUTANTS[at].name.as_bytes(), name.as_bytes()) {
            return at;
        }
        at += 1;
    }
    panic!("the table of mutants does not have this name")
}

const fn is_equal(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_is_chosen_for_one_game_of_one_thread() {
        let game = || (is_chosen(0), is_chosen(2), std::thread::spawn(|| is_chosen(2)).join().ok());
        let (by_the_rules, reached) = play_with(None, game);
        assert_eq!(by_the_rules, (false, false, Some(false)));
        assert_eq!([0, 1, 2].map(|mutant| reached.contains(mutant)), [true, false, true]);
        assert_eq!(play_with(Some(2), game).0, (false, true, Some(false)));
        assert!(!is_chosen(2), "after the game");
    }

    #[test]
    #[should_panic = "does not come to an end"]
    fn what_goes_on_for_ever_is_stopped() {
        play_with(None, || while !is_chosen(0) {});
    }

    #[test]
    fn numbers() {
        assert_eq!(MUTANTS[number("tie-is-no")].name, "tie-is-no");
        assert_eq!(number(MUTANTS[0].name), 0);
    }
}
