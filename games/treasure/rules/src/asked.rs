//! What the rules say before anything happens: whoever answers clients asks here, and so do the rules themselves.

use engine::CommId;

use crate::{
    command::Command,
    game::Game,
    map::{Direction, Position},
    player::Player,
    private::Progress,
    refusal::Refusal,
};

/// So many unreadable messages of a player are noted in the log.
pub const MOST_NOTED: u8 = 100;
/// The longest problem of an unreadable message that is noted, in characters.
pub const LONGEST_PROBLEM: usize = 300;

/// Whether a client may act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It is the client's turn.
    Own,
    /// Somebody else must act first.
    Others,
    /// There is no whole map yet, and so nobody's turn to walk.
    NoMap,
    /// The game is over.
    Over,
}

impl Game {
    /// As whom the next client would play that registers, or why nobody can.
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

    /// Whether something unreadable of a player would still be noted.
    pub fn takes_notes_of(&self, client: CommId) -> bool {
        self.player_of(client).is_some_and(|player| self.noted[player as usize] < MOST_NOTED)
    }

    /// Whether an update is the last one that was taken of this client: another one like it could only be a mistake. A wait cannot
    /// be told from a second one.
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
            // It has arrived where it wanted to go.
            None => *turns == 0 && is_at(wanted, at) && direction_of(here, wanted).is_some(),
        }
    }

    /// The client that plays under an id.
    pub fn client_with(&self, id: &str) -> Option<CommId> {
        let player =
            Player::BOTH.into_iter().find(|player| self.private(*player).is_some_and(|private| *private.id == *id))?;
        self.clients[player as usize]
    }
}

impl Command {
    /// A note of something unreadable, no longer than it is kept.
    pub fn garbled(problem: &str) -> Self {
        Self::Garbled { problem: cut(problem).into() }
    }
}

/// As much of a problem as is noted.
pub(crate) fn cut(problem: &str) -> &str {
    problem.char_indices().nth(LONGEST_PROBLEM).map_or(problem, |(end, _)| &problem[..end])
}

pub(crate) fn is_at((x, y): (i32, i32), at: Position) -> bool {
    (x, y) == (at.x.into(), at.y.into())
}

/// In which direction the next field is, if it is one of the four.
pub(crate) fn direction_of((x, y): (i32, i32), wanted: (i32, i32)) -> Option<Direction> {
    match (i64::from(wanted.0) - i64::from(x), i64::from(wanted.1) - i64::from(y)) {
        (0, -1) => Some(Direction::Up),
        (0, 1) => Some(Direction::Down),
        (-1, 0) => Some(Direction::Left),
        (1, 0) => Some(Direction::Right),
        _ => None,
    }
}
