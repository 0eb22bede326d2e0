//! The schema rejects a text exactly when the reader finds a fault of shape.
//!
//! There is one exception: a schema cannot see that a key occurs twice, and the reader reports it as a fault of the text.

use std::{collections::BTreeSet, sync::LazyLock};

use colony_rules::scenario::{Json, ProblemKind, Reading, Value as Shape};
use jsonschema::{Draft, ValidationError, Validator, error::ValidationErrorKind};
use serde_json::{Map, Value};

use crate::{BASE, patched};

/// Checks that both agree. Returns whether the text is well formed.
fn agree(text: &str) -> bool {
    let reading = Reading::new(text);
    let Some(json) = reading.json() else { panic!("not JSON: {text}") };
    let faults: Vec<_> = schema_faults(json).into_iter().map(|(at, message)| (json.path_to(at), message)).collect();
    let mut problems = reading.finish().err().unwrap_or_default();
    problems.retain(|problem| problem.kind == ProblemKind::Shape);
    assert_eq!(faults.is_empty(), problems.is_empty(), "schema: {faults:#?}\nreader: {problems:#?}\n{text}");
    // In addition, the reader finds each fault of the schema at the same value or at one around it.
    for (path, message) in faults {
        let around =
            |outer: &str| path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
        let known = problems.iter().any(|problem| around(&problem.path));
        assert!(known, "only the schema: {path}: {message}\n{text}");
    }
    problems.is_empty()
}

#[test]
fn sound_scenarios() {
    assert!(agree(BASE));
    for name in colony::scenario_names() {
        assert!(agree(colony::scenario(name).unwrap()), "{name}");
    }
}

#[test]
fn broken_rules_are_no_faults_of_shape() {
    assert!(agree(&patched([("\"maxPlayers\": 1", "\"maxPlayers\": 9"), ("\"attack\": 6", "\"attack\": 2000")])));
    assert!(agree(&patched([("\"identifier\": 20,", "\"identifier\": 21,"), ("[101, 102,", "[101, 101,")])));
    assert!(agree(&patched([("\"maxPlayers\": 1,", "\"maxPlayers\": 1, \"maxPlayers\": 0,")])));
}

#[test]
fn other_documents() {
    for text in ["null", "[]", "{}", "0", "\"\"", "1e999"] {
        assert!(!agree(text), "{text}");
    }
}

/// Replaces every value of the base by each of these values.
#[test]
fn every_value_replaced() {
    let replacements = [
        "null",
        "true",
        "false",
        "0",
        "1",
        "-1",
        "-0",
        "1.0",
        "1.5",
        "1e3",
        "101",
        "1001",
        "2147483647",
        "2147483648",
        "-2147483649",
        "99999999999999999999",
        "-1e999",
        "\"\"",
        "\"bite\"",
        "[]",
        "[0]",
        "[[]]",
        "{}",
        "{\"food\": {}}",
        "{\"colony\": {}}",
        "{\"/~\": 0}",
    ];
    let mut places = 0;
    let mut well_formed = 0;
    for_every_value(&mut |base, pointer| {
        *base.pointer_mut(pointer).unwrap() = "REPLACED".into();
        let text = base.to_string();
        for replacement in replacements {
            well_formed += usize::from(agree(&text.replace("\"REPLACED\"", replacement)));
        }
        places += 1;
    });
    let tried = places * replacements.len();
    assert!(places > 200 && well_formed > tried / 10 && well_formed < tried / 2, "{well_formed} of {tried}");
}

#[test]
fn every_object_with_a_key_more_or_less() {
    let added = ["extra", "survive", "name", "locationId", "children", "fuel", "colony", "choice"];
    let mut objects = 0;
    for_every_value(&mut |base, pointer| {
        let Some(object) = base.pointer(pointer).and_then(Value::as_object).cloned() else { return };
        objects += 1;
        let mut with = |changed: Map<String, Value>| {
            *base.pointer_mut(pointer).unwrap() = changed.into();
            agree(&base.to_string())
        };
        for key in added {
            let mut changed = object.clone();
            changed.insert(key.to_owned(), true.into());
            with(changed);
        }
        for key in object.keys() {
            let mut changed = object.clone();
            changed.remove(key);
            let optional = match key.as_str() {
                "crossroads" | "children" | "infectionDie" => true,
                "locationId" => !pointer.ends_with("/kill"),
                _ => false,
            };
            assert_eq!(with(changed), optional, "{pointer} without {key}");
        }
    });
    assert!(objects > 90, "{objects}");
}

/// Calls `act` with a new copy of the base and a pointer to a value, for each value in it.
fn for_every_value(act: &mut dyn FnMut(&mut Value, &str)) {
    fn walk(value: &Value, pointer: &str, act: &mut dyn FnMut(&str)) {
        act(pointer);
        if let Some(entries) = value.as_array() {
            entries.iter().enumerate().for_each(|(index, entry)| walk(entry, &format!("{pointer}/{index}"), act));
        }
        if let Some(members) = value.as_object() {
            members.iter().for_each(|(key, member)| walk(member, &format!("{pointer}/{key}"), act));
        }
    }
    let base: Value = serde_json::from_str(BASE).unwrap();
    walk(&base, "", &mut |pointer| act(&mut base.clone(), pointer));
}

/// The faults that the schema finds, each with the position of the faulty value in the text.
fn schema_faults(json: &Json) -> Vec<(usize, String)> {
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
    let schema = serde_json::from_str(colony::SCHEMA).expect("the schema is JSON");
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

fn to_value(json: &Json) -> Value {
    match &json.value {
        Shape::Null => Value::Null,
        Shape::Bool(flag) => (*flag).into(),
        Shape::Number(raw) => to_number(raw),
        Shape::Text(text) => text.as_ref().into(),
        Shape::List(entries) => entries.iter().map(to_value).collect(),
        Shape::Object(members) => {
            members.iter().map(|(key, value)| (key.as_ref().to_owned(), to_value(value))).collect()
        }
    }
}

/// Converts a number. A number that is written as a float, or beyond `i64`, becomes a float. If it is whole, it is an integer for
/// the schema.
fn to_number(raw: &str) -> Value {
    match raw.parse::<i64>() {
        Ok(whole) => whole.into(),
        Err(_) => raw.parse::<f64>().unwrap_or_default().clamp(f64::MIN, f64::MAX).into(),
    }
}
