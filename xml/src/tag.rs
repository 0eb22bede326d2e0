//! The inside of a tag: its name and attributes.

use std::borrow::Cow;

use crate::problem::quoted;

/// White space as XML has it.
pub fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

fn is_space_byte(byte: u8) -> bool {
    is_space(char::from(byte))
}

/// The place of the first byte from some place on that is not of a kind.
fn skip(bytes: &[u8], from: usize, is_it: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.iter().position(|byte| !is_it(*byte)).map_or(bytes.len(), |length| from + length)
}

/// Whether a character may be in a document at all.
pub(crate) fn is_legal(character: char) -> bool {
    !matches!(character, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// Whether it is a name with at most one prefix. Letters beyond ASCII are taken on trust.
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

/// The prefix, which may be empty, and what follows it.
pub fn split_name(name: &str) -> (&str, &str) {
    // Names are short: this is faster than what is made for long texts.
    match name.bytes().position(|byte| byte == b':') {
        Some(at) => (&name[..at], &name[at + 1..]),
        None => ("", name),
    }
}

/// What is wrong inside a tag, and how far into it.
pub type Fault = (usize, String);

/// The attributes of a tag from the text behind its name, as they are written.
#[derive(Clone, Debug)]
pub struct Attributes<'x> {
    text: &'x str,
    rest: &'x str,
}

/// An attribute as it is written, and where in the tag.
#[derive(Clone, Copy, Debug)]
pub struct Written<'x> {
    /// Its name, with its prefix.
    pub name: &'x str,
    /// What is in quotes, with its references as they are.
    pub value: &'x str,
    /// How far into the text it begins.
    pub at: usize,
}

impl<'x> Attributes<'x> {
    /// From the text behind the name of a tag.
    pub fn of(text: &'x str) -> Self {
        Self { text, rest: text }
    }

    /// How far into the text what is left begins.
    pub fn consumed(&self) -> usize {
        self.text.len() - self.rest.len()
    }
}

impl<'x> Iterator for Attributes<'x> {
    type Item = Result<Written<'x>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.rest.as_bytes();
        let spaces = skip(bytes, 0, is_space_byte);
        let at = self.consumed() + spaces;
        if spaces == bytes.len() {
            return None;
        }
        let fault = |what: String| Some(Err((at, what)));
        if spaces == 0 {
            return fault("a space is missing before an attribute".to_owned());
        }
        let name_end = skip(bytes, spaces, |byte| byte != b'=' && !is_space_byte(byte));
        let equals = skip(bytes, name_end, is_space_byte);
        if bytes.get(equals) != Some(&b'=') {
            return fault("an attribute has no value".to_owned());
        }
        let name = &self.rest[spaces..name_end];
        if !is_name(name) {
            return fault(format!("{} is no name of an attribute", quoted(name)));
        }
        let begin = skip(bytes, equals + 1, is_space_byte);
        let end = match bytes.get(begin) {
            Some(quote @ (b'"' | b'\'')) => skip(bytes, begin + 1, |byte| byte != *quote),
            Some(_) | None => bytes.len(),
        };
        if end == bytes.len() {
            return fault(format!("the value of attribute {name} is not in quotes"));
        }
        let (value, behind) = (&self.rest[begin + 1..end], &self.rest[end + 1..]);
        if value.as_bytes().contains(&b'<') {
            return fault(format!("the value of attribute {name} has a `<`"));
        }
        self.rest = behind;
        Some(Ok(Written { name, value, at }))
    }
}

/// An attribute, with its name as written and its references resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute<'x> {
    pub name: &'x str,
    pub value: Cow<'x, str>,
}

/// The attributes of a tag from the text behind its name, with their references resolved.
pub(crate) fn attributes(text: &str, most: usize) -> Result<Vec<Attribute<'_>>, Fault> {
    let mut found: Vec<Attribute<'_>> = Vec::new();
    for written in Attributes::of(text) {
        let Written { name, value, at } = written?;
        if found.iter().any(|other| other.name == name) {
            return Err((at, format!("attribute {name} is there twice")));
        }
        if found.len() == most {
            return Err((at, format!("there are more than {most} attributes in a tag")));
        }
        let value = unescaped(value).map_err(|what| (at, format!("attribute {name}: {what}")))?;
        found.push(Attribute { name, value });
    }
    Ok(found)
}

/// An attribute's value with its references resolved and its white space made spaces.
pub(crate) fn unescaped(raw: &str) -> Result<Cow<'_, str>, String> {
    if !raw.contains(['&', '\t', '\n', '\r']) {
        return Ok(Cow::Borrowed(raw));
    }
    let mut value = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        let (before, reference) = rest.split_at(at);
        value.extend(before.chars().map(|c| if is_space(c) { ' ' } else { c }));
        let (name, behind) = reference[1..].split_once(';').ok_or("a `&` begins a reference that no `;` ends")?;
        value.push(referred(name)?);
        rest = behind;
    }
    value.extend(rest.chars().map(|c| if is_space(c) { ' ' } else { c }));
    Ok(Cow::Owned(value))
}

/// The character that a reference stands for, given what is between its `&` and its `;`.
pub(crate) fn referred(name: &str) -> Result<char, String> {
    let number = match name.strip_prefix('#') {
        None => {
            return match name {
                "amp" => Ok('&'),
                "lt" => Ok('<'),
                "gt" => Ok('>'),
                "quot" => Ok('"'),
                "apos" => Ok('\''),
                _ => {
                    Err(format!("{} is an entity that is not known; only amp, lt, gt, quot and apos are", quoted(name)))
                }
            };
        }
        Some(number) => number,
    };
    let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |digits| (digits, 16));
    let only_digits = digits.chars().all(|digit| digit.is_digit(radix));
    let code = if only_digits { u32::from_str_radix(digits, radix).ok() } else { None };
    code.and_then(char::from_u32)
        .filter(|character| is_legal(*character))
        .ok_or_else(|| format!("{} stands for no character that XML allows", quoted(name)))
}
