//! Faulty variants of a game's rules.

/// Mistakes that a server could make, for authors who want to know which of them their scripts notice.
pub trait Mutants: Sync {
    /// All of them.
    fn table(&self) -> Vec<Mutant>;

    /// Plays with a mutant, by its place in the table, or by the rules. Says for each mutant whether the game came to the expression
    /// that it changes. `play` may panic, and the panic is the caller's to catch.
    fn play_with(&self, mutant: Option<usize>, play: &mut dyn FnMut()) -> Vec<bool>;

    /// Where the game's own scripts are, from the root of the project.
    fn scripts(&self) -> &'static str;
}

/// One mistake that a server could make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// How it is called on the command line.
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
