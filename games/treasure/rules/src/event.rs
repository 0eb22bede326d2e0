//! What happens in a game. A player is told what concerns itself alone, and what every player may know.

use alloc::{sync::Arc, vec::Vec};

use engine::messages;

use crate::{
    chart::Placement,
    command::Coding,
    half::{Report, Violation},
    map::{Direction, Position, Terrain},
    mask::Key,
    outcome::Outcome,
    player::Player,
    refusal::Refusal,
};

messages! {
    /// An event, with its arguments in order.
    pub enum Event {
        /// This client plays, with this secret id; from the key comes what it is shown in place of secrets.
        Seated { player: Player, id: Arc<str>, account: Arc<str>, key: Key },
        /// The last command was refused, and nothing has changed.
        Refused { refusal: Refusal },
        /// The last command was refused, and the game is over.
        Failed { refusal: Refusal },
        /// Something unreadable came from this client, for the so manieth time. Nothing else has changed.
        Noted { number: u8, refusal: Refusal },
        /// Somebody plays; the account only where the other may know it.
        Registered { player: Player, first_name: Arc<str>, last_name: Arc<str>, account: Option<Arc<str>> },
        /// Both are there: the game begins.
        Began { starter: Player },
        /// A half was good; with the number of the action, where halves are actions.
        HalfTaken { player: Player, action: Option<u32> },
        /// A half broke rules; with the number of the action, where halves are actions.
        HalfRejected { player: Player, action: Option<u32>, report: Report, violations: Vec<Violation> },
        /// The client's own half: its figures, and where its fort is on the map.
        HalfKept { report: Report, fort: Position, coding: Option<Coding> },
        /// A half is on the map, row by row.
        Charted { player: Player, placement: Placement, report: Report, terrain: Vec<Terrain> },
        /// Where both avatars are, from now on for everybody to see.
        Appeared { first: Position, second: Position },
        /// A player has acted, and where everybody may see it, has gone one field in this direction.
        Acted { player: Player, action: u32, step: Option<Direction> },
        /// The client's avatar is on this field now.
        Moved { to: Position },
        /// The client's avatar is on its way; so many more requests in the same direction, and it is there.
        Spent { direction: Direction, left: u8 },
        /// The client's avatar stays where it is, on purpose.
        Waited {},
        /// The client sees its treasure.
        TreasureSeen { at: Position },
        /// The client has its treasure.
        TreasureTaken { at: Position },
        /// The client sees the other's fort.
        FortSeen { at: Position },
        /// A player has its treasure.
        Collected { player: Player },
        /// The game is over.
        Finished { outcome: Outcome },
    }
}

impl Event {
    /// What to answer to the sender of a command instead of its success.
    pub fn problem(&self) -> Option<&Refusal> {
        if let Self::Refused { refusal } | Self::Failed { refusal } | Self::Noted { refusal, .. } = self {
            return Some(refusal);
        }
        None
    }
}
