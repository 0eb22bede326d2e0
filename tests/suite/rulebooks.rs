//! The rulebooks that tests go through: the one table of them.

use engine::Rulebook;

use crate::{
    golden::bytes,
    protocol::{description, documents, python::Messages, told, types::Types},
};

/// What tests do with a rulebook without knowing it.
pub(crate) struct Tested {
    pub(crate) name: &'static str,
    /// Its messages, as the types say it.
    pub(crate) types: fn() -> Types,
    /// Compares them with the tables of its page.
    pub(crate) check_page: fn(),
    /// Adds every kind of message.
    pub(crate) sample: fn(&mut Messages),
    /// Compares the bytes of every message with those of a file.
    pub(crate) check_bytes: fn(),
}

macro_rules! tested {
    ($rules:ident, page $page:literal, told $told:path, refusal $refused:ident, bytes $bytes:literal with $setup:ident) => {
        Tested {
            name: $rules::Game::NAME,
            types: || description::rulebook::<$rules::Game>(&$told()),
            check_page: || documents::tables_of::<$rules::Game, $rules::Refusal>($page, &$told()),
            sample: Messages::sample::<$rules::Game>,
            check_bytes: || {
                use $rules::{Command, Event, Refusal, Timer};
                bytes::check_all::<Command, Event, Refusal, Timer, $rules::$setup>($bytes, |event| {
                    if let Event::$refused { refusal } = event { Some(refusal) } else { None }
                });
            },
        }
    };
}

/// In the order of their names.
pub(crate) const RULEBOOKS: &[Tested] = &[
    tested!(colony_rules, page "colony.md", told told::colony, refusal CommandFailed, bytes "bytes.txt" with Edition),
    tested!(crazyhouse_rules, page "crazyhouse.md", told told::crazyhouse, refusal Refused, bytes "crazyhouse-bytes.txt" with Setup),
    tested!(project_rules, page "project/messages.md", told told::project, refusal Refused, bytes "project-bytes.txt" with Setup),
    tested!(treasure_rules, page "treasure.md", told told::treasure, refusal Refused, bytes "treasure-bytes.txt" with Setup),
];

/// A game of the program that is not in the table would not be tested.
#[test]
fn the_table_has_every_game() {
    let mut games: Vec<&str> = holdfast::GAMES.iter().map(|game| game.hosted().name()).collect();
    games.sort_unstable();
    assert_eq!(RULEBOOKS.iter().map(|rulebook| rulebook.name).collect::<Vec<_>>(), games);
}
