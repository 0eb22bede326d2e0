//! Events of a game.
//!
//! A player gets `Confirmed`, `Refused`, `TeamGiven`, `Started`, `Answered`, `Repeated`, `Learnt` and `Ended`. Only the Game
//! Master gets `Noted`. All others are public: they contain no positions.

use alloc::sync::Arc;

use engine::messages;

use crate::{
    answer::Answer,
    member,
    note::Note,
    outcome::Outcome,
    refusal::Refusal,
    team::Team,
    words::{Hearsay, Position},
};

messages! {
    /// An event, with its arguments in order. A `context` is the id of the request that is answered.
    #[allow(missing_docs, reason = "the fields are named after their types")]
    pub enum Event {
        /// The player takes part, or is back: its number on the wire.
        Confirmed { player: u32 },
        /// The command was refused and changed nothing.
        Refused { refusal: Refusal },
        /// The player's team. Without a context, the leader has left and the player leads now.
        TeamGiven { context: Option<Arc<str>>, team: Team, leader: bool },
        /// The game runs: who plays, each leader first of its team, the board's size, and where the player stands.
        Started {
            #[serde(with = "member::all")]
            players: Arc<[(u32, Team)]>,
            width: i32,
            height: i32,
            position: Position,
        },
        /// The answer to a request.
        Answered { context: Arc<str>, answer: Answer },
        /// A request came again and is answered as before.
        Repeated { context: Arc<str>, answer: Answer },
        /// A note that only the Game Master gets.
        Noted { note: Note },
        /// A player takes part.
        Joined { player: u32 },
        /// A player is in a team. The first one leads it.
        TeamJoined { player: u32, team: Team },
        /// All seats are taken, and the game runs.
        Began {},
        /// A request of a player was carried out.
        Acted { player: u32 },
        /// A team has completed a goal.
        Scored { team: Team },
        /// A player's connection is lost; its place is kept for a while.
        Lost { player: u32 },
        /// A player is back.
        Returned { player: u32 },
        /// A player did not come back in time.
        Left { player: u32 },
        /// The game is over.
        Ended { outcome: Outcome },
        /// The player has learnt these tiles from another player, directly: the Game Master does not send it.
        Learnt { from: u32, tiles: Arc<[Hearsay]> },
        /// One player has shared its knowledge with another.
        Told { from: u32, to: u32 },
    }
}
