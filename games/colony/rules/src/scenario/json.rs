//! Parses JSON into a tree in which every value carries its position in the text.
//!
//! `serde_json` is not enough for good reports: it drops positions, duplicate keys, and the spelling of numbers.

use alloc::{borrow::ToOwned, boxed::Box, collections::BTreeSet, format, string::String, vec::Vec};
use core::fmt::Write;

use super::problem::{shorten, spell};

/// The deepest nesting of lists and objects: enough for any scenario, and too little to overflow the call stack.
pub(super) const DEEPEST: usize = 64;

/// A value and its position in the text. No two values of a text have the same position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json {
    /// The byte at which the value begins.
    pub at: usize,
    /// The value.
    pub value: Value,
}

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as it is written in the text.
    Number(Box<str>),
    /// A string without its quotes and escapes.
    Text(Box<str>),
    /// The entries of an array.
    List(Vec<Json>),
    /// The members of an object, in the order of the text. Only the first value of a duplicate key is kept.
    Object(Vec<(Box<str>, Json)>),
}

impl Json {
    /// The members of an object. Any other value has no members.
    pub fn members(&self) -> &[(Box<str>, Self)] {
        match &self.value {
            Value::Object(members) => members,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => &[],
        }
    }

    /// The member of an object with this key.
    pub fn member(&self, key: &str) -> Option<&Self> {
        self.members().iter().find(|(name, _)| **name == *key).map(|(_, value)| value)
    }

    /// The entry of a list at this index.
    pub fn entry(&self, index: usize) -> Option<&Self> {
        match &self.value {
            Value::List(entries) => entries.get(index),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Object(_) => None,
        }
    }

    /// The path from this value down to the one that begins at `at`, such as `$.locations[2].cards`.
    pub fn path_to(&self, at: usize) -> String {
        self.locate(at).0
    }

    /// The value that begins at `at`, or the nearest one before it, and the path to it.
    pub(super) fn locate(&self, at: usize) -> (String, &Self) {
        let mut path = "$".to_owned();
        let mut value = self;
        // The contents of a value begin after the value itself, so the search ends at the right one.
        loop {
            value = match &value.value {
                Value::List(entries) => {
                    let Some(index) = entries.partition_point(|entry| entry.at <= at).checked_sub(1) else { break };
                    write!(path, "[{index}]").expect("a string takes everything");
                    &entries[index]
                }
                Value::Object(members) => {
                    let Some(index) = members.partition_point(|(_, member)| member.at <= at).checked_sub(1) else {
                        break;
                    };
                    push_key(&mut path, &members[index].0);
                    &members[index].1
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => break,
            };
        }
        (path, value)
    }
}

/// Appends `.key`, or `["odd key"]` if the key is not a plain name.
pub(super) fn push_key(path: &mut String, key: &str) {
    let plain = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let key = if plain { format!(".{}", shorten(key)) } else { format!("[{}]", spell(key)) };
    path.push_str(&key);
}

/// A text that is JSON.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) root: Json,
    pub(super) duplicates: Vec<Duplicate>,
}

/// A second value for a key of the same object.
#[derive(Debug)]
pub(super) struct Duplicate {
    /// The byte at which the object begins.
    pub(super) object: usize,
    pub(super) key: Box<str>,
    pub(super) value: Json,
}

/// Why a text is not JSON.
#[derive(Debug)]
pub(super) struct SyntaxError {
    pub(super) at: usize,
    pub(super) message: String,
}

/// Some editors begin a file with this mark. It is not part of the JSON.
const BYTE_ORDER_MARK: char = '\u{feff}';

pub(super) fn parse(text: &str) -> Result<Parsed, SyntaxError> {
    let start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
    let mut parser = Parser { text, at: start, depth: 0, duplicates: Vec::new() };
    parser.skip_space();
    let root = parser.value()?;
    parser.skip_space();
    if parser.at < text.len() {
        return parser.fail("the text should end here");
    }
    Ok(Parsed { root, duplicates: parser.duplicates })
}

/// Line and column, both from 1, the column in characters. A byte order mark does not count.
pub(super) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text[..at].trim_start_matches(BYTE_ORDER_MARK);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    duplicates: Vec<Duplicate>,
}

