//! Splits a document into tags and texts, fast and without allocations.
//!
//! The receiver parses the document again. So this module does not check names and texts, but it checks the start and the end
//! of every element.

/// A mistake in a document, and its offset.
pub(super) type Fault = (usize, String);

/// The maximum depth of elements. No document of the game is half as deep.
const MAX_DEPTH: usize = 32;

/// A document that is being read.
#[derive(Debug)]
pub(super) struct Markup<'x, 'o> {
    text: &'x str,
    at: usize,
    /// The places of the names of the open elements.
    open: &'o mut Vec<(usize, usize)>,
}

/// A tag or a text, with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    pub(super) at: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A tag that begins an element.
    Start {
        name_end: usize,
        is_empty: bool,
    },
    End,
    Text,
    /// A comment or a processing instruction.
    Nothing,
}

impl<'x, 'o> Markup<'x, 'o> {
    pub(super) fn new(text: &'x str, open: &'o mut Vec<(usize, usize)>) -> Self {
        open.clear();
        Self { text, at: 0, open }
    }

    /// The number of open elements.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The next piece; `None` at the end.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<Piece>, Fault> {
        let bytes = self.text.as_bytes();
        let at = self.at;
        let Some(first) = bytes.get(at) else {
            return Ok(None);
        };
        let (kind, end) = if *first == b'<' {
            match bytes.get(at + 1) {
                Some(b'/') => (Kind::End, self.close(at)?),
                Some(b'!') => self.declaration(at)?,
                Some(b'?') => (Kind::Nothing, self.instruction(at)?),
                Some(first) if is_name(*first) => self.open(at)?,
                Some(_) | None => return Err((at, "a tag has no name".to_owned())),
            }
        } else {
            (Kind::Text, at + length_until(&bytes[at..], |byte| byte == b'<'))
        };
        self.at = end;
        Ok(Some(Piece { kind, at, end }))
    }

    #[inline]
    fn open(&mut self, at: usize) -> Result<(Kind, usize), Fault> {
        let bytes = self.text.as_bytes();
        let name_end = at + 1 + length_until(&bytes[at + 1..], |byte| NAME_ENDS[usize::from(byte)]);
        let mut end = name_end;
        // Most tags have no attributes.
        while bytes.get(end) != Some(&b'>') {
            end += length_until(&bytes[end..], |byte| matches!(byte, b'>' | b'<' | b'"' | b'\''));
            match bytes.get(end) {
                Some(b'>') => {}
                Some(quote @ (b'"' | b'\'')) => {
                    end += 1 + length_until(&bytes[end + 1..], |byte| byte == *quote);
                    // Skip the closing quote. If it is missing, the tag has no end.
                    end = (end + 1).min(bytes.len());
                }
                Some(_) | None => return Err((at, "a tag does not end".to_owned())),
            }
        }
        let is_empty = bytes[end - 1] == b'/';
        if !is_empty {
            if self.open.len() == MAX_DEPTH {
                return Err((at, format!("more than {MAX_DEPTH} elements are inside of each other")));
            }
            self.open.push((at + 1, name_end));
        }
        Ok((Kind::Start { name_end, is_empty }, end + 1))
    }

    #[inline]
    fn close(&mut self, at: usize) -> Result<usize, Fault> {
        let bytes = self.text.as_bytes();
        let Some((from, to)) = self.open.pop() else {
            return Err((at, "an element ends that did not begin".to_owned()));
        };
        let name = &bytes[from..to];
        let behind = at + 2 + name.len();
        let end = behind + length_until(bytes.get(behind..).unwrap_or_default(), |byte| !is_space(byte));
        // Names are so short that a call to memcmp would be slower.
        let is_same = bytes.get(at + 2..behind).is_some_and(|closed| closed.iter().zip(name).all(|(a, b)| a == b));
        if is_same && bytes.get(end) == Some(&b'>') {
            return Ok(end + 1);
        }
        Err((at, format!("<{}> is not closed", &self.text[from..to])))
    }

    fn declaration(&self, at: usize) -> Result<(Kind, usize), Fault> {
        let rest = &self.text[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            return match comment.find("--") {
                Some(length) if comment[length..].starts_with("-->") => Ok((Kind::Nothing, at + 4 + length + 3)),
                Some(_) | None => Err((at, "a comment does not end".to_owned())),
            };
        }
        if let Some(text) = rest.strip_prefix("<![CDATA[") {
            let length = text.find("]]>").ok_or((at, "a text does not end".to_owned()))?;
            return Ok((Kind::Text, at + 9 + length + 3));
        }
        Err((at, "a document type (DTD) is not allowed".to_owned()))
    }

    fn instruction(&self, at: usize) -> Result<usize, Fault> {
        let rest = &self.text[at + 2..];
        let length = rest.find("?>").ok_or((at, "an instruction does not end".to_owned()))?;
        let inside = &rest[..length];
        let name = inside.split(xml::tag::is_space).next().unwrap_or_default();
        if name == "xml" && at > 0 {
            return Err((at, "the declaration <?xml?> is not at the very beginning".to_owned()));
        }
        if name == "xml" {
            xml::check_declaration(&inside[name.len()..]).map_err(|error| (at, error.to_string()))?;
        } else if !xml::is_instruction_name(name) {
            return Err((at, format!("{} is no name of an instruction", xml::quoted(name))));
        }
        Ok(at + 2 + length + 2)
    }
}

/// The bytes that can follow a name.
const NAME_ENDS: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        ends[byte] = matches!(byte, 0x3e | 0x2f | 0x3c | 0x20 | 0x09 | 0x0a | 0x0d);
        byte += 1;
    }
    ends
};

/// The number of bytes before the first match, or of all bytes if there is no match.
#[inline]
fn length_until(bytes: &[u8], is_it: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| is_it(*byte)).unwrap_or(bytes.len())
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn is_name(first: u8) -> bool {
    first.is_ascii_alphabetic() || first == b'_' || !first.is_ascii()
}
