//! Searches for games with certain events.

use std::fmt;

use crate::{recorded::RecordedGame, script_error::ScriptError, transcript::Transcript, wanted::GameError};

/// Searches for games that fulfil a wish, and shortens them. A wish is a text in the game's own language, such as
/// `3 x Bitten`.
pub trait Wishes: Sync {
    /// The names of the bots that can play.
    fn bots(&self) -> Vec<&'static str>;

    /// The default bot.
    fn usual_bot(&self) -> &'static str;

    /// A search for seeds whose games fulfil a wish.
    ///
    /// # Errors
    ///
    /// If no such game can be played, or the wish has a mistake.
    fn search(&self, games: &Searched<'_>, bot: &str, wish: &str) -> Result<Box<dyn SeedSearch>, WishError>;

    /// Removes all commands that are not needed to fulfil the wish. Returns `None` if the game does not fulfil it.
    ///
    /// # Errors
    ///
    /// If the wish has a mistake.
    fn shorten(
        &self,
        game: &dyn RecordedGame,
        wish: &str,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Box<dyn RecordedGame>>, WishError>;
}

/// How the games of a search begin.
#[derive(Clone, Copy, Debug)]
pub enum Searched<'s> {
    /// Players join a game of this scenario.
    Plain {
        /// The text of the scenario.
        scenario: &'s str,
        /// The edition; `None` means the edition of the scenario.
        edition: Option<&'s str>,
        /// The number of players.
        players: usize,
    },
    /// The game begins with the commands of a script. The expected events of the script are ignored.
    Script {
        /// The script.
        transcript: &'s Transcript,
        /// The text of the scenario.
        scenario: &'s str,
    },
}

/// Checks the games of seeds, one after the other.
pub trait SeedSearch: Send + Sync {
    /// A copy for another thread.
    fn copy(&self) -> Box<dyn SeedSearch>;

    /// Whether a seed takes so little time that each thread should take many seeds at once.
    fn is_fast(&self) -> bool {
        false
    }

    /// Whether the game with this seed fulfils the wish.
    fn grants(&mut self, seed: i64) -> bool;

    /// The game with this seed, up to the point where it fulfils the wish.
    fn record(&mut self, name: &str, seed: i64) -> Box<dyn RecordedGame>;
}

/// The progress of shortening a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of games played so far.
    pub games_played: usize,
    /// The number of remaining commands.
    pub commands_left: usize,
}

/// Why a search cannot start.
#[derive(Debug)]
pub enum WishError {
    /// The wish has a mistake.
    Unreadable(ScriptError),
    /// No such game can be played.
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
