//! Checks a scenario.

use colony_rules::scenario::{self, ScenarioProblem};

/// The JSON Schema of a scenario, for other programs. It rejects a text exactly when [`check`] finds a fault of shape.
pub const SCHEMA: &str = include_str!("../../schemas/colony.schema.json");

/// All faults of a scenario, in the order of the text.
pub fn check(text: &str) -> Vec<ScenarioProblem> {
    scenario::read(text).err().unwrap_or_default()
}
