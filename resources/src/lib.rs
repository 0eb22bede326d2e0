//! Scenarios, schemas and web pages. The scenarios are checked when this crate is built: a broken one does not compile.

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

/// The HTTP interface for programs, in the form of OpenAPI.
pub const OPENAPI: &str = include_str!("../api/openapi.json");

/// A file of the web pages by its path below `web/`.
pub fn web(path: &str) -> Option<&'static [u8]> {
    WEB.iter().find(|(known, _)| *known == path).map(|(_, bytes)| *bytes)
}

/// The paths of all files of the web pages.
pub fn web_paths() -> impl Iterator<Item = &'static str> {
    WEB.iter().map(|(path, _)| *path)
}

// `const SCENARIOS: &[(&str, &str)]`, by ascending name.
include!(concat!(env!("OUT_DIR"), "/scenarios.rs"));
// `const WEB: &[(&str, &[u8])]`, by ascending path.
include!(concat!(env!("OUT_DIR"), "/web.rs"));
