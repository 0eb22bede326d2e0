//! Reads the inside of a tag: its name and attributes.

use std::{borrow::Cow, fmt};

use crate::error::quoted;

/// Whether XML treats a character as white space.
pub fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

fn is_space_byte(byte: u8) -> bool {
    is_space(char::from(byte))
}

/// The index of the first byte from `from` on for which `is_it` returns false.
fn skip(bytes: &[u8], from: usize, is_it: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.iter().position(|byte| !is_it(*byte)).map_or(bytes.len(), |length| from + length)
}

/// Whether XML allows a character.
pub(crate) fn is_legal(character: char) -> bool {
    !matches!(character, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// Whether a text is a name with at most one prefix. It accepts all characters beyond ASCII.
pub(crate) fn is_name(name: &str) -> bool {
    let begins = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii();
    let goes_on = |byte: u8| begins(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
    let mut is_begin = true;
    let mut colons = 0;
    for byte in name.bytes() {
        match byte {
            b':' if !is_begin && colons == 0 => (is_begin, colons) = (true, 1),
            _ if is_begin && begins(byte) => is_begin = false,
            _ if !is_begin && goes_on(byte) => {}
            _ => return false,
        }
    }
    !is_begin
}

/// Splits a name into its prefix, which may be empty, and its local part.
pub fn split_name(name: &str) -> (&str, &str) {
    // For short names this is faster than `split_once`.
    match name.bytes().position(|byte| byte == b':') {
        Some(at) => (&name[..at], &name[at + 1..]),
        None => ("", name),
    }
}

/// A mistake inside a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagError {
    /// The offset in the text after the tag's name.
    pub at: usize,
    /// The kind of the mistake.
    pub kind: TagErrorKind,
}

/// The kinds of mistakes inside a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TagErrorKind {
    /// There is no space before an attribute.
    NoSpace,
    /// An attribute has no value.
    NoValue,
    /// The name of an attribute is not allowed. Contains the shortened name.
    BadName(String),
    /// The value of this attribute is not in quotes.
    NotQuoted(String),
    /// The value of this attribute contains `<`.
    HasLess(String),
    /// This attribute occurs twice.
    Twice(String),
    /// The tag has more attributes than this limit.
    TooMany(usize),
    /// The value of this attribute contains an invalid reference.
    Reference(String, ReferenceError),
}

/// Why a reference such as `&amp;` cannot be resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceError {
    /// The reference has no `;`.
    Unclosed,
    /// No entity with this name is known.
    UnknownEntity(String),
    /// XML does not allow this character.
    NoCharacter(String),
}

impl fmt::Display for TagErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSpace => f.write_str("a space is missing before an attribute"),
            Self::NoValue => f.write_str("an attribute has no value"),
            Self::BadName(name) => write!(f, "{name} is no name of an attribute"),
            Self::NotQuoted(name) => write!(f, "the value of attribute {name} is not in quotes"),
            Self::HasLess(name) => write!(f, "the value of attribute {name} has a `<`"),
            Self::Twice(name) => write!(f, "attribute {name} is there twice"),
            Self::TooMany(most) => write!(f, "there are more than {most} attributes in a tag"),
            Self::Reference(name, error) => write!(f, "attribute {name}: {error}"),
        }
    }
}

impl fmt::Display for ReferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unclosed => f.write_str("a `&` begins a reference that no `;` ends"),
            Self::UnknownEntity(name) => {
                write!(f, "{name} is an entity that is not known; only amp, lt, gt, quot and apos are")
            }
            Self::NoCharacter(name) => write!(f, "{name} stands for no character that XML allows"),
        }
    }
}

impl std::error::Error for TagErrorKind {}

impl std::error::Error for ReferenceError {}

/// An iterator over the attributes of a tag, as they are written in the document.
#[derive(Clone, Debug)]
pub struct Attributes<'x> {
    text: &'x str,
    rest: &'x str,
}

/// An attribute as it is written in the document, and its offset.
#[derive(Clone, Copy, Debug)]
pub struct Written<'x> {
    /// The name, with its prefix.
    pub name: &'x str,
    /// The text between the quotes, with unresolved references.
    pub value: &'x str,
    /// The offset in the text after the tag's name.
    pub at: usize,
}

impl<'x> Attributes<'x> {
    /// The attributes in the text after the name of a tag.
    pub fn of(text: &'x str) -> Self {
        Self { text, rest: text }
    }

