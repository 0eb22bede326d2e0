//! Queries that do not change the game. The gateway uses them before it submits a command, and the rules use them, too.

use engine::CommId;

use crate::{
    command::Command,
    game::Game,
    map::{Direction, Position},
    player::Player,
    private::Progress,
    refusal::Refusal,
};

/// The most unreadable messages of a player that are logged.
pub const MOST_NOTED: u8 = 100;
/// The longest logged description of an unreadable message, in characters.
pub const LONGEST_PROBLEM: usize = 300;

/// Whether a client may act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It is the client's turn.
    Own,
    /// The opponent must act first.
    Others,
    /// The map is incomplete, so neither player may walk.
    NoMap,
    /// The game is over.
    Over,
}

impl Game {
    /// The player that the next registered client becomes.
    ///
    /// # Errors
    ///
    /// [`Refusal::GameOver`] or [`Refusal::GameFull`].
    pub fn vacancy(&self) -> Result<Player, Refusal> {
        if self.board.outcome().is_some() {
            return Err(Refusal::GameOver {});
        }
        let free = Player::BOTH.into_iter().find(|player| self.clients[*player as usize].is_none());
        free.ok_or(Refusal::GameFull {})
    }

    /// Whether a client may walk now.
    pub fn turn_of(&self, client: CommId) -> Turn {
        if self.board.outcome().is_some() {
            return Turn::Over;
        }
        if !self.is_charted() {
            return Turn::NoMap;
        }
        if self.turn() == Some(client) { Turn::Own } else { Turn::Others }
    }

    /// Whether both halves are on the map.
    pub fn is_charted(&self) -> bool {
        self.board.chart().is_some_and(|chart| chart.is_complete())
    }

    /// Whether a client has sent its half.
    pub fn has_half_of(&self, client: CommId) -> bool {
        self.player_of(client).is_some_and(|player| self.has_half(player))
    }

    pub(crate) fn has_half(&self, player: Player) -> bool {
        self.board.entrant(player).is_some_and(|entrant| entrant.half)
    }

    /// Whether another unreadable message of this client would be logged.
    pub fn takes_notes_of(&self, client: CommId) -> bool {
        self.player_of(client).is_some_and(|player| self.noted[player as usize] < MOST_NOTED)
    }

    /// Whether an update repeats the last one of this client. The same update twice is always a mistake, so the client has missed the
    /// answer. A repeated wait cannot be recognized.
    pub fn repeats(&self, client: CommId, update: &Command) -> bool {
        let Some(private) = self.player_of(client).and_then(|player| self.private(player)) else { return false };
        let (Some(at), Command::Update { x, y, wanted_x, wanted_y, turns }) = (private.at, update) else {
            return false;
        };
        let (here, wanted) = ((*x, *y), (*wanted_x, *wanted_y));
        match private.progress {
            Some(Progress { direction, left }) => {
                is_at(here, at) && direction_of(here, wanted) == Some(direction) && *turns == i32::from(left)
            }
            // The last update made its step.
            None => *turns == 0 && is_at(wanted, at) && direction_of(here, wanted).is_some(),
        }
    }

    /// Finds the client of a player's id.
    pub fn client_with(&self, id: &str) -> Option<CommId> {
        let player =
            Player::BOTH.into_iter().find(|player| self.private(*player).is_some_and(|private| *private.id == *id))?;
        self.clients[player as usize]
    }
}

impl Command {
    /// A command that logs an unreadable message, with a description that is cut to its longest length.
    pub fn garbled(problem: &str) -> Self {
        Self::Garbled { problem: cut(problem).into() }
    }
}

/// Cuts a description to its longest length.
pub(crate) fn cut(problem: &str) -> &str {
    problem.char_indices().nth(LONGEST_PROBLEM).map_or(problem, |(end, _)| &problem[..end])
}

pub(crate) fn is_at((x, y): (i32, i32), at: Position) -> bool {
    (x, y) == (at.x.into(), at.y.into())
}

/// The direction to a neighbouring field.
pub(crate) fn direction_of((x, y): (i32, i32), wanted: (i32, i32)) -> Option<Direction> {
    match (i64::from(wanted.0) - i64::from(x), i64::from(wanted.1) - i64::from(y)) {
        (0, -1) => Some(Direction::Up),
        (0, 1) => Some(Direction::Down),
        (-1, 0) => Some(Direction::Left),
        (1, 0) => Some(Direction::Right),
        _ => None,
    }
}
