//! The web pages that all games share, and the description of the HTTP interface.

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

// `const WEB: &[(&str, &[u8])]`, by ascending path.
include!(concat!(env!("OUT_DIR"), "/web.rs"));
