//! Selects scripts by name and by tags.

use std::collections::BTreeSet;

use script::{Transcript, suggest};

use crate::files::Found;

/// Which scripts are played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only scripts with this text in their name.
    pub filter: Option<String>,
    /// Only scripts with one of these tags; empty for all.
    pub tags: Vec<String>,
    /// No scripts with one of these tags.
    pub without_tags: Vec<String>,
}

impl Selection {
    /// Whether a script is selected. A script that cannot be read may be one of them, so it always is.
    pub fn wants(&self, found: &Found) -> bool {
        found.script.as_ref().map_or(true, |script| self.wants_script(&script.transcript))
    }

    fn wants_script(&self, transcript: &Transcript) -> bool {
        let has = |tag: &String| transcript.tags.contains(tag);
        self.filter.as_ref().is_none_or(|text| transcript.name.contains(text))
            && (self.tags.is_empty() || self.tags.iter().any(has))
            && !self.without_tags.iter().any(has)
    }

    /// A tag of the selection that no script has, and the tags that there are.
    pub fn unknown_tag<'s>(&'s self, found: &[Found]) -> Option<(&'s str, String)> {
        let scripts = || found.iter().filter_map(|found| found.script.as_ref().ok());
        let known: BTreeSet<&str> = scripts().flat_map(|script| &script.transcript.tags).map(String::as_str).collect();
        let unknown = self.tags.iter().chain(&self.without_tags).find(|tag| !known.contains(tag.as_str()))?;
        let help = if known.is_empty() { "there are no tags".into() } else { suggest(unknown, known.iter().copied()) };
        Some((unknown, help))
    }
}
