//! Faulty variants of the rules, for authors of scripts who want to know whether theirs catch a faulty server.
//!
//! `mutant!("name", right, wrong)` stands for one expression of a rule. It is `right` and nothing else, unless the crate is
//! built with the feature `mutants`, which only `cargo xtask mutants` does: then it is `wrong` while that mutant is chosen.
//! [`table`] has every name once.

#[cfg(feature = "mutants")]
mod choice;
#[cfg(any(feature = "mutants", test))]
mod table;

#[cfg(feature = "mutants")]
pub use choice::{ENDLESS, Reached, is_chosen, number, play_with};
#[cfg(any(feature = "mutants", test))]
pub use table::{MUTANTS, Mutant};

#[cfg(not(feature = "mutants"))]
macro_rules! mutant {
    // A mistake that does something more.
    ($name:literal, (), $wrong:expr $(,)?) => {};
    ($name:literal, $right:expr, $wrong:expr $(,)?) => {
        $right
    };
}

#[cfg(feature = "mutants")]
macro_rules! mutant {
    ($name:literal, $right:expr, $wrong:expr $(,)?) => {
        if $crate::mutants::is_chosen(const { $crate::mutants::number($name) }) { $wrong } else { $right }
    };
}
