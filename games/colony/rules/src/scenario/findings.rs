//! Reads values from the tree and collects faults. A value of the wrong form adds a finding and is read as `None`, so that one
//! fault never hides another.

use alloc::{borrow::ToOwned, boxed::Box, collections::BTreeMap, format, string::String, vec::Vec};
use core::ops::RangeInclusive;

use super::{
    json::{Duplicate, Json, Value, push_key},
    problem::{ProblemKind, ScenarioProblem, outline},
};

/// Any 32-bit number: identifiers, and changes in either direction.
pub(super) const ANY: RangeInclusive<i32> = i32::MIN..=i32::MAX;
pub(super) const AT_LEAST_0: RangeInclusive<i32> = 0..=i32::MAX;
pub(super) const AT_LEAST_1: RangeInclusive<i32> = 1..=i32::MAX;

/// The highest number on a die.
pub(super) const DIE: i32 = 6;

/// A problem and its position in the text, by which problems are sorted.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) at: usize,
    pub(super) problem: ScenarioProblem,
}

pub(super) struct Findings<'a> {
    root: &'a Json,
    found: Vec<Finding>,
}

/// A whole number and its node.
#[derive(Clone, Copy)]
pub(super) struct Number<'a> {
    pub(super) value: i32,
    pub(super) node: &'a Json,
}

/// A value that should be an object; `None` if it is something else, which has already been reported.
#[derive(Clone, Copy)]
pub(super) struct Object<'a>(Option<&'a Json>);

impl<'a> Object<'a> {
    pub(super) fn get(self, key: &str) -> Option<&'a Json> {
        self.0?.member(key)
    }
}

impl<'a> Findings<'a> {
    pub(super) fn new(root: &'a Json) -> Self {
        Self { root, found: Vec::new() }
    }

    pub(super) fn into_found(self) -> Vec<Finding> {
        self.found
    }

    pub(super) fn shape(&mut self, node: &Json, message: impl Into<String>) {
        self.add(ProblemKind::Shape, node, message.into());
    }

    pub(super) fn rule(&mut self, node: &Json, message: impl Into<String>) {
        self.add(ProblemKind::Rule, node, message.into());
    }

    pub(super) fn duplicate(&mut self, duplicate: &Duplicate) {
        let mut path = self.root.path_to(duplicate.object);
        push_key(&mut path, &duplicate.key);
        let message = "the key is given twice; only its first value was looked at".to_owned();
        let problem = ScenarioProblem { kind: ProblemKind::Text, path, value: outline(&duplicate.value), message };
        self.found.push(Finding { at: duplicate.value.at, problem });
    }

    pub(super) fn path(&self, node: &Json) -> String {
        self.root.path_to(node.at)
    }

    fn add(&mut self, kind: ProblemKind, node: &Json, message: String) {
        let problem = ScenarioProblem { kind, path: self.path(node), value: outline(node), message };
        self.found.push(Finding { at: node.at, problem });
    }

