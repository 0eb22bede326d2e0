//! Writes documents without unneeded white space.

use std::fmt::{self, Display, Write};

use crate::tag::is_legal;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

/// Writes a document from its start to its end.
///
/// ```
/// let mut writer = xml::Writer::new(100);
/// writer.open("move").attribute("by", "Ana & Bo").leaf("x", 3).close("move");
/// assert!(writer.finish().ends_with("<move by=\"Ana &amp; Bo\"><x>3</x></move>"));
/// ```
#[derive(Debug)]
pub struct Writer {
    out: String,
    /// Whether the last tag is still open for attributes.
    in_tag: bool,
}

impl Writer {
    /// Starts a document; `capacity` is its approximate size in bytes.
    pub fn new(capacity: usize) -> Self {
        let mut out = String::with_capacity(capacity.max(DECLARATION.len()));
        out.push_str(DECLARATION);
        Self { out, in_tag: false }
    }

    /// Starts an element.
    pub fn open(&mut self, name: &str) -> &mut Self {
        self.finish_tag();
        self.out.push('<');
        self.out.push_str(name);
        self.in_tag = true;
        self
    }

    /// Adds an attribute to the tag that was just started.
    pub fn attribute(&mut self, name: &str, value: impl Display) -> &mut Self {
        debug_assert!(self.in_tag, "an attribute is inside a tag");
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        self.escaped(value, true);
        self.out.push('"');
        self
    }

    /// Ends an element.
    pub fn close(&mut self, name: &str) -> &mut Self {
        if self.in_tag {
            self.out.push_str("/>");
            self.in_tag = false;
        } else {
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push('>');
        }
        self
    }

    /// Writes an element with a text. If the text is empty, writes an empty element.
    pub fn leaf(&mut self, name: &str, text: impl Display) -> &mut Self {
        self.open(name);
        let tag = self.out.len();
        self.out.push('>');
        let begin = self.out.len();
        self.escaped(text, false);
        self.in_tag = self.out.len() == begin;
        if self.in_tag {
            self.out.truncate(tag);
        }
        self.close(name)
    }

    /// Writes a text, which may contain tags, without escaping it.
    pub fn raw(&mut self, text: &str) -> &mut Self {
        self.finish_tag();
        self.out.push_str(text);
        self
    }

    /// The whole document.
    pub fn finish(self) -> String {
        self.out
    }

    fn finish_tag(&mut self) {
        if self.in_tag {
            self.out.push('>');
            self.in_tag = false;
        }
    }

    fn escaped(&mut self, text: impl Display, in_attribute: bool) {
        let result = write!(Escaping { out: &mut self.out, in_attribute }, "{text}");
        debug_assert!(result.is_ok(), "a text can always be written");
    }
}

/// Escapes the text that is written through it. Characters that XML does not allow become U+FFFD.
struct Escaping<'w> {
    out: &'w mut String,
    in_attribute: bool,
}

impl Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'&' | b'<' | b'>' | b'"');
        if text.bytes().all(plain) {
            self.out.push_str(text);
            return Ok(());
        }
        for character in text.chars() {
            match character {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' if self.in_attribute => self.out.push_str("&quot;"),
                '\t' | '\n' if self.in_attribute => write!(self.out, "&#{};", u32::from(character))?,
                '\r' => self.out.push_str("&#13;"),
                _ if is_legal(character) => self.out.push(character),
                _ => self.out.push(char::REPLACEMENT_CHARACTER),
            }
        }
        Ok(())
    }
}
