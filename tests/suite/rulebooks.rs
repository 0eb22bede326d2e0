//! The rulebooks that tests go through, and what a game says about its own: [`tested!`].

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

/// What tests do with a rulebook without knowing it.
pub(crate) struct Tested {
    pub(crate) name: &'static str,
    /// Its messages, as the types say it.
    pub(crate) types: fn() -> Types,
    /// Compares them with the tables of its page.
    pub(crate) check_page: fn(),
    /// Adds every kind of message.
    pub(crate) sample: fn(&mut Messages),
    /// Adds the messages of whole games.
    pub(crate) play: fn(&mut Messages),
    /// Compares the bytes of every message with those of a file.
    pub(crate) check_bytes: fn(),
}

/// A row of the table, from the crate of the rules: the name of the game's folder, its page in docs/, the games that tell
/// every event, the event that refuses, the type of what a game is played with, and the messages of whole games.
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

/// A game of the program that is not in the table would not be tested.
#[test]
fn the_table_has_every_game() {
    let mut games: Vec<&str> = holdfast::GAMES.iter().map(|game| game.hosted().name()).collect();
    games.sort_unstable();
    assert_eq!(RULEBOOKS.iter().map(|rulebook| rulebook.name).collect::<Vec<_>>(), games);
}
