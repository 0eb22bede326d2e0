//! Checks a scenario against schema and reader.

use std::{collections::BTreeSet, sync::LazyLock};

use colony_rules::scenario::{Json, Reading, ScenarioProblem, Value};
use jsonschema::{Draft, ValidationError, Validator, error::ValidationErrorKind};

/// The form of a scenario as JSON Schema.
pub const SCHEMA: &str = include_str!("../../schemas/colony.schema.json");

/// Everything that is wrong with a scenario, in the order of the text.
///
/// The reader alone finds every fault; the schema is what other programs have, and is asked too so that the two cannot
/// drift apart. What both find is reported once, in the reader's words.
pub fn check(text: &str) -> Vec<ScenarioProblem> {
    let mut reading = Reading::new(text);
    let faults = reading.json().map(schema_faults).unwrap_or_default();
    reading.add_shapes(faults);
    reading.finish().err().unwrap_or_default()
}

/// What the schema finds, each with the place in the text where the faulty value begins.
pub fn schema_faults(json: &Json) -> Vec<(usize, String)> {
    let instance = to_value(json);
    let mut faults = Vec::new();
    for error in VALIDATOR.iter_errors(&instance) {
        let node = follow(json, error.instance_path().as_str());
        if let ValidationErrorKind::AdditionalProperties { unexpected } = error.kind() {
            // One for each key, at its own place. A set, because there may be as many as fit in a text.
            let unexpected: BTreeSet<&str> = unexpected.iter().map(String::as_str).collect();
            let members = node.members().iter().filter(|(key, _)| unexpected.contains(&**key));
            faults.extend(members.map(|(_, member)| (member.at, "the key is unknown".to_owned())));
        } else {
            faults.push((node.at, describe(&error)));
        }
    }
    faults
}

/// Without the value, which stands beside the message and may be long.
fn describe(error: &ValidationError<'_>) -> String {
    error.masked_with("the value").to_string()
}

static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| {
    let schema = serde_json::from_str(SCHEMA).expect("our schema is JSON");
    jsonschema::options().with_draft(Draft::Draft4).build(&schema).expect("our schema is a schema")
});

/// The value that a JSON pointer leads to, or the last one on the way that exists.
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

/// Whole numbers stay whole, also `-0`. One beyond every limit stays beyond: no `f64` is an integer in draft 4.
fn to_number(raw: &str) -> serde_json::Value {
    match raw.parse::<i64>() {
        Ok(whole) => whole.into(),
        Err(_) => raw.parse::<f64>().unwrap_or_default().clamp(f64::MIN, f64::MAX).into(),
    }
}
