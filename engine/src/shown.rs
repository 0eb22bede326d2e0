//! A game as people see it: pictures of its board, events in words, and figures to plot.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CommId, Emission, Rulebook};

/// A rulebook whose games people can watch. All functions are pure, so a live game, a finished game and an old log show the
/// same.
pub trait Shown: Rulebook {
    /// The names of the [`figures`](Self::figures).
    const FIGURES: &'static [&'static str];

    /// The part of the picture that does not change during a game: names, places, cards.
    fn stage(setup: &Self::Setup) -> Value;

    /// The board as data for the drawing code. Its keys are always the same, so that two pictures of a game differ in values
    /// only.
    fn picture(board: &Self::Board) -> Value;

    /// The picture as one client sees it: the same keys, with the facts that only this client knows. `None` if a client knows no
    /// more than the [board](Self::picture).
    fn picture_of_view(view: &Self::View) -> Option<Value> {
        let _knows_no_more = view;
        None
    }

    /// Facts that players must not know while the game runs, such as the order of a deck.
    fn hidden(&self) -> Value;

    /// The round and the turn of a board.
    fn moment(board: &Self::Board) -> Moment;

    /// Numbers to plot, one for each of [`Self::FIGURES`].
    fn figures(board: &Self::Board) -> Vec<i64>;

    /// Describes an event; `board` is the board before it.
    fn tell_event(board: &Self::Board, event: &Self::Event) -> String;

    /// Describes the event at a place of an entry to readers who may know everything: with what single clients were told in the same
    /// entry, and with hidden facts. `board` is the board before the event, and `game` the game after the entry; there is none if
    /// the rules do not agree with the log. `None` if [`tell_event`](Self::tell_event) says it all.
    fn tell_whole_event(
        game: Option<&Self>,
        board: &Self::Board,
        emissions: &[Emission<Self::Event>],
        place: usize,
    ) -> Option<String> {
        let _says_it_all = (game, board, emissions, place);
        None
    }

    /// Describes an event to a client; `view` is what the client knows before it. `None` if the client can be told no more than
    /// [everyone](Self::tell_event).
    fn tell_event_of_view(view: &Self::View, event: &Self::Event) -> Option<String> {
        let _no_more = (view, event);
        None
    }

    /// How a game ended, for tables of many games: without scores, of which nearly every game would have others.
    fn tell_outcome(outcome: &Self::Outcome) -> String {
        outcome.to_string()
    }

    /// Describes a command; `board` is the board before it.
    fn tell_command(board: &Self::Board, command: &Self::Command) -> String;

    /// The name of a client's player, once it has one.
    fn name_of(&self, client: CommId) -> Option<String>;

    /// The seat of a client's player, as an index into [`players`](Self::players). Rulebooks whose players may share a name tell it
    /// by themselves.
    fn seat_index(&self, client: CommId) -> Option<usize> {
        let name = self.name_of(client)?;
        Self::players(&self.board()).iter().position(|player| *player == name)
    }

    /// The names of the players so far, in the order of their seats.
    fn players(board: &Self::Board) -> Vec<String>;

    /// The players that a game waits for before it begins. `None` once it has begun, and for rulebooks that do not tell.
    fn missing(board: &Self::Board) -> Option<Missing> {
        let _does_not_tell = board;
        None
    }
}

/// How many players a game waits for before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// The number of players without whom it cannot begin.
    pub least: u32,
    /// The number of players whom it can still take.
    pub most: u32,
}

/// A point in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The round, from 1; 0 before the first round. A game without rounds may count something else, such as moves.
    pub round: u32,
    /// The player whose turn it is.
    pub turn: Option<String>,
}
