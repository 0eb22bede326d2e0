//! Finds out which faulty rules each script detects.
//!
//! [`scripts`] reads the scripts and plays one in this process. [`matrix`] plays every script with every mutant that it
//! reaches. [`report`] and [`html`] show the result.

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

/// A fault that a server's rules could have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The name of the mutant on the command line.
    pub name: &'static str,
    /// The section of the rules that the mutant breaks: an anchor of the game's `RULES.md`.
    pub section: &'static str,
    /// The editions in which the mutant can be observed.
    pub editions: &'static str,
    /// The behaviour of the faulty server.
    pub mistake: &'static str,
    /// Why no client can observe the fault; `None` if a client can.
    pub equivalent: Option<&'static str>,
}
