//! Splits a line of a script into tokens.

use std::fmt;

use serde_json::Value;

/// A token of a line, and its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// The position in characters from the start of the line, from 0.
    pub at: usize,
    /// The width in characters.
    pub width: usize,
    /// The kind of the token, with the value if the token is JSON.
    pub kind: TokenKind,
    /// The text of the token in the line.
    pub raw: String,
}

/// The kind of a token.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// A word up to the next space.
    Word,
    /// A JSON string.
    Quoted(String),
    /// A JSON list or object.
    Json(Value),
}

/// A line as tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Whether the line begins with a space or a tab.
    pub indented: bool,
    /// The tokens, in order.
    pub tokens: Vec<Token>,
    /// The comment, with its `#`.
    pub comment: Option<String>,
}

/// A part of a line that is not a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The position in characters from the start of the line, from 0.
    pub at: usize,
    /// The width in characters.
    pub width: usize,
    /// The description of the mistake.
    pub message: String,
}

impl Line {
    /// Splits a line.
    ///
    /// # Errors
    ///
    /// If a JSON value in the line has no end.
    pub fn read(text: &str) -> Result<Self, Unreadable> {
        let mut line = Self { indented: text.starts_with([' ', '\t']), ..Self::default() };
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let offset = text.len() - rest.len();
            let at = text[..offset].chars().count();
            if rest.starts_with('#') {
                line.comment = Some(rest.trim_end().to_owned());
                break;
            }
            let (kind, length) = if rest.starts_with(['"', '[', '{']) {
                json(rest).ok_or_else(|| Unreadable {
                    at,
                    width: rest.trim_end().chars().count(),
                    message: UNCLOSED.into(),
                })?
            } else {
                // In `!"a name"`, the quotation mark belongs to the word.
                let marked =
                    if rest.starts_with("!\"") { json(&rest[1..]).map(|(_, length)| length + 1) } else { None };
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                (TokenKind::Word, marked.unwrap_or(end))
            };
            let raw = rest[..length].to_owned();
            line.tokens.push(Token { at, width: raw.chars().count(), kind, raw });
            rest = rest[length..].trim_start();
        }
        Ok(line)
    }
}

impl Token {
    /// The text of a [`TokenKind::Word`].
    pub fn word(&self) -> Option<&str> {
        (self.kind == TokenKind::Word).then_some(self.raw.as_str())
    }
}

/// The JSON value at the start of a text, and its length.
fn json(text: &str) -> Option<(TokenKind, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    let length = values.byte_offset();
    // Only a space ends a token.
    if !text[length..].chars().next().is_none_or(char::is_whitespace) {
        return None;
    }
    let kind = if let Value::String(text) = value { TokenKind::Quoted(text) } else { TokenKind::Json(value) };
    Some((kind, length))
}

const UNCLOSED: &str = "this begins like JSON and does not end like it";

/// Why the value of a header line cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderValueError {
    /// A JSON value has no end.
    Unclosed,
    /// Something other than a comment follows a JSON value.
    TextAfterJson,
}

impl fmt::Display for HeaderValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unclosed => UNCLOSED,
            Self::TextAfterJson => "only a comment can follow",
        })
    }
}

/// The value of a header line, without a comment. `text` is the part of the line after the colon.
pub(crate) fn header_value(text: &str) -> Result<String, HeaderValueError> {
    let (value, _) = split_header(text)?;
    Ok(match json(value) {
        Some((TokenKind::Quoted(text), _)) if value.starts_with('"') => text,
        Some(_) | None => value.to_owned(),
    })
}

/// The raw value of a header line, and the comment after it.
pub(crate) fn split_header(text: &str) -> Result<(&str, &str), HeaderValueError> {
    let text = text.trim();
    let begins_comment = |at: usize| text[..at].chars().next_back().is_none_or(char::is_whitespace);
    let end = if text.starts_with(['"', '{']) {
        json(text).ok_or(HeaderValueError::Unclosed)?.1
    } else {
        let comment = text.char_indices().find(|&(at, c)| c == '#' && begins_comment(at));
        comment.map_or(text.len(), |(at, _)| at)
    };
    let comment = text[end..].trim();
    if comment.is_empty() || comment.starts_with('#') {
        Ok((text[..end].trim(), comment))
    } else {
        Err(HeaderValueError::TextAfterJson)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let came = match Line::read(text) {
            Ok(line) => {
                let tokens: Vec<String> = line.tokens.iter().map(|t| format!("{}@{}", t.raw, t.at)).collect();
                format!("{}|{}", tokens.join(" "), line.comment.unwrap_or_default())
            }
            Err(unreadable) => format!("{}+{} {}", unreadable.at, unreadable.width, unreadable.message),
        };
        assert_eq!(came, expected);
    }

    #[test]
    fn lines() {
        check("Ana: Move 7 -3", "Ana:@0 Move@5 7@10 -3@12|");
        check("  é: X \"a b\"  # why", "é:@2 X@5 \"a b\"@7|# why");
        check("Ana: X #1", "Ana:@0 X@5|#1");
        check("Ana: X a#1", "Ana:@0 X@5 a#1@7|");
        check("Ana: !\"a b\" [1, 2]", "Ana:@0 !\"a b\"@5 [1, 2]@12|");
        check("", "|");
        check("Ana: \"open", "5+5 this begins like JSON and does not end like it");
        check("Ana: \"a\"b", "5+4 this begins like JSON and does not end like it");
    }

    #[test]
    fn headers() {
        for (text, value) in [
            (" winter   # built in", "winter"),
            (" it is #1", "it is"),
            (" a#b", "a#b"),
            (r#" "it is #1" # so"#, "it is #1"),
            (r##" {"a": "# no"} # yes"##, r##"{"a": "# no"}"##),
        ] {
            assert_eq!(header_value(text), Ok(value.to_owned()));
        }
        assert!(header_value("\"open").is_err());
    }
}
