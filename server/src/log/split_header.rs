//! A header in two parts: its start, and the setup, which a store keeps once for all games that have it.

use std::ops::Range;

use engine::Header;

/// A header in two parts, and the place of the scenario's text within the setup.
pub(in crate::log) struct SplitHeader<'h> {
    pub(in crate::log) start: &'h [u8],
    /// `None` if the header cannot be read. Then the start is the whole header.
    pub(in crate::log) setup: Option<&'h [u8]>,
    pub(in crate::log) scenario: Option<Range<usize>>,
}

impl<'h> SplitHeader<'h> {
    pub(in crate::log) fn new(header: &'h [u8], scenario: Option<&str>) -> Self {
        let Ok((_, setup)) = Header::split(header) else { return Self { start: header, setup: None, scenario: None } };
        let scenario = scenario.and_then(|text| find(setup, text.as_bytes()));
        Self { start: &header[..header.len() - setup.len()], setup: Some(setup), scenario }
    }
}

/// The digest by which a setup is found.
pub(in crate::log) fn digest(setup: &[u8]) -> [u8; 32] {
    *blake3::hash(setup).as_bytes()
}

fn find(all: &[u8], part: &[u8]) -> Option<Range<usize>> {
    if part.is_empty() {
        return Some(0..0);
    }
    let start = all.windows(part.len()).position(|window| window == part)?;
    Some(start..start + part.len())
}
