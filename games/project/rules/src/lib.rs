//! The project rulebook: two teams of agents race to finish the same project. Each agent sees only a part of the board.
//!
//! [`Game`] is the rulebook and has the whole state: start with its `fold` in `rules`. [`View`] is the knowledge of one player,
//! and [`knowledge`] is for programs that play.
#![no_std]
#![warn(clippy::too_many_lines, clippy::cognitive_complexity, clippy::excessive_nesting, clippy::too_many_arguments)]

extern crate alloc;

mod answer;
mod area;
mod asked;
mod board;
mod command;
mod event;
mod game;
mod ground;
pub mod knowledge;
mod lots;
mod member;
mod note;
mod outcome;
mod player;
mod problem;
mod refusal;
mod rulebook;
mod rules;
mod scenarios;
mod seen;
mod setup;
mod shown;
mod switches;
mod team;
mod view;
mod words;

pub use answer::Answer;
pub use area::{Area, Zone};
pub use asked::{Admission, LONGEST_ID, Reception, Standing};
pub use board::{Board, Phase, Seat};
pub use command::Command;
pub use event::Event;
pub use game::{GAME_MASTER, Game, Timer};
pub use ground::{Ground, Piece};
pub use note::Note;
pub use outcome::{Outcome, Why};
pub use player::{ANSWERS_KEPT, Action, Connection, Counts, Load, MOST_WAITING, Player, Responses};
pub use problem::{LONGEST_SIDE, SetupProblem};
pub use refusal::Refusal;
pub use rules::LONGEST_REASON;
pub use scenarios::SCENARIOS;
pub use seen::{Goal, Seen, Tiles};
pub use setup::{Costs, DEFAULT_PORT, Setup, SetupError};
pub use team::Team;
pub use view::{Carried, View};
pub use words::{Direction, EndReason, Hearsay, Placed, Position, Tested, Tile, TileObject};
