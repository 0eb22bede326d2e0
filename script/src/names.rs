//! Names for the things of a scenario in a script.

use std::collections::BTreeMap;

use engine::{Field, Kind};
use serde_json::Value;

use crate::script_error::suggest;

/// The names of a scenario's things and the numbers that they stand for.
///
/// Each kind of thing has a noun (`character`) and a type of fields that hold its numbers (`CharacterId`). Things have
/// [names](Names::named), or are [numbered](Names::numbered).
#[derive(Clone, Debug, Default)]
pub struct Names {
    things: Vec<Things>,
    /// The noun of a field's value. The key is the name of the field, the noun of the message's first field, and the number of
    /// the thing in that first field.
    targets: BTreeMap<(&'static str, &'static str, i32), &'static str>,
}

/// The things of one kind.
#[derive(Clone, Debug)]
struct Things {
    noun: &'static str,
    /// The type of fields that hold the numbers of these things, as written in the source.
    held_by: &'static str,
    table: NameTable,
}

/// Why a word does not name exactly one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoName {
    /// The description of the mistake.
    pub message: String,
    /// A hint how to correct the mistake.
    pub help: String,
}

impl Names {
    /// Adds things that have names, like people. A script can use the full name in quotation marks, or any word of it that
    /// occurs in no other name.
    #[must_use]
    pub fn named<'a>(
        self,
        noun: &'static str,
        held_by: &'static str,
        things: impl Iterator<Item = (i32, &'a str)> + Clone,
    ) -> Self {
        self.with(Things { noun, held_by, table: NameTable::of_names(things) })
    }

    /// Adds things whose names consist of a word and their number: `food101`.
    #[must_use]
    pub fn numbered<'a>(
        self,
        noun: &'static str,
        held_by: &'static str,
        things: impl Iterator<Item = (i32, &'a str)>,
    ) -> Self {
        self.with(Things { noun, held_by, table: NameTable::of_kinds(things) })
    }

    /// Declares that the field with this name holds a `noun`, in messages whose first field is the thing `thing` of the kind
    /// `of`.
    #[must_use]
    pub fn target(mut self, field: &'static str, of: &'static str, thing: i32, noun: &'static str) -> Self {
        self.targets.insert((field, of, thing), noun);
        self
    }

    fn with(mut self, things: Things) -> Self {
        self.things.push(things);
        self
    }

    /// The number of the thing with this name.
    ///
    /// # Errors
    ///
    /// If no thing has this name, or several things have it.
    pub fn number(&self, noun: &str, word: &str) -> Result<i32, NoName> {
        let none = NameTable::default();
        let table = self.things.iter().find(|things| things.noun == noun).map_or(&none, |things| &things.table);
        match table.ids.get(word) {
            Some(Some(id)) => Ok(*id),
            Some(None) => Err(NoName {
                message: format!("{word} is part of the name of more than one {noun}"),
                help: "write the full name in quotation marks, or the identifier".into(),
            }),
            None => Err(NoName {
                message: format!("there is no {noun} {word} in the scenario"),
                help: suggest(word, table.ids.iter().filter(|(_, id)| id.is_some()).map(|(name, _)| name.as_str())),
            }),
        }
    }

    /// The name of a thing in a script.
    pub fn name(&self, noun: &str, number: i32) -> Option<&str> {
        let things = self.things.iter().find(|things| things.noun == noun)?;
        things.table.names.get(&number).map(String::as_str)
    }

    /// The noun of the thing that a field holds; `before` are the earlier arguments of the message.
    pub(crate) fn noun(&self, kind: &Kind, field: &Field, before: &[Value]) -> Option<&'static str> {
        if let Some(noun) = self.noun_held_by(field) {
            return Some(noun);
        }
        let of = self.noun_held_by(kind.fields.first()?)?;
        let thing = before.first()?.as_i64()?.try_into().ok()?;
        self.targets.get(&(field.name, of, thing)).copied()
    }

    /// Whether fields of this type hold numbers of things.
    pub(crate) fn are_held_by(&self, held_by: &str) -> bool {
        self.things.iter().any(|things| things.held_by == held_by)
    }

    fn noun_held_by(&self, field: &Field) -> Option<&'static str> {
        self.things.iter().find(|things| things.held_by == field_type(field)).map(|things| things.noun)
    }
}

/// The type of a field, without `Option`.
pub(crate) fn field_type(field: &Field) -> &'static str {
    field.form.strip_prefix("Option<").and_then(|form| form.strip_suffix('>')).unwrap_or(field.form)
}

#[derive(Clone, Debug, Default)]
struct NameTable {
    /// The number for each name; `None` if several things have this name.
    ids: BTreeMap<String, Option<i32>>,
    /// The name for each number, as a token of a line: a word, or a text in quotation marks.
    names: BTreeMap<i32, String>,
}

impl NameTable {
    fn of_kinds<'a>(rows: impl Iterator<Item = (i32, &'a str)>) -> Self {
        let mut table = Self::default();
        for (id, kind) in rows {
            table.ids.insert(format!("{kind}{id}"), Some(id));
            table.names.insert(id, format!("{kind}{id}"));
        }
        table
    }

    fn of_names<'a>(rows: impl Iterator<Item = (i32, &'a str)> + Clone) -> Self {
        let mut table = Self::default();
        let put = |table: &mut Self, name: &str, id: i32| {
            let known = table.ids.entry(name.to_owned()).or_insert(Some(id));
            if *known != Some(id) {
                *known = None;
            }
        };
        for (id, name) in rows.clone() {
            words(name).for_each(|word| put(&mut table, word, id));
        }
        // A full name takes precedence over a word of another name.
        for (_, name) in rows.clone() {
            table.ids.remove(name);
        }
        for (id, name) in rows.clone() {
            put(&mut table, name, id);
        }
        for (id, name) in rows {
            let is_clear = |word: &&str| table.ids.get(*word) == Some(&Some(id));
            // Prefer a longer word to `The`, `Old` or `Dr`.
            let spoken = |word: &&str| word.len() >= 4 && word.starts_with(char::is_uppercase);
            let whole = Some(name).filter(is_clear);
            let word = whole.filter(|name| is_bare(name)).or_else(|| words(name).filter(spoken).find(is_clear));
            let quoted = whole.and_then(|name| serde_json::to_string(name).ok());
            if let Some(token) = word.map(str::to_owned).or(quoted) {
                table.names.insert(id, token);
            }
        }
        table
    }
}

/// The words of a name, without punctuation.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).filter(|word| is_bare(word))
}

/// Whether a text needs no quotation marks in a script.
pub(crate) fn is_bare(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(char::is_alphabetic)
        && letters.all(|c| c.is_alphanumeric() || c == '_' || c == '-' || c == '\'')
        && !["true", "false", "null"].contains(&text)
}
