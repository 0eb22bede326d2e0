//! What people see of a game: pictures of its board, words for what happens, and figures to plot.

use alloc::{string::String, vec::Vec};

use serde_json::Value;

use crate::{CommId, Rulebook};

/// A rulebook whose games can be looked at. Everything here is a pure function of what the rules have, so that it is the same
/// live, after the end and in ten years.
pub trait Shown: Rulebook {
    /// What [`figures`](Self::figures) gives, by name.
    const FIGURES: &'static [&'static str];

    /// What does not change in a game, for whoever draws it: names, places, cards.
    fn stage(setup: &Self::Setup) -> Value;

    /// The board for whoever draws it. Its keys are always the same, so that two pictures of a game differ in values only.
    fn picture(board: &Self::Board) -> Value;

    /// What nobody may know while the game is played, such as what would be drawn next.
    fn hidden(&self) -> Value;

    /// Where in the game a board is.
    fn moment(board: &Self::Board) -> Moment;

    /// Numbers that are worth a plot.
    fn figures(board: &Self::Board) -> Vec<i64>;

    /// An event in words, on the board as it was before.
    fn tell_event(board: &Self::Board, event: &Self::Event) -> String;

    /// A command in words, on the board as it was before.
    fn tell_command(board: &Self::Board, command: &Self::Command) -> String;

    /// Under which name a client plays, once it has one.
    fn name_of(&self, client: CommId) -> Option<String>;

    /// Names of the players so far, in the order of their seats.
    fn players(board: &Self::Board) -> Vec<String>;
}

/// Where in a game something is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// From 1; 0 before the first. A game without rounds may count something else that people count by.
    pub round: u32,
    /// Whose turn it is.
    pub turn: Option<String>,
}
