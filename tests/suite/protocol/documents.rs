//! The tables of the documents list the messages of the description, with their numbers and fields.

use std::{fs, path::PathBuf};

use engine::{Kind, Message, Rulebook};

use super::{
    description::{self, COMMAND, EVENT},
    told::Events,
    types::{Field, Shape, Type, Types, Variant},
};
use crate::rulebooks::RULEBOOKS;

#[test]
fn tables_of_the_wire() {
    let document = read("protocol.md");
    let wire = description::wire();
    check(&document, "| number | message | fields |", 0, wire_rows(&wire, "FromClient"));
    check(&document, "| number | want | fields |", 0, wire_rows(&wire, "Want"));
    check(&document, "| number | message | fields |", 1, wire_rows(&wire, "ToClient"));
    // The third column is only in the document.
    let reasons = rows(&document, "| number | reason | when |", 0);
    let reasons: Vec<&str> = reasons.iter().map(|row| row.rsplitn(3, " |").last().unwrap_or(row)).collect();
    let expected = wire.variants("Reason").into_iter().map(|reason| format!("| {} | `{}`", reason.number, reason.name));
    assert_eq!(reasons, expected.collect::<Vec<_>>());
}

#[test]
fn tables_of_rulebooks() {
    RULEBOOKS.iter().for_each(|rulebook| (rulebook.check_page)());
}

pub(crate) fn tables_of<R: Rulebook, Refusal: Message>(name: &str, told: &Events) {
    let (document, types) = (read(name), description::rulebook::<R>(told));
    check(&document, "| number | command | |", 0, rows_of::<R::Command>(&types, COMMAND));
    check(&document, "| number | event | |", 0, rows_of::<R::Event>(&types, EVENT));
    check(&document, "| number | refusal | |", 0, rows_of::<Refusal>(&types, "Refusal"));

    let only = types.variants(EVENT).into_iter().filter(|event| event.audience == ["only"]);
    let only: Vec<String> = only.map(|event| format!("`{}`", event.name)).collect();
    let sentence = format!("To one client: {}.", only.join(", "));
    assert!(document.contains(&sentence), "docs/{name} lacks: {sentence}");
}

fn read(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    fs::read_to_string(path).expect("the document is there")
}

#[track_caller]
fn check(document: &str, heading: &str, at: usize, expected: Vec<String>) {
    assert_eq!(rows(document, heading, at), expected, "the rows under {heading}");
}

/// The rows of the table with this number, from 0, among the tables with this heading.
fn rows<'d>(document: &'d str, heading: &str, at: usize) -> Vec<&'d str> {
    let table = document.split(heading).nth(at + 1).unwrap_or_else(|| panic!("no table {heading}"));
    table.lines().skip(2).take_while(|line| line.starts_with('|')).collect()
}

fn rows_of<M: Message>(types: &Types, name: &str) -> Vec<String> {
    let row = |(variant, kind): (&Variant, &Kind)| {
        let fields = variant.fields.iter().flatten();
        let fields: Vec<String> =
            fields.map(|field| format!("{}{}", field.name, if field.optional { "?" } else { "" })).collect();
        let mark = if variant.audience == ["board"] { " *board*" } else { "" };
        format!("| {} | `{}({})`{mark} |{} |", variant.number, variant.name, fields.join(", "), kind.about)
    };
    types.variants(name).into_iter().zip(M::KINDS).map(row).collect()
}

fn wire_rows(types: &Types, name: &str) -> Vec<String> {
    let row = |variant: &Variant| {
        let fields = match (&variant.value, &variant.fields) {
            (Some(Type::Named("command")), _) => "a command of the game".into(),
            (Some(value), _) => words(types, value),
            (None, fields) => list(types, fields.as_deref().unwrap_or_default()),
        };
        let row = format!("| {} | `{}` | {fields}", variant.number, variant.name);
        format!("{} |", row.trim_end())
    };
    types.variants(name).into_iter().map(row).collect()
}

fn list(types: &Types, fields: &[Field]) -> String {
    let fields: Vec<String> =
        fields.iter().map(|field| format!("{} {}", field.name, words(types, &field.form))).collect();
    fields.join(", ")
}

/// A type as the tables show it: a struct with its fields, an enum as a reference to its own table.
fn words(types: &Types, form: &Type) -> String {
    match form {
        Type::Named("event") => "(the game's)".into(),
        Type::Named(name) => match types.0.get(name) {
            Some(Shape::Struct(fields)) => list(types, fields),
            Some(Shape::Enum(_)) => "(below)".into(),
            Some(Shape::Same(form)) => words(types, form),
            None => format!("`{name}`"),
        },
        Type::Option(form) => format!("`option` of {}", words(types, form)),
        Type::List(form) => match &**form {
            Type::Named(name) if types.0.contains_key(name) => format!("`list` of: {}", words(types, form)),
            Type::Named(_) | Type::Option(_) | Type::List(_) | Type::Array { .. } => {
                format!("`list` of {}", words(types, form))
            }
        },
        Type::Array { array, length } => format!("{length} of {}", words(types, array)),
    }
}
