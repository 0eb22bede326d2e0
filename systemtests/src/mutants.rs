//! Finds out which scripts catch which faulty rules.
//!
//! [`scripts`] reads the scripts and plays one in this process. [`matrix`] plays every script with every mutant that it reaches.
//! [`report`] and [`html`] show the result.

pub mod html;
pub mod matrix;
pub mod report;
pub mod scripts;
mod table;

/// The mutants of a game. Only the instrumented copy of the workspace has any.
pub fn table(game: &str) -> Option<&'static [Mutant]> {
    table::TABLES.iter().find(|(known, _)| *known == game).map(|(_, mutants)| *mutants)
}

/// The games that have mutants.
pub fn games() -> impl Iterator<Item = &'static str> {
    table::TABLES.iter().map(|(game, _)| *game)
}

/// A fault in the rules that a server could have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Its name on the command line.
    pub name: &'static str,
    /// The section of the rules that it breaks.
    pub section: &'static str,
    /// The editions in which it can be observed.
    pub editions: &'static str,
    /// What the faulty server does.
    pub mistake: &'static str,
    /// Why no client can observe the fault, if that is so.
    pub equivalent: Option<&'static str>,
}
