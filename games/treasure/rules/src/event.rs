//! The events of a game. A player receives its own events and the public ones.

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
    #[allow(missing_docs, reason = "the fields are named after their types")]
    pub enum Event {
        /// This client plays, with this secret id. The key makes up what the client is shown in place of secrets.
        Seated { player: Player, id: Arc<str>, account: Arc<str>, key: Key },
        /// The last command was refused, and nothing has changed.
        Refused { refusal: Refusal },
        /// The last command was refused, and the game is over.
        Failed { refusal: Refusal },
        /// This client sent an unreadable message, the `number`th one. Nothing else has changed.
        Noted { number: u8, refusal: Refusal },
        /// A player has registered. The account is there only if the opponent may know it.
        Registered { player: Player, first_name: Arc<str>, last_name: Arc<str>, account: Option<Arc<str>> },
        /// Both players are registered, and the game begins.
        Began { starter: Player },
        /// A half keeps all rules. The number is there if halves count as actions.
        HalfTaken { player: Player, action: Option<u32> },
        /// A half breaks rules. The number is there if halves count as actions.
        HalfRejected { player: Player, action: Option<u32>, report: Report, violations: Vec<Violation> },
        /// The client's own half: its figures, and the place of its fort on the map.
        HalfKept { report: Report, fort: Position, coding: Option<Coding> },
        /// A half is on the map, row by row.
        Charted { player: Player, placement: Placement, report: Report, terrain: Vec<Terrain> },
        /// The positions of both avatars, which are public from now on.
        Appeared { first: Position, second: Position },
        /// A player has acted. The step is there if positions are public and the avatar has moved.
        Acted { player: Player, action: u32, step: Option<Direction> },
        /// The client's avatar is on this field now.
        Moved { to: Position },
        /// The client's avatar is on its way, and arrives after `left` more requests in the same direction.
        Spent { direction: Direction, left: u8 },
        /// The client's avatar stays where it is, on purpose.
        Waited {},
        /// The client sees its treasure.
        TreasureSeen { at: Position },
        /// The client has its treasure.
        TreasureTaken { at: Position },
        /// The client sees the opponent's fort.
        FortSeen { at: Position },
        /// A player has its treasure.
        Collected { player: Player },
        /// The game is over.
        Finished { outcome: Outcome },
    }
}

impl Event {
    /// The refusal that the sender of the command gets as its answer.
    pub fn problem(&self) -> Option<&Refusal> {
        if let Self::Refused { refusal } | Self::Failed { refusal } | Self::Noted { refusal, .. } = self {
            return Some(refusal);
        }
        None
    }
}
