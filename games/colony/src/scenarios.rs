//! The built-in scenarios, scenarios in files, and checks of scenarios.

mod check;
mod load;

pub use check::{SCHEMA, check};
pub use load::{LoadError, load};

/// The built-in scenarios, sorted by name. A test checks that each is valid and that no file is missing.
const SCENARIOS: &[(&str, &str)] = &[
    ("crossroads", include_str!("../scenarios/crossroads.json")),
    ("first-night", include_str!("../scenarios/first-night.json")),
    ("winter", include_str!("../scenarios/winter.json")),
];

/// The text of a built-in scenario.
pub fn scenario(name: &str) -> Option<&'static str> {
    SCENARIOS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The name of the built-in scenario with this text.
pub fn name_of(text: &str) -> Option<&'static str> {
    SCENARIOS.iter().find(|(_, known)| *known == text).map(|(name, _)| *name)
}

/// The names of the built-in scenarios in alphabetical order.
pub fn scenario_names() -> impl Iterator<Item = &'static str> {
    SCENARIOS.iter().map(|(name, _)| *name)
}
