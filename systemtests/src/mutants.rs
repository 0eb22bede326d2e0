//! Which scripts catch which faulty rules.
//!
//! [`scripts`] is all that this needs of the runner: named scripts, and playing one in this process. [`matrix`] plays every
//! script with every mutant that it reaches; [`report`] and [`html`] say what came of it.

pub mod html;
pub mod matrix;
pub mod report;
pub mod scripts;
mod table;

/// The mutants of a game; none in a build that is not of the instrumented copy.
pub fn table(game: &str) -> Option<&'static [Mutant]> {
    table::TABLES.iter().find(|(known, _)| *known == game).map(|(_, mutants)| *mutants)
}

/// The games that have mutants.
pub fn games() -> impl Iterator<Item = &'static str> {
    table::TABLES.iter().map(|(game, _)| *game)
}

/// One mistake that a server could make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What it is called on the command line.
    pub name: &'static str,
    /// The section of the rules that it breaks.
    pub section: &'static str,
    /// The editions in which it can be seen.
    pub editions: &'static str,
    /// What the faulty server does.
    pub mistake: &'static str,
    /// Why no client can see the mistake, where that is so.
    pub equivalent: Option<&'static str>,
}
