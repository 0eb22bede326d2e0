//! What differs between two values, place by place.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::Value;

/// The longest value that is written out, in characters.
const LONGEST: usize = 60;

/// The places at which two values differ, one on each line: `dice: [5,1] -> [5,1,3]`. Empty if they are equal.
///
/// ```
/// use serde_json::json;
///
/// let (before, after) = (json!({"dice": [5, 1], "level": 2, "hands": [[1], [2]]}), json!({"dice": [5, 1, 3], "level": 2, "hands": [[1], [4]]}));
/// assert_eq!(engine::json_differences(&before, &after), ["dice: [5,1] -> [5,1,3]", "hands.1.0: 2 -> 4"]);
/// ```
pub fn json_differences(before: &Value, after: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    add("", before, after, &mut lines);
    lines
}

fn add(path: &str, before: &Value, after: &Value, lines: &mut Vec<String>) {
    let inner = |name: &str| if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
    match (before, after) {
        (before, after) if before == after => {}
        (Value::Object(one), Value::Object(other)) => {
            let added = other.keys().filter(|name| !one.contains_key(*name));
            for name in one.keys().chain(added) {
                match (one.get(name), other.get(name)) {
                    (Some(before), Some(after)) => add(&inner(name), before, after, lines),
                    (before, after) => lines.push(line(&inner(name), before, after)),
                }
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (at, (before, after)) in one.iter().zip(other).enumerate() {
                add(&inner(&at.to_string()), before, after, lines);
            }
        }
        (before, after) => lines.push(line(path, Some(before), Some(after))),
    }
}

fn line(path: &str, before: Option<&Value>, after: Option<&Value>) -> String {
    let gap = if path.is_empty() { "" } else { ": " };
    let word = |value: Option<&Value>| value.map_or_else(|| "nothing".into(), |value| cut(&value.to_string()));
    format!("{path}{gap}{} -> {}", word(before), word(after))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn places_that_differ() {
        let check = |before: Value, after: Value, expected: &[&str]| {
            assert_eq!(json_differences(&before, &after), expected, "{before} {after}");
        };
        check(json!({"a": 1}), json!({"a": 1}), &[]);
        check(json!(1), json!("x"), &["1 -> \"x\""]);
        check(json!({"a": {"b": [1, {"c": null}]}}), json!({"a": {"b": [1, {"c": 3}]}}), &["a.b.1.c: null -> 3"]);
        check(json!({"a": 1}), json!({"b": 2}), &["a: 1 -> nothing", "b: nothing -> 2"]);
        let long = "x".repeat(80);
        check(json!(long), json!([]), &[&format!("\"{}.. -> []", "x".repeat(59))]);
    }
}
