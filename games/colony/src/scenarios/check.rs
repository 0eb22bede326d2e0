//! Checks a scenario with the schema and with the reader.

use std::{collections::BTreeSet, sync::LazyLock};

use colony_rules::scenario::{Json, Reading, ScenarioProblem, Value};
use jsonschema::{Draft, ValidationError, Validator, error::ValidationErrorKind};

/// The JSON Schema of a scenario.
pub const SCHEMA: &str = include_str!("../../schemas/colony.schema.json");

/// All faults of a scenario, in the order of the text.
///
/// The reader alone finds every fault. Other programs use the schema, so it is checked too; this keeps the two consistent. A
/// fault that both find is reported once, with the reader's message.
pub fn check(text: &str) -> Vec<ScenarioProblem> {
    let mut reading = Reading::new(text);
    let faults = reading.json().map(schema_faults).unwrap_or_default();
    reading.add_shapes(faults);
    reading.finish().err().unwrap_or_default()
}

/// The faults that the schema finds, each with the position of the faulty value in the text.
pub fn schema_faults(json: &Json) -> Vec<(usize, String)> {
    let instance = to_value(json);
    let mut faults = Vec::new();
    for error in VALIDATOR.iter_errors(&instance) {
        let node = follow(json, error.instance_path().as_str());
        if let ValidationErrorKind::AdditionalProperties { unexpected } = error.kind() {
            // Reports one fault for each key, at its own position. A set is fast even for many keys.
            let unexpected: BTreeSet<&str> = unexpected.iter().map(String::as_str).collect();
            let members = node.members().iter().filter(|(key, _)| unexpected.contains(&**key));
            faults.extend(members.map(|(_, member)| (member.at, "the key is unknown".to_owned())));
        } else {
            faults.push((node.at, describe(&error)));
        }
    }
    faults
}

/// The message without the value, which is reported separately and may be long.
fn describe(error: &ValidationError<'_>) -> String {
    error.masked_with("the value").to_string()
}

static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| {
    let schema = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    jsonschema::options().with_draft(Draft::Draft6).build(&schema).expect("the schema is a valid schema")
});

/// The value at a JSON pointer, or the last existing value on its path.
fn follow<'a>(json: &'a Json, pointer: &str) -> &'a Json {
    let mut node = json;
    for step in pointer.split('/').skip(1) {
        let key = step.replace("~1", "/").replace("~0", "~");
        let entry = || node.entry(key.parse().ok()?);
        let Some(next) = node.member(&key).or_else(entry) else { break };
        node = next;
    }
    node
}

fn to_value(json: &Json) -> serde_json::Value {
    match &json.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(flag) => (*flag).into(),
        Value::Number(raw) => to_number(raw),
        Value::Text(text) => text.as_ref().into(),
        Value::List(entries) => entries.iter().map(to_value).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.as_ref().to_owned(), to_value(value))).collect()
        }
    }
}

/// Converts a number. A number that is written as a float, or beyond `i64`, becomes a float. If it is whole, it is an integer for
/// the schema.
fn to_number(raw: &str) -> serde_json::Value {
    match raw.parse::<i64>() {
        Ok(whole) => whole.into(),
        Err(_) => raw.parse::<f64>().unwrap_or_default().clamp(f64::MIN, f64::MAX).into(),
    }
}
