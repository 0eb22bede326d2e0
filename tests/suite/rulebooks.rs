//! The table of tested rulebooks, and the macro [`tested!`] for a row of it.

use crate::protocol::{python::Messages, types::Types};

/// The rulebook of each game, in the order of their names.
pub(crate) const RULEBOOKS: &[Tested] = &[
    #[cfg(feature = "colony")]
    crate::colony::RULEBOOK,
    #[cfg(feature = "crazyhouse")]
    crate::crazyhouse::RULEBOOK,
    #[cfg(feature = "project")]
    crate::project::RULEBOOK,
    #[cfg(feature = "treasure")]
    crate::treasure::RULEBOOK,
];

/// The functions by which shared tests use a rulebook.
pub(crate) struct Tested {
    pub(crate) name: &'static str,
    /// The types of its messages.
    pub(crate) types: fn() -> Types,
    /// Compares the types with the tables in the rulebook's document.
    pub(crate) check_page: fn(),
    /// Adds messages of every kind.
    pub(crate) sample: fn(&mut Messages),
    /// Adds the messages of whole games.
    pub(crate) play: fn(&mut Messages),
    /// Compares the bytes of every message with a golden file.
    pub(crate) check_bytes: fn(),
}

/// A row of the table. Its parts: the crate of the rules, the game's folder, its page in docs/, a function that plays games
/// with every event, the event that refuses a command, the type of the setup, and a function that adds the messages of whole
/// games.
macro_rules! tested {
    ($rules:ident in $folder:literal, page $page:literal, told $told:path, refusal $refused:ident, setup $setup:ident, play $play:expr) => {
        crate::rulebooks::Tested {
            name: <$rules::Game as engine::Rulebook>::NAME,
            types: || crate::protocol::description::rulebook::<$rules::Game>(&$told()),
            check_page: || crate::protocol::documents::tables_of::<$rules::Game, $rules::Refusal>($page, &$told()),
            sample: crate::protocol::python::Messages::sample::<$rules::Game>,
            play: $play,
            check_bytes: || {
                use $rules::{Command, Event, Refusal, Timer};
                crate::golden::bytes::check_all::<Command, Event, Refusal, Timer, $rules::$setup>($folder, |event| {
                    if let Event::$refused { refusal } = event { Some(refusal) } else { None }
                });
            },
        }
    };
}
pub(crate) use tested;

/// Every game of the program must be in the table. Otherwise it would not be tested.
#[test]
fn the_table_has_every_game() {
    let mut games: Vec<&str> = holdfast::GAMES.iter().map(|game| game.hosted().name()).collect();
    games.sort_unstable();
    assert_eq!(RULEBOOKS.iter().map(|rulebook| rulebook.name).collect::<Vec<_>>(), games);
}
