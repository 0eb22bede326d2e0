//! A type-erased recording.

use std::any::Any;

use crate::transcript::{ScenarioText, Transcript};

/// A type-erased [`Recording`](crate::Recording).
pub trait RecordedGame: Send + Sync {
    /// The name of the game.
    fn name(&self) -> &str;

    /// The number of entries.
    fn entries(&self) -> usize;

    /// Removes all entries after the first `entries`.
    fn cut(&mut self, entries: usize);

    /// The scenario: the name of a built-in scenario, or the text of a scenario.
    fn scenario(&self) -> ScenarioText;

    /// The transcript of the game. Before entry `from`, counted from 1, it has only the commands.
    fn transcript(&self, from: usize, scenario: ScenarioText) -> Transcript;

    /// The script as text; see [`transcript`](Self::transcript).
    fn print(&self, from: usize, scenario: ScenarioText) -> String;

    /// The [`Recording`](crate::Recording), for a caller that knows the game.
    fn as_any(&self) -> &dyn Any;
}
