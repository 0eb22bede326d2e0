//! Scenarios and schemas. The scenarios are checked when this crate is built: a broken one does not compile.

mod check;
mod load;

pub use check::{COLONY_SCHEMA, check, schema_faults};
pub use load::{LoadError, load};

/// The text of an embedded scenario.
pub fn scenario(name: &str) -> Option<&'static str> {
    SCENARIOS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The name of the embedded scenario with this text.
pub fn name_of(text: &str) -> Option<&'static str> {
    SCENARIOS.iter().find(|(_, known)| *known == text).map(|(name, _)| *name)
}

/// The names of the embedded scenarios in alphabetical order.
pub fn scenario_names() -> impl Iterator<Item = &'static str> {
    SCENARIOS.iter().map(|(name, _)| *name)
}

// `const SCENARIOS: &[(&str, &str)]`, by ascending name.
include!(concat!(env!("OUT_DIR"), "/scenarios.rs"));