    /// Reads an object that must have all `required` keys, may have `optional` keys, and has no others.
    pub(super) fn object(&mut self, node: Option<&'a Json>, required: &[&str], optional: &[&str]) -> Object<'a> {
        let Some(node) = node else { return Object(None) };
        let Value::Object(members) = &node.value else {
            self.shape(node, "must be an object");
            return Object(None);
        };
        for key in required {
            if node.member(key).is_none() {
                self.shape(node, format!("the key `{key}` is missing"));
            }
        }
        for (key, member) in members {
            if !required.contains(&&**key) && !optional.contains(&&**key) {
                self.shape(member, unknown_key(&[required, optional].concat()));
            }
        }
        Object(Some(node))
    }

    /// Reads an object that must have exactly one member, whose key selects an entry of `table`. Returns that entry and the
    /// member. If there are several members, returns all of them, so that their faults are reported too.
    pub(super) fn variants<T: Copy>(&mut self, node: &'a Json, table: &[(&str, T)]) -> Vec<(T, &'a Json)> {
        let keys: Vec<_> = table.iter().map(|(key, _)| *key).collect();
        let Value::Object(members) = &node.value else {
            self.shape(node, format!("must be an object with one key of {}", listing(&keys)));
            return Vec::new();
        };
        if members.len() != 1 {
            let message = format!("exactly one key of {} is needed, here are {}", listing(&keys), members.len());
            self.shape(node, message);
        }
        let mut variants = Vec::new();
        for (key, member) in members {
            match table.iter().find(|(known, _)| *known == &**key) {
                Some((_, variant)) => variants.push((*variant, member)),
                None => self.shape(member, unknown_key(&keys)),
            }
        }
        variants
    }

    pub(super) fn list(&mut self, node: Option<&'a Json>) -> Option<&'a [Json]> {
        let node = node?;
        if let Value::List(entries) = &node.value {
            return Some(entries);
        }
        self.shape(node, "must be a list");
        None
    }

    pub(super) fn number(&mut self, node: Option<&'a Json>, range: RangeInclusive<i32>) -> Option<Number<'a>> {
        let node = node?;
        if let Value::Number(raw) = &node.value
            && let Some(value) = whole(raw)
            && range.contains(&value)
        {
            return Some(Number { value, node });
        }
        self.shape(node, format!("must be a whole number from {} to {}", range.start(), range.end()));
        None
    }

    /// Reads a number that a die must reach. A number below the range is a fault of shape; a number above 6 breaks a rule.
    pub(super) fn die(&mut self, node: Option<&'a Json>, range: RangeInclusive<i32>) -> Option<u8> {
        let number = self.number(node, range)?;
        if number.value > DIE {
            self.rule(number.node, format!("no die shows more than {DIE}"));
        }
        u8::try_from(number.value).ok()
    }

    /// Reads a number from a `range` without negative numbers.
    pub(super) fn count(&mut self, node: Option<&'a Json>, range: RangeInclusive<i32>) -> Option<u32> {
        debug_assert!(*range.start() >= 0);
        self.number(node, range).map(|number| number.value.unsigned_abs())
    }

    pub(super) fn amount(&mut self, node: Option<&'a Json>, range: RangeInclusive<i32>) -> Option<i32> {
        self.number(node, range).map(|number| number.value)
    }

    pub(super) fn text(&mut self, node: Option<&'a Json>) -> Option<&'a str> {
        let node = node?;
        if let Value::Text(text) = &node.value {
            return Some(text);
        }
        self.shape(node, "must be a text");
        None
    }

    /// Reads an optional flag. A missing flag is `false`.
    pub(super) fn flag(&mut self, node: Option<&'a Json>) -> Option<bool> {
        let Some(node) = node else { return Some(false) };
        if let Value::Bool(flag) = node.value {
            return Some(flag);
        }
        self.shape(node, "must be true or false");
        None
    }
}

/// Numbers that may be used only once each. The first owner to claim a number keeps it.
pub(super) struct Claims<'a> {
    /// The name of the numbers in messages, such as "card identifier".
    what: &'static str,
    claimed: BTreeMap<i32, &'a Json>,
}

impl<'a> Claims<'a> {
    pub(super) fn new(what: &'static str) -> Self {
        Self { what, claimed: BTreeMap::new() }
    }

    /// Claims a number for `owner`. If the number is already taken, adds a finding and returns `false`.
    pub(super) fn claim(&mut self, findings: &mut Findings<'a>, number: Number<'a>, owner: &'a Json) -> bool {
        if let Some(first) = self.claimed.get(&number.value) {
            let message = format!("the {} is already used by {}", self.what, findings.path(first));
            findings.rule(number.node, message);
            return false;
        }
        self.claimed.insert(number.value, owner);
        true
    }
}

/// The value of a number, if it is whole, in any spelling of JSON: `10`, `10.0` and `1e1` are the same.
fn whole(raw: &str) -> Option<i32> {
    raw.parse().ok().or_else(|| {
        let value: f64 = raw.parse().ok()?;
        let whole = value as i32;
        (f64::from(whole) == value).then_some(whole)
    })
}

/// Lists keys as `` `a`, `b` or `c` ``.
pub(super) fn listing(keys: &[&str]) -> Box<str> {
    let mut text = String::new();
    for (index, key) in keys.iter().enumerate() {
        let joint = match index {
            0 => "",
            _ if index + 1 == keys.len() => " or ",
            _ => ", ",
        };
        text.push_str(&format!("{joint}`{key}`"));
    }
    text.into()
}

fn unknown_key(known: &[&str]) -> String {
    if known.is_empty() {
        "the key is unknown; none are allowed here".to_owned()
    } else {
        format!("the key is unknown; allowed here: {}", listing(known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers() {
        for (raw, value) in [
            ("10", Some(10)),
            ("10.0", Some(10)),
            ("-10.00", Some(-10)),
            ("-0", Some(0)),
            ("-0.0", Some(0)),
            ("1e1", Some(10)),
            ("1.5E+1", Some(15)),
            ("100e-1", Some(10)),
            ("10.5", None),
            ("1e-1", None),
            ("2147483647.0", Some(i32::MAX)),
            ("2147483648.0", None),
            ("2147483648", None),
            ("-2147483648.0", Some(i32::MIN)),
            ("-2147483649.0", None),
            ("1e999", None),
        ] {
            assert_eq!(whole(raw), value, "{raw}");
        }
    }

    #[test]
    fn keys_are_listed_in_words() {
        for (keys, text) in [(&["a"][..], "`a`"), (&["a", "b"], "`a` or `b`"), (&["a", "b", "c"], "`a`, `b` or `c`")] {
            assert_eq!(&*listing(keys), text);
        }
    }
}
