//! Tests of scenarios and their checking.

/// Ten broken scenarios, and that exactly their planted problems are found.
mod broken;
/// That what is built in is sound, and that nothing is missing.
mod built_in;
/// Files and texts that are no scenarios at all.
mod input;
/// A hundred thousand damaged texts.
mod mutations;
/// That schema and reader agree on what is well formed.
mod schema;

/// A sound scenario in which every kind of card, ability, crisis, trigger and consequence occurs.
const BASE: &str = include_str!("base.json");

/// `BASE` with each of the texts, which must be there once, replaced.
fn patched<'a>(patches: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    patches.into_iter().fold(BASE.to_owned(), |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "not there once: {old}");
        text.replace(old, new)
    })
}
