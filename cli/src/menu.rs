//! Offers as numbered lines, and boards as lines.

use engine::{Offer, Offers};
use serde_json::Value;

/// A question as lines. Impossible answers keep their numbers and show the reason; a question inside another one has a way back.
pub fn question<C, E>(offers: &Offers<C, E>, is_inside: bool) -> Vec<String> {
    let mut lines = vec![offers.title.clone()];
    for (offer, number) in offers.offers.iter().zip(1..) {
        lines.push(answer(offer, &format!("{number}")));
    }
    if is_inside {
        lines.push("  0. Back".into());
    }
    lines
}

/// An answer as a line, with what a person types to choose it.
pub(crate) fn answer<C, E>(offer: &Offer<C, E>, key: &str) -> String {
    match offer.why_not() {
        None => format!("  {key}. {}", offer.label),
        Some(why) => format!("  {key}. ({}) Not now: {why}", offer.label),
    }
}

/// A picture of a board as lines: a key and its value on each, values inside others further to the right. What is empty is left out.
pub fn table_lines(picture: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    add_lines("", picture, 1, &mut lines);
    lines
}

fn add_lines(name: &str, value: &Value, depth: usize, lines: &mut Vec<String>) {
    let margin = "  ".repeat(depth);
    if let Some(words) = short_words(value) {
        if !words.is_empty() {
            lines.push(format!("{margin}{name}: {words}"));
        }
        return;
    }
    let depth = if name.is_empty() { depth } else { depth + 1 };
    if !name.is_empty() {
        lines.push(format!("{margin}{name}:"));
    }
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| add_lines(name, value, depth, lines)),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                match item {
                    // Rows of text need no numbers.
                    Value::String(row) => lines.push(format!("{}{row}", "  ".repeat(depth))),
                    Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                        add_lines(&at.to_string(), item, depth, lines);
                    }
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The most equal items of a list that are written out.
const LONG: usize = 12;

/// The words of a value that fits a line: no list in a list, no rows of text. Empty if there is nothing to say.
fn short_words(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => {
            let word = |item: &Value| match item {
                Value::Null => Some("-".to_owned()),
                Value::Bool(_) | Value::Number(_) => Some(item.to_string()),
                Value::String(text) if !text.contains(' ') => Some(text.clone()),
                Value::String(_) | Value::Array(_) | Value::Object(_) => None,
            };
            let words = items.iter().map(word).collect::<Option<Vec<_>>>()?;
            Some(match words.as_slice() {
                // A deck that is face down says no more than its size.
                [first, rest @ ..] if words.len() > LONG && rest.iter().all(|word| word == first) => {
                    format!("{} x {first}", words.len())
                }
                words => words.join(" "),
            })
        }
        Value::Object(fields) => fields.is_empty().then(String::new),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn boards_as_lines() {
        let check = |picture: Value, expected: &[&str]| assert_eq!(table_lines(&picture), expected, "{picture}");
        check(json!({"players": ["Ana", "Bo"], "clocks": [], "outcome": null}), &["  players: Ana Bo"]);
        check(
            json!({"game": {"dice": [[1, 5], [0, 0]], "bid": {"count": 2}, "wild": true}}),
            &["  game:", "    bid:", "      count: 2", "    dice:", "      0: 1 5", "      1: 0 0", "    wild: true"],
        );
        check(json!({"rows": [". x .", "o . ."]}), &["  rows:", "    . x .", "    o . ."]);
        check(json!({"cells": [null, 0, 1]}), &["  cells: - 0 1"]);
        check(json!({"deck": vec![0; 12]}), &["  deck: 0 0 0 0 0 0 0 0 0 0 0 0"]);
        check(json!({"deck": vec![0; 54]}), &["  deck: 54 x 0"]);
        check(json!(null), &[]);
        check(json!({}), &[]);
    }
}
