//! The faults of a scenario, with messages that help its author to fix them.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use super::json::{Json, Value};

/// One fault of a scenario: the path, the value at the path, and the reason why the value is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioProblem {
    /// The kind of fault.
    pub kind: ProblemKind,
    /// The path to the value, such as `$.locations[2].colony.entrances`.
    pub path: String,
    /// The value at the path, shortened.
    pub value: String,
    /// The reason why the value is wrong.
    pub message: String,
}

/// The kinds of faults that a scenario can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProblemKind {
    /// The text is not JSON, is too long, or has a key twice.
    Text,
    /// A value has the wrong type or range, or a key is missing or unknown.
    Shape,
    /// The values have the right shape, but contradict each other or break a rule of the game.
    Rule,
}

impl fmt::Display for ScenarioProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.path, self.value, self.message)
    }
}

/// Describes a value in a few words. For a list or object, this is only an outline.
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
            // `shorten` would cut off further keys.
            let keys: Vec<_> = members.iter().take(LONGEST_VALUE).map(|(key, _)| &**key).collect();
            format!("{{{}}}", shorten(&keys.join(", ").escape_debug().to_string()))
        }
    }
}

/// Puts a text in quotes and escapes its control characters.
pub(super) fn spell(text: &str) -> String {
    // Only the beginning is shown, so the rest is not escaped.
    let beginning: String = text.chars().take(LONGEST_VALUE).collect();
    shorten(&format!("{beginning:?}"))
}

/// Cuts off the end of a long text.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}

/// The longest value in characters. It leaves room for a path and a message on the same line.
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
        // The quotes count towards the length.
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
