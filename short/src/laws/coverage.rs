//! What random games have reached.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

/// What random games have reached. Its text is for the output of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coverage {
    /// Games that were played to their end.
    pub games: usize,
    /// Accepted moves.
    pub moves: usize,
    /// The most moves of a game.
    pub longest: usize,
    /// How often each kind of move was accepted.
    pub kinds: Vec<(&'static str, usize)>,
    /// How often each refusal came.
    pub refusals: BTreeMap<String, usize>,
    /// How often each ending came.
    pub endings: BTreeMap<String, usize>,
    /// Games by their number of players.
    pub players: BTreeMap<usize, usize>,
    /// Secret moves that were compared with another one.
    pub secret: usize,
    /// Accepted moves that the game does not list.
    pub not_listed: usize,
}

/// The most different refusals or endings that are told; a game may have many.
const MOST_WORDS: usize = 100;

impl Coverage {
    pub(super) fn new(kinds: impl Iterator<Item = &'static str>) -> Self {
        Self { kinds: kinds.map(|name| (name, 0)).collect(), ..Self::default() }
    }

    pub(super) fn played(&mut self, kind: usize) {
        self.moves += 1;
        if let Some((_, count)) = self.kinds.get_mut(kind) {
            *count += 1;
        }
    }

    pub(super) fn refused(&mut self, words: &str) {
        count(&mut self.refusals, words);
    }

    pub(super) fn ended(&mut self, players: usize, moves: usize, words: &str) {
        self.games += 1;
        self.longest = self.longest.max(moves);
        *self.players.entry(players).or_default() += 1;
        count(&mut self.endings, words);
    }

    /// The kinds of moves that no game has accepted.
    pub fn never_played(&self) -> impl Iterator<Item = &'static str> {
        self.kinds.iter().filter(|(_, count)| *count == 0).map(|(name, _)| *name)
    }
}

fn count(counts: &mut BTreeMap<String, usize>, words: &str) {
    if counts.len() < MOST_WORDS || counts.contains_key(words) {
        *counts.entry(words.to_string()).or_default() += 1;
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, moves, longest, .. } = self;
        writeln!(f, "{games} games, {moves} moves, at most {longest} in a game")?;
        for (players, games) in &self.players {
            writeln!(f, "  {players} players: {games} games")?;
        }
        for (kind, count) in &self.kinds {
            writeln!(f, "  {kind}: {}", if *count == 0 { "never".to_string() } else { count.to_string() })?;
        }
        for (title, counts) in [("endings", &self.endings), ("refusals", &self.refusals)] {
            writeln!(f, "{title}:")?;
            for (words, count) in counts {
                writeln!(f, "  {count:>6}  {words}")?;
            }
        }
        if self.secret > 0 {
            writeln!(f, "{} secret moves looked like another one to everyone else", self.secret)?;
        }
        if self.not_listed > 0 {
            writeln!(f, "{} accepted moves are not listed by `moves`", self.not_listed)?;
        }
        Ok(())
    }
}
