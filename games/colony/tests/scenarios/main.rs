//! Tests of scenarios and their checking.

/// Broken scenarios, and the problems that must be found in them.
mod broken;
/// The built-in scenarios: all are valid, and none is missing.
mod built_in;
/// Files and texts that are not scenarios.
mod input;
/// A hundred thousand damaged texts.
mod mutations;
/// The schema and the reader agree on which texts are well formed.
mod schema;

/// A valid scenario that has every kind of card, ability, crisis, trigger and consequence.
const BASE: &str = include_str!("base.json");

/// `BASE` with replaced texts. Each of them must occur exactly once.
fn patched<'a>(patches: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    patches.into_iter().fold(BASE.to_owned(), |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "not there once: {old}");
        text.replace(old, new)
    })
}
