//! The changes from one picture to the next. They can be applied and undone.

use serde::{Serialize, Serializer};
use serde_json::Value;

/// A value in a picture, before and after. In JSON `[pointer, was, is]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// A JSON pointer (RFC 6901).
    pub at: String,
    /// The value before.
    pub was: Value,
    /// The value after.
    pub is: Value,
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.at, &self.was, &self.is).serialize(serializer)
    }
}

/// Every value that differs. Lists of different length are replaced as a whole.
pub(super) fn between(was: &Value, is: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    compare(&mut String::new(), was, is, &mut changes);
    changes
}

fn compare(at: &mut String, was: &Value, is: &Value, changes: &mut Vec<Change>) {
    // This check comes first: most of a picture is unchanged, and equal values need no path.
    if was == is {
        return;
    }
    let length = at.len();
    match (was, is) {
        (Value::Object(old), Value::Object(new)) if old.len() == new.len() && old.keys().eq(new.keys()) => {
            for ((key, was), is) in old.iter().zip(new.values()) {
                at.push('/');
                at.push_str(&key.replace('~', "~0").replace('/', "~1"));
                compare(at, was, is, changes);
                at.truncate(length);
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (place, (was, is)) in old.iter().zip(new).enumerate() {
                at.push('/');
                at.push_str(&place.to_string());
                compare(at, was, is, changes);
                at.truncate(length);
            }
        }
        (_, _) => changes.push(Change { at: at.clone(), was: was.clone(), is: is.clone() }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(was: Value, is: Value, expected: &str) {
        let changes = between(&was, &is);
        assert_eq!(serde_json::to_string(&changes).expect("JSON"), expected);
        let (mut forward, mut backward) = (was.clone(), is.clone());
        changes.iter().for_each(|change| *forward.pointer_mut(&change.at).expect("it is there") = change.is.clone());
        changes.iter().rev().for_each(|change| {
            *backward.pointer_mut(&change.at).expect("it is there") = change.was.clone();
        });
        assert_eq!((forward, backward), (is, was), "done and undone");
    }

    #[test]
    fn changes_can_be_done_and_undone() {
        check(json!({"a": 1, "b": [1, 2]}), json!({"a": 1, "b": [1, 2]}), "[]");
        check(json!({"a": 1, "b": [1, 2]}), json!({"a": 2, "b": [1, 3]}), r#"[["/a",1,2],["/b/1",2,3]]"#);
        check(json!({"a": [1, 2]}), json!({"a": [1]}), r#"[["/a",[1,2],[1]]]"#);
        check(json!({"a": []}), json!({"a": [{"b": 1}]}), r#"[["/a",[],[{"b":1}]]]"#);
        check(json!({"a": null}), json!({"a": {"b": 1}}), r#"[["/a",null,{"b":1}]]"#);
        check(json!({"a": {"b": 1}}), json!({"a": {"c": 1}}), r#"[["/a",{"b":1},{"c":1}]]"#);
        check(json!({"a/b": {"~": 1}}), json!({"a/b": {"~": 2}}), r#"[["/a~1b/~0",1,2]]"#);
    }
}
