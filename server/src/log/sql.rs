//! Parts of statements for the tables of rulebooks that all databases share.

use crate::log::Rule;

/// Names that a table of a rulebook cannot have, because the host uses them or may use them later.
const OWN: &[&str] = &[
    "games",
    "clients",
    "entries",
    "tails",
    "setups",
    "editions",
    "whole_games",
    "tombstones",
    "redactions",
    "hosts",
    "holdfast",
];

/// Whether the host uses this name, or may use it later.
pub(in crate::log) fn is_own(table: &str) -> bool {
    OWN.iter().any(|own| own.eq_ignore_ascii_case(table))
}

/// The condition of a rule.
pub(in crate::log) fn check(column: &str, rule: Rule) -> String {
    match rule {
        Rule::Between(least, most) => format!("\"{column}\" BETWEEN {least} AND {most}"),
        Rule::Length(least, most) if least == most => format!("length(\"{column}\") = {most}"),
        Rule::Length(0, most) => format!("length(\"{column}\") <= {most}"),
        Rule::Length(least, most) => format!("length(\"{column}\") BETWEEN {least} AND {most}"),
        Rule::OneOf(words) => {
            let words = words.iter().map(|word| format!("'{}'", word.replace('\'', "''")));
            format!("\"{column}\" IN ({})", list(words))
        }
        Rule::DiffersFrom(other) => format!("\"{column}\" != \"{other}\""),
    }
}

/// Names in a list, in quotes.
pub(in crate::log) fn quoted(names: &[&str]) -> String {
    list(names.iter().map(|name| format!("\"{name}\"")))
}

/// Parts in a list.
pub(in crate::log) fn list(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}
