//! The requests and answers of a script.

use std::sync::Arc;

use engine::messages;
use project_rules::{Answer, Command, Direction, EndReason, Placed, Position, Team, Tested, Tile};
use serde::{Deserialize, Serialize};

messages! {
    /// What an agent sends. An `id` and a `hash` stand for a UUID.
    #[allow(missing_docs, reason = "the fields are named after the elements of the documents")]
    pub enum Request {
        /// Asks to take part.
        Join { hash: u32 },
        /// Asks for a team.
        ChooseTeam { id: u32, team: Team },
        /// Asks to go to the next tile.
        Move { id: u32, direction: Direction },
        /// Asks for the tiles around.
        Discover { id: u32 },
        /// Asks for the piece on the own tile.
        PickUp { id: u32 },
        /// Asks whether the carried piece is a sham.
        Test { id: u32 },
        /// Asks to put the carried piece on the own tile.
        Place { id: u32 },
    }
}

messages! {
    /// What an agent receives. An `id` is that of the request that is answered.
    #[allow(missing_docs, reason = "the fields are named after the elements of the documents")]
    pub enum Told {
        /// The agent takes part, under this number.
        Confirmed { player: u32 },
        /// The agent may not take part.
        Refused {},
        /// The agent's team, and whether it leads it.
        TeamGiven { id: Option<u32>, team: Team, leader: bool },
        /// The game begins: all players, the size of the board, and the agent's own position.
        Started { players: Vec<Member>, width: i32, height: i32, position: Position },
        /// The answer to a move.
        Moved { id: u32, success: bool, position: Position, distance: Option<i32> },
        /// The tiles around.
        Discovered { id: u32, tiles: Vec<Tile> },
        /// The answer to a pick-up.
        PickedUp { id: u32, success: bool },
        /// What the piece is.
        Tested { id: u32, result: Tested },
        /// What the placed piece did.
        Placed { id: u32, result: Placed },
        /// The game is over: why, the winner, and the goals of both teams.
        Ended { reason: EndReason, winner: Team, blue: u32, red: u32 },
    }
}

/// A player of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its number.
    pub player: u32,
    /// Its team.
    pub team: Team,
}

/// The UUID that a number stands for, for the hash of a player or the id of a message.
pub(super) fn uuid_of(number: u32) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

/// The number that a UUID stands for; `None` if no script has sent it.
pub(super) fn number_of(uuid: &str) -> Option<u32> {
    uuid.strip_prefix("00000000-0000-4000-8000-")?.parse().ok()
}

impl Request {
    /// The command of the rules.
    pub(super) fn command(&self) -> Command {
        let uuid = |number: &u32| -> Arc<str> { uuid_of(*number).into() };
        match self {
            Self::Join { hash } => Command::Join { hash: uuid(hash) },
            Self::ChooseTeam { id, team } => Command::ChooseTeam { id: uuid(id), team: *team },
            Self::Move { id, direction } => Command::Move { id: uuid(id), direction: *direction },
            Self::Discover { id } => Command::Discover { id: uuid(id) },
            Self::PickUp { id } => Command::PickUp { id: uuid(id) },
            Self::Test { id } => Command::Test { id: uuid(id) },
            Self::Place { id } => Command::Place { id: uuid(id) },
        }
    }

    /// The request that makes a command of a log. Ids of other agents become numbers from their text.
    pub(super) fn of_command(command: &Command) -> Option<Self> {
        match command {
            Command::Join { hash } => Some(Self::Join { hash: short(hash) }),
            Command::ChooseTeam { id, team } => Some(Self::ChooseTeam { id: short(id), team: *team }),
            Command::Move { id, direction } => Some(Self::Move { id: short(id), direction: *direction }),
            Command::Discover { id } => Some(Self::Discover { id: short(id) }),
            Command::PickUp { id } => Some(Self::PickUp { id: short(id) }),
            Command::Test { id } => Some(Self::Test { id: short(id) }),
            Command::Place { id } => Some(Self::Place { id: short(id) }),
            Command::Lost {} | Command::Fail { .. } | Command::Exchanged { .. } => None,
        }
    }
}

/// A number for any UUID: its own, or one from its digest, which differs for different UUIDs.
fn short(uuid: &str) -> u32 {
    number_of(uuid).unwrap_or_else(|| {
        let digest = blake3::hash(uuid.to_ascii_lowercase().as_bytes());
        let [first, second, third, fourth, ..] = *digest.as_bytes();
        u32::from_le_bytes([first, second, third, fourth])
    })
}

impl Told {
    /// The message with an answer; `None` for silence.
    pub(super) fn answer(id: u32, answer: &Answer) -> Option<Self> {
        match answer {
            Answer::Moved { success, position, distance } => {
                Some(Self::Moved { id, success: *success, position: *position, distance: *distance })
            }
            Answer::Discovered { tiles } => Some(Self::Discovered { id, tiles: tiles.to_vec() }),
            Answer::PickedUp { success } => Some(Self::PickedUp { id, success: *success }),
            Answer::Tested { result } => Some(Self::Tested { id, result: *result }),
            Answer::Placed { result } => Some(Self::Placed { id, result: *result }),
            Answer::Silence => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Guid;

    #[test]
    fn numbers_stand_for_uuids() {
        for number in [0, 7, u32::MAX] {
            assert!(Guid::parse(&uuid_of(number)).is_some(), "{number}");
            assert_eq!(number_of(&uuid_of(number)), Some(number));
        }
        assert_eq!(number_of("a0000000-0000-4000-8000-000000000007"), None);
        let [one, other] = ["a0000000-0000-4000-8000-000000000007", "A0000000-0000-4000-8000-000000000007"];
        assert_eq!(short(one), short(other));
        assert_ne!(short(one), short("b0000000-0000-4000-8000-000000000007"));
    }
}
