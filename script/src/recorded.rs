//! A game that was played, without its types.

use std::any::Any;

use crate::transcript::{ScenarioText, Transcript};

/// A game that was played, without its types.
pub trait RecordedGame: Send + Sync {
    /// What the game is called.
    fn name(&self) -> &str;

    /// How many entries it has.
    fn entries(&self) -> usize;

    /// Forgets what comes after so many entries.
    fn cut(&mut self, entries: usize);

    /// How a script names the scenario: as a built-in one, or by its text.
    fn scenario(&self) -> ScenarioText;

    /// The script of the game. Of what comes before entry `from`, counted from 1, it has only the commands.
    fn transcript(&self, from: usize, scenario: ScenarioText) -> Transcript;

    /// The script as text; see [`transcript`](Self::transcript).
    fn print(&self, from: usize, scenario: ScenarioText) -> String;

    /// The [`Recording`](crate::Recording), for those who know the game.
    fn as_any(&self) -> &dyn Any;
}
