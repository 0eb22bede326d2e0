//! Documents without a byte more than needed.

use std::fmt::{self, Display, Write};

use crate::tag::is_legal;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

/// Writes a document from its beginning to its end.
#[derive(Debug)]
pub struct Writer {
    out: String,
    /// The last tag may still get attributes, or be closed at once.
    in_tag: bool,
}

impl Writer {
    /// A document that will have about so many bytes.
    pub fn new(capacity: usize) -> Self {
        let mut out = String::with_capacity(capacity.max(DECLARATION.len()));
        out.push_str(DECLARATION);
        Self { out, in_tag: false }
    }

    /// Begins an element.
    pub fn open(&mut self, name: &str) -> &mut Self {
        self.finish_tag();
        self.out.push('<');
        self.out.push_str(name);
        self.in_tag = true;
        self
    }

    /// Adds to the tag that was begun last.
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

    /// An element with text. Without text it is empty.
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

    /// Text that is known to need no escaping, tags included.
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

/// Escapes what is written through it. What XML has no way to say becomes U+FFFD.
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
