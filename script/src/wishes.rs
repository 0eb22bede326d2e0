//! Games that show what an author wants to see.

use std::fmt;

use crate::{problem::Problem, recorded::RecordedGame, transcript::Transcript, wanted::GameError};

/// Finds and shortens games that show what an author wants to see. A wish is a text in the game's own language.
pub trait Wishes: Sync {
    /// The bots that can play games on, by name.
    fn bots(&self) -> Vec<&'static str>;

    /// The one that plays on if none is named.
    fn usual_bot(&self) -> &'static str;

    /// A search for seeds whose games grant a wish.
    ///
    /// # Errors
    ///
    /// When there are no such games, or the wish cannot be read.
    fn search(&self, games: &Searched<'_>, bot: &str, wish: &str) -> Result<Box<dyn SeedSearch>, WishError>;

    /// The game without every command that it can grant the wish without; `None`: it does not grant it in the first place.
    ///
    /// # Errors
    ///
    /// When the wish cannot be read.
    fn shorten(
        &self,
        game: &dyn RecordedGame,
        wish: &str,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Box<dyn RecordedGame>>, WishError>;
}

/// The games in which a seed is looked for: how they begin.
#[derive(Clone, Copy, Debug)]
pub enum Searched<'s> {
    /// So many players join a game of this scenario.
    Plain {
        /// The text of the scenario.
        scenario: &'s str,
        /// `None`: what the scenario is written for.
        edition: Option<&'s str>,
        /// How many join.
        players: usize,
    },
    /// The commands of a script come first, whatever its players should be told.
    Script {
        /// The script.
        transcript: &'s Transcript,
        /// The text of the scenario.
        scenario: &'s str,
    },
}

/// Looks at the game of one seed after the other.
pub trait SeedSearch: Send + Sync {
    /// The same for another thread.
    fn copy(&self) -> Box<dyn SeedSearch>;

    /// Whether seeds go by so fast that threads should take many of them at a time.
    fn is_fast(&self) -> bool {
        false
    }

    /// Whether the game with this seed grants the wish.
    fn grants(&mut self, seed: i64) -> bool;

    /// The game with this seed, up to where it grants the wish.
    fn record(&mut self, name: &str, seed: i64) -> Box<dyn RecordedGame>;
}

/// How far a game is shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many games were played for it.
    pub games_played: usize,
    /// How many commands are left.
    pub commands_left: usize,
}

/// Why a wish is not looked for.
#[derive(Debug)]
pub enum WishError {
    /// It cannot be read.
    Unreadable(Problem),
    /// There is no game to look at.
    Game(GameError),
}

impl fmt::Display for WishError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(problem) => problem.fmt(f),
            Self::Game(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WishError {}