impl Parser<'_> {
    fn value(&mut self) -> Result<Json, SyntaxError> {
        let at = self.at;
        let value = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::list)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ if self.take_word("true") => Value::Bool(true),
            _ if self.take_word("false") => Value::Bool(false),
            _ if self.take_word("null") => Value::Null,
            _ => return self.fail("a value is expected here"),
        };
        Ok(Json { at, value })
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, SyntaxError>) -> Result<Value, SyntaxError> {
        if self.depth == DEEPEST {
            return self.fail(format!("lists and objects may be nested {DEEPEST} deep, this is one more"));
        }
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn list(&mut self) -> Result<Value, SyntaxError> {
        let mut entries = Vec::new();
        self.at += 1;
        self.skip_space();
        if self.take(b']') {
            return Ok(Value::List(entries));
        }
        loop {
            self.skip_space();
            entries.push(self.value()?);
            self.skip_space();
            if self.take(b']') {
                return Ok(Value::List(entries));
            }
            if !self.take(b',') {
                return self.fail("`,` or `]` is expected here");
            }
        }
    }

    fn object(&mut self) -> Result<Value, SyntaxError> {
        let object = self.at;
        let mut members = Vec::new();
        let mut seen = BTreeSet::new();
        self.at += 1;
        self.skip_space();
        if self.take(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return self.fail("a key in double quotes is expected here");
            }
            let key = self.string()?;
            self.skip_space();
            if !self.take(b':') {
                return self.fail("`:` is expected here");
            }
            self.skip_space();
            let value = self.value()?;
            if seen.insert(key.clone()) {
                members.push((key, value));
            } else {
                self.duplicates.push(Duplicate { object, key, value });
            }
            self.skip_space();
            if self.take(b'}') {
                return Ok(Value::Object(members));
            }
            if !self.take(b',') {
                return self.fail("`,` or `}` is expected here");
            }
        }
    }

    fn number(&mut self) -> Result<Value, SyntaxError> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        } else if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return self.fail("a number does not start with 0");
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _sign = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(Value::Number(self.text[start..self.at].into()))
    }

    fn digits(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { self.fail("a digit is expected here") } else { Ok(()) }
    }

    fn string(&mut self) -> Result<Box<str>, SyntaxError> {
        let mut decoded = String::new();
        self.at += 1;
        loop {
            let run = self.at;
            while self.peek().is_some_and(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
                self.at += 1;
            }
            // Both ends are next to an ASCII byte or the end of the text, so they are character boundaries.
            decoded.push_str(&self.text[run..self.at]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(decoded.into());
                }
                Some(b'\\') => decoded.push(self.escape()?),
                Some(_) => return self.fail("a control character in a string must be written as an escape"),
                None => return self.fail("a string is not closed"),
            }
        }
    }

    fn escape(&mut self) -> Result<char, SyntaxError> {
        self.at += 1;
        let decoded = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return self.fail("there is no such escape"),
        };
        self.at += 1;
        Ok(decoded)
    }

    /// Reads `\uXXXX` from its `u` on. After the first half of a surrogate pair, also reads the second half.
    fn unicode(&mut self) -> Result<char, SyntaxError> {
        let start = self.at;
        let first = self.hex()?;
        let mut code = first;
        if (0xD800..0xDC00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            self.at += 1;
            let second = self.hex()?;
            if (0xDC00..0xE000).contains(&second) {
                code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            }
        }
        match char::from_u32(code) {
            Some(decoded) => Ok(decoded),
            None => {
                self.at = start;
                self.fail("this escape is half of a surrogate pair without the other half")
            }
        }
    }

    fn hex(&mut self) -> Result<u32, SyntaxError> {
        self.at += 1;
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(16)) else {
                return self.fail("`\\u` takes four hexadecimal digits");
            };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn take_word(&mut self, word: &str) -> bool {
        let there = self.text[self.at..].starts_with(word);
        self.at += if there { word.len() } else { 0 };
        there
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        Err(SyntaxError { at: self.at, message: message.into() })
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    /// Parses a text and compares the result: the value without white space, or the line, column and message of the error.
    fn check(text: &str, expected: &str) {
        let found = match parse(text) {
            Ok(parsed) => print(&parsed.root),
            Err(error) => {
                let (line, column) = line_and_column(text, error.at);
                format!("{line}:{column} {}", error.message)
            }
        };
        assert_eq!(found, expected, "for {text}");
    }

    fn print(json: &Json) -> String {
        match &json.value {
            Value::Null => "null".to_owned(),
            Value::Bool(flag) => flag.to_string(),
            Value::Number(raw) => raw.to_string(),
            Value::Text(text) => format!("{text:?}"),
            Value::List(entries) => format!("[{}]", entries.iter().map(print).collect::<Vec<_>>().join(",")),
            Value::Object(members) => {
                let members: Vec<_> = members.iter().map(|(key, value)| format!("{key:?}:{}", print(value))).collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }

    #[test]
    fn values() {
        check(" [null, true,\tfalse,\r\n{} , [ ] ] ", "[null,true,false,{},[]]");
        check(r#"{"b":1,"a":{"c":[2]}}"#, r#"{"b":1,"a":{"c":[2]}}"#);
        check("[0, -0, 12, -7, 1.0, 1e3, 1.5E-2, 2e+9]", "[0,-0,12,-7,1.0,1e3,1.5E-2,2e+9]");
        check(r#""\"\\\/\b\f\n\r\t\u00e9 é \ud83d\uDE00""#, r#""\"\\/\u{8}\u{c}\n\r\té é 😀""#);
    }

    #[test]
    fn faults() {
        check("", "1:1 a value is expected here");
        check("[1]\n 2", "2:2 the text should end here");
        check("[1,]", "1:4 a value is expected here");
        check("[1 2]", "1:4 `,` or `]` is expected here");
        check("[1", "1:3 `,` or `]` is expected here");
        check("{\"é\" 1}", "1:6 `:` is expected here");
        check("{\"a\":1,}", "1:8 a key in double quotes is expected here");
        check("{\"a\":1 \"b\"}", "1:8 `,` or `}` is expected here");
        check("truth", "1:1 a value is expected here");
        check("nul", "1:1 a value is expected here");
        check("\0", "1:1 a value is expected here");
        check("\u{feff}\u{feff}[]", "1:1 a value is expected here");
        check("\u{feff} [1 2]", "1:5 `,` or `]` is expected here");
        check("\u{feff}", "1:1 a value is expected here");
    }

    #[test]
    fn faulty_numbers() {
        check("01", "1:2 a number does not start with 0");
        check("-", "1:2 a digit is expected here");
        check("+1", "1:1 a value is expected here");
        check("1.", "1:3 a digit is expected here");
        check(".5", "1:1 a value is expected here");
        check("1e", "1:3 a digit is expected here");
        check("NaN", "1:1 a value is expected here");
    }

    #[test]
    fn faulty_strings() {
        check("\"a", "1:3 a string is not closed");
        check("\"a\\", "1:4 there is no such escape");
        check("\"\\x\"", "1:3 there is no such escape");
        check("\"a\nb\"", "1:3 a control character in a string must be written as an escape");
        check("\"\0\"", "1:2 a control character in a string must be written as an escape");
        check(r#""\u12g4""#, "1:6 `\\u` takes four hexadecimal digits");
        check(r#""\u12é""#, "1:6 `\\u` takes four hexadecimal digits");
        let lone = "1:3 this escape is half of a surrogate pair without the other half";
        check(r#""\ud83d""#, lone);
        check(r#""\ude00""#, lone);
        check(r#""\ud83d\ud83d""#, lone);
        check(r#""\ud83dé""#, lone);
    }

    #[test]
    fn depth() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(DEEPEST)).is_ok());
        check(&nested(DEEPEST + 1), "1:65 lists and objects may be nested 64 deep, this is one more");
        check(&"{\"a\":".repeat(40_000), "1:321 lists and objects may be nested 64 deep, this is one more");
        // Lists side by side do not add to the depth.
        assert!(parse(&format!("[{}]", "[],".repeat(100) + "[]")).is_ok());
    }

    #[test]
    fn duplicates() {
        let parsed = parse(r#"{"a": {"b": 1, "b": 2, "b": 3}, "c": 4, "a": 5}"#).unwrap();
        let found: Vec<_> = parsed
            .duplicates
            .iter()
            .map(|duplicate| (parsed.root.path_to(duplicate.object), &*duplicate.key, print(&duplicate.value)))
            .collect();
        let inner = || "$.a".to_owned();
        assert_eq!(found, [(inner(), "b", "2".into()), (inner(), "b", "3".into()), ("$".into(), "a", "5".into())]);
        assert_eq!(print(&parsed.root), r#"{"a":{"b":1},"c":4}"#);
    }

    #[test]
    fn paths() {
        let text = r#"{"a": [1, {"b c": 2, "d": [[3], 4]}], "\n": 5}"#;
        let root = parse(text).unwrap().root;
        for (value, path) in [
            ("1,", "$.a[0]"),
            ("2", r#"$.a[1]["b c"]"#),
            ("[[3", "$.a[1].d"),
            ("3", "$.a[1].d[0][0]"),
            ("4", "$.a[1].d[1]"),
            ("5", r#"$["\n"]"#),
            ("{\"a", "$"),
        ] {
            assert_eq!(root.path_to(text.find(value).unwrap()), path);
        }
    }

    #[test]
    fn keys_in_paths() {
        for (key, path) in [
            ("aZ", "$.aZ"),
            ("_", "$._"),
            ("a_1", "$.a_1"),
            ("", "$[\"\"]"),
            ("1a", "$[\"1a\"]"),
            ("a-b", "$[\"a-b\"]"),
            ("é", "$[\"é\"]"),
        ] {
            let mut pushed = "$".to_owned();
            push_key(&mut pushed, key);
            assert_eq!(pushed, path);
        }
    }

    #[test]
    fn parts() {
        let root = parse(r#"{"a": [1, 2], "b": 3}"#).unwrap().root;
        let part = |key, index| root.member(key).and_then(|list| list.entry(index)).map_or("none".to_owned(), print);
        assert_eq!([part("a", 0), part("a", 1), part("a", 2)], ["1", "2", "none"]);
        assert_eq!([part("b", 0), part("c", 0)], ["none", "none"]);
        assert_eq!(root.member("a").unwrap().members(), []);
        let keys: Vec<_> = root.members().iter().map(|(key, _)| &**key).collect();
        assert_eq!(keys, ["a", "b"]);
    }
}
