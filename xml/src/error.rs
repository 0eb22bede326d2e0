//! Mistakes in a document, and their places.

use std::fmt;

/// A place in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl Place {
    /// The start of a document.
    pub const START: Self = Self { line: 1, column: 1 };

    /// The place of the byte at this offset.
    pub fn of(text: &str, offset: usize) -> Self {
        Self::START.after(text.get(..offset).unwrap_or(text))
    }

    /// The place after a text that begins at this place.
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

/// A mistake in a document. A game also creates it if a document does not have the expected form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlError {
    /// The description of the mistake, for people.
    pub what: String,
    /// The place of the mistake.
    pub at: Place,
}

impl XmlError {
    /// A mistake at this place. The text may quote the document, so a long text is shortened.
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

impl fmt::Display for XmlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.what)
    }
}

impl std::error::Error for XmlError {}

/// The maximum number of characters of a document that an error quotes.
const SHOWN: usize = 40;

/// Formats the name of an element for an error: as a tag, shortened.
pub fn tagged(name: &str) -> String {
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("<{}...>", &name[..end]),
        None => format!("<{name}>"),
    }
}

/// Formats a text of a document for an error: in quotation marks, escaped and shortened.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}
