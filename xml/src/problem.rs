//! What is wrong with a document, and where.

use std::fmt;

/// Where something is in a document: both from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

impl Place {
    pub const START: Self = Self { line: 1, column: 1 };

    /// The place of a byte.
    pub fn of(text: &str, offset: usize) -> Self {
        Self::START.after(text.get(..offset).unwrap_or(text))
    }

    /// The place behind some text that begins here.
    pub(crate) fn after(self, text: &str) -> Self {
        let lines = count(text.bytes().filter(|byte| *byte == b'\n'));
        let begin = text.rfind('\n').map_or(0, |end| end + 1);
        let columns = count(text[begin..].chars());
        let column = if lines == 0 { self.column.saturating_add(columns) } else { columns.saturating_add(1) };
        Self { line: self.line.saturating_add(lines), column }
    }
}

fn count<T>(things: impl Iterator<Item = T>) -> u32 {
    u32::try_from(things.count()).unwrap_or(u32::MAX)
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// What is wrong with a document, in words, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub what: String,
    pub at: Place,
}

impl Problem {
    /// Words that repeat a document at length are cut off.
    pub fn new(at: Place, what: impl Into<String>) -> Self {
        const LONGEST: usize = 1000;
        let mut what = what.into();
        if let Some((end, _)) = what.char_indices().nth(LONGEST) {
            what.truncate(end);
            what.push_str("...");
        }
        Self { what, at }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.what)
    }
}

impl std::error::Error for Problem {}

/// How many characters of somebody else's are shown.
const SHOWN: usize = 40;

/// The name of somebody else's element in a sentence of ours: as a tag, and short.
pub fn tagged(name: &str) -> String {
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("<{}...>", &name[..end]),
        None => format!("<{name}>"),
    }
}

/// A text of somebody else's in a sentence of ours: quoted, escaped and short.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}
