//! Expected values that leave something open.

use serde_json::Value;

use crate::step::ANY_VALUE;

/// The field of an object in an expected event that may have more fields: `{"dice": [5, 1], "..": "_"}`.
const MORE: &str = "..";

/// Whether an expected value leaves some fields open.
pub(crate) fn is_partial(expected: &Value) -> bool {
    match expected {
        Value::Object(fields) => fields.contains_key(MORE) || fields.values().any(is_partial),
        Value::Array(items) => items.iter().any(is_partial),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Whether an expected value leaves something open at any depth.
pub(crate) fn has_open(expected: &Value) -> bool {
    match expected {
        Value::Object(fields) => fields.contains_key(MORE) || fields.values().any(has_open),
        Value::Array(items) => items.iter().any(has_open),
        Value::String(text) => text == ANY_VALUE,
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether an expected value matches more than one value. What comes after an open last argument is open, too.
pub fn is_open(expected: &Value) -> bool {
    expected == ANY_VALUE || is_partial(expected)
}

/// What came, without what the expected value leaves open. If it is as expected, the two are equal.
pub fn narrowed(expected: &Value, came: &Value) -> Value {
    match (expected, came) {
        (Value::String(any), _) if any == ANY_VALUE => expected.clone(),
        (Value::Object(wanted), Value::Object(fields)) => {
            let more = wanted.get_key_value(MORE).map(|(more, value)| (more.clone(), value.clone()));
            let is_open = more.is_some();
            let kept = fields.iter().filter(|(name, _)| !is_open || wanted.contains_key(*name));
            let narrow = |(name, came): (&String, &Value)| {
                (name.clone(), wanted.get(name).map_or_else(|| came.clone(), |expected| narrowed(expected, came)))
            };
            kept.map(narrow).chain(more).collect()
        }
        (Value::Array(wanted), Value::Array(items)) if wanted.len() == items.len() => {
            wanted.iter().zip(items).map(|(expected, came)| narrowed(expected, came)).collect()
        }
        (_, came) => came.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn open_fields_are_left_out() {
        let check = |expected: Value, came: Value, matches: bool| {
            assert_eq!(narrowed(&expected, &came) == expected, matches, "{expected} {came}");
        };
        let came = json!({"dice": [5, 1], "hands": [{"cards": 3, "own": false}], "level": 2});
        check(json!({"dice": [5, 1], "..": "_"}), came.clone(), true);
        check(json!({"dice": [5, 1]}), came.clone(), false);
        check(json!({"dice": [5, 2], "..": "_"}), came.clone(), false);
        check(json!({"dice": [5], "..": "_"}), came.clone(), false);
        check(json!({"hands": [{"cards": 3, "..": "_"}], "..": "_"}), came.clone(), true);
        check(json!({"pilot": 1, "..": "_"}), came.clone(), false);
        check(json!(ANY_VALUE), came.clone(), true);
        check(came.clone(), came, true);
        assert!(has_open(&json!([{"a": ANY_VALUE}])) && has_open(&json!({"..": "_"})) && !has_open(&json!(["a", 1])));
        assert!(is_partial(&json!([{"a": {"..": "_"}}])) && !is_partial(&json!({"a": ".."})));
    }
}