    /// The number of bytes of the text that were read.
    pub fn consumed(&self) -> usize {
        self.text.len() - self.rest.len()
    }
}

impl<'x> Iterator for Attributes<'x> {
    type Item = Result<Written<'x>, TagError>;

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.rest.as_bytes();
        let spaces = skip(bytes, 0, is_space_byte);
        let at = self.consumed() + spaces;
        if spaces == bytes.len() {
            return None;
        }
        let fault = |kind| Some(Err(TagError { at, kind }));
        if spaces == 0 {
            return fault(TagErrorKind::NoSpace);
        }
        let name_end = skip(bytes, spaces, |byte| byte != b'=' && !is_space_byte(byte));
        let equals = skip(bytes, name_end, is_space_byte);
        if bytes.get(equals) != Some(&b'=') {
            return fault(TagErrorKind::NoValue);
        }
        let name = &self.rest[spaces..name_end];
        if !is_name(name) {
            return fault(TagErrorKind::BadName(quoted(name)));
        }
        let begin = skip(bytes, equals + 1, is_space_byte);
        let end = match bytes.get(begin) {
            Some(quote @ (b'"' | b'\'')) => skip(bytes, begin + 1, |byte| byte != *quote),
            Some(_) | None => bytes.len(),
        };
        if end == bytes.len() {
            return fault(TagErrorKind::NotQuoted(name.into()));
        }
        let (value, behind) = (&self.rest[begin + 1..end], &self.rest[end + 1..]);
        if value.as_bytes().contains(&b'<') {
            return fault(TagErrorKind::HasLess(name.into()));
        }
        self.rest = behind;
        Some(Ok(Written { name, value, at }))
    }
}

/// An attribute with resolved references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute<'x> {
    /// The name, with its prefix.
    pub name: &'x str,
    /// The value.
    pub value: Cow<'x, str>,
}

/// Reads the attributes in the text after the name of a tag, and resolves their references.
pub(crate) fn attributes(text: &str, most: usize) -> Result<Vec<Attribute<'_>>, TagError> {
    let mut found: Vec<Attribute<'_>> = Vec::new();
    for written in Attributes::of(text) {
        let Written { name, value, at } = written?;
        let fault = |kind| TagError { at, kind };
        if found.iter().any(|other| other.name == name) {
            return Err(fault(TagErrorKind::Twice(name.into())));
        }
        if found.len() == most {
            return Err(fault(TagErrorKind::TooMany(most)));
        }
        let value = unescaped(value).map_err(|error| fault(TagErrorKind::Reference(name.into(), error)))?;
        found.push(Attribute { name, value });
    }
    Ok(found)
}

/// Resolves the references of an attribute's value, and replaces white space by spaces.
pub(crate) fn unescaped(raw: &str) -> Result<Cow<'_, str>, ReferenceError> {
    if !raw.contains(['&', '\t', '\n', '\r']) {
        return Ok(Cow::Borrowed(raw));
    }
    let mut value = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        let (before, reference) = rest.split_at(at);
        value.extend(before.chars().map(|c| if is_space(c) { ' ' } else { c }));
        let (name, behind) = reference[1..].split_once(';').ok_or(ReferenceError::Unclosed)?;
        value.push(referred(name)?);
        rest = behind;
    }
    value.extend(rest.chars().map(|c| if is_space(c) { ' ' } else { c }));
    Ok(Cow::Owned(value))
}

/// The character of a reference; `name` is the text between `&` and `;`.
pub(crate) fn referred(name: &str) -> Result<char, ReferenceError> {
    let number = match name.strip_prefix('#') {
        None => {
            return match name {
                "amp" => Ok('&'),
                "lt" => Ok('<'),
                "gt" => Ok('>'),
                "quot" => Ok('"'),
                "apos" => Ok('\''),
                _ => Err(ReferenceError::UnknownEntity(quoted(name))),
            };
        }
        Some(number) => number,
    };
    let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |digits| (digits, 16));
    let only_digits = digits.chars().all(|digit| digit.is_digit(radix));
    let code = if only_digits { u32::from_str_radix(digits, radix).ok() } else { None };
    code.and_then(char::from_u32)
        .filter(|character| is_legal(*character))
        .ok_or_else(|| ReferenceError::NoCharacter(quoted(name)))
}
