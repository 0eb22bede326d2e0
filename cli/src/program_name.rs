//! The name of the program, in its messages and its help: an author's program has one of its own.

use std::sync::OnceLock;

/// The name that all texts are written with.
const USUAL: &str = "holdfast";

static NAME: OnceLock<String> = OnceLock::new();

/// Chooses the name, once and before the first message.
pub fn choose(name: &str) {
    let _chosen_before = NAME.set(name.into());
}

/// The name of the program.
pub fn program_name() -> &'static str {
    NAME.get().map_or(USUAL, String::as_str)
}

/// A text with the name of this program in each command that it mentions: `holdfast host` becomes `pebble host`.
pub fn with_program_name(text: &str) -> String {
    renamed(text, program_name())
}

fn renamed(text: &str, name: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(USUAL) {
        let (before, after) = (&rest[..at], &rest[at + USUAL.len()..]);
        written.push_str(before);
        let begins_word = before.chars().next_back().is_none_or(|last| last.is_whitespace() || "`(".contains(last));
        // The first line of a file of heads has this word, whatever the program is called.
        let is_command = after.starts_with(' ') && !after.starts_with(" heads ");
        written.push_str(if begins_word && is_command { name } else { USUAL });
        rest = after;
    }
    written + rest
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn only_commands_are_renamed() {
        let check = |text: &str, expected: &str| assert_eq!(renamed(text, "pebble"), expected);
        check("start a host with `holdfast host`", "start a host with `pebble host`");
        check("holdfast log list x && holdfast log verify x", "pebble log list x && pebble log verify x");
        check("postgres://holdfast@db/games", "postgres://holdfast@db/games");
        check("must be `holdfast heads 1`; `holdfast log heads`", "must be `holdfast heads 1`; `pebble log heads`");
        check("nothing", "nothing");
    }
}
