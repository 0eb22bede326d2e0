//! What can be wrong with a scenario, said so that its author can mend it.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use super::json::{Json, Value};

/// One thing that is wrong: where, what stands there, and why that does not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub kind: ProblemKind,
    /// Such as `$.locations[2].colony.entrances`.
    pub path: String,
    /// What stands there, shortened.
    pub value: String,
    pub message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProblemKind {
    /// The text is no JSON, is too long, or has a key twice: what no tree can show.
    Text,
    /// A value is not of the form that its place asks for.
    Shape,
    /// The values are well formed, but do not fit together or break a rule of the game.
    Rule,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.path, self.value, self.message)
    }
}

/// A value in a few words: lists and objects are only outlined.
pub(super) fn outline(json: &Json) -> String {
    match &json.value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(raw) => shorten(raw),
        Value::Text(text) => spell(text),
        Value::List(entries) => match entries.len() {
            0 => "[]".to_owned(),
            1 => "[1 entry]".to_owned(),
            many => format!("[{many} entries]"),
        },
        Value::Object(members) => {
            // More keys than these would be cut off anyway.
            let keys: Vec<_> = members.iter().take(LONGEST_VALUE).map(|(key, _)| &**key).collect();
            format!("{{{}}}", shorten(&keys.join(", ").escape_debug().to_string()))
        }
    }
}

/// A text in quotes with everything that could upset a terminal escaped.
pub(super) fn spell(text: &str) -> String {
    // The beginning is enough, and a long text need not be escaped in full.
    let beginning: String = text.chars().take(LONGEST_VALUE).collect();
    shorten(&format!("{beginning:?}"))
}

/// The beginning of a long text.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}

/// In characters: what still fits in a line beside a path and a message.
const LONGEST_VALUE: usize = 40;

#[cfg(test)]
mod tests {
    use super::{super::json::parse, *};

    #[test]
    fn outlines() {
        for (text, expected) in [
            ("null", "null"),
            ("false", "false"),
            ("-1.50", "-1.50"),
            ("\"a\\u001b\\n\"", r#""a\u{1b}\n""#),
            ("[]", "[]"),
            ("[[]]", "[1 entry]"),
            ("[1, 2]", "[2 entries]"),
            ("{}", "{}"),
            (r#"{"a": 1, "\n": 2}"#, r"{a, \n}"),
        ] {
            assert_eq!(outline(&parse(text).unwrap().root), expected);
        }
    }

    #[test]
    fn long_values_are_cut() {
        let exact = "é".repeat(LONGEST_VALUE);
        assert_eq!(shorten(&exact), exact);
        assert_eq!(shorten(&(exact.clone() + "x")), exact + "..");
        // With its quotes a text is longer than it is.
        for (length, whole) in [(LONGEST_VALUE - 2, true), (LONGEST_VALUE - 1, false), (LONGEST_VALUE, false)] {
            let text = "x".repeat(length);
            let quoted = if whole { format!("\"{text}\"") } else { format!("\"{}..", &text[..LONGEST_VALUE - 1]) };
            assert_eq!(spell(&text), quoted);
        }
        let long = parse(&format!("\"{}\"", "x".repeat(100_000))).unwrap().root;
        assert_eq!(outline(&long), format!("\"{}..", "x".repeat(LONGEST_VALUE - 1)));
        let wide = format!("{{{}\"z\": 0}}", (0..9999).map(|i| format!("\"k{i}\": 0, ")).collect::<String>());
        assert_eq!(outline(&parse(&wide).unwrap().root), "{k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, ..}");
    }
}
