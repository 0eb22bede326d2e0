//! What happens in a game, as it is told.
//!
//! To a player: `Confirmed`, `Refused`, `TeamGiven`, `Started`, `Answered`, `Repeated`, `Learnt` and `Ended`. To the Game
//! Master alone: `Noted`. The others are for the board: they never say where anything is.

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
    pub enum Event {
        /// The player takes part, or is back: its number on the wire.
        Confirmed { player: u32 },
        /// The command was refused and changed nothing.
        Refused { refusal: Refusal },
        /// The player's team. Without a context: its leader has left, and the player leads now.
        TeamGiven { context: Option<Arc<str>>, team: Team, leader: bool },
        /// The game runs: who plays, each leader first of its team, the board's size, and where the player stands.
        Started {
            #[serde(with = "member::all")]
            players: Arc<[(u32, Team)]>,
            width: i32,
            height: i32,
            position: Position,
        },
        /// What came of a request.
        Answered { context: Arc<str>, answer: Answer },
        /// A request came again and is answered as before.
        Repeated { context: Arc<str>, answer: Answer },
        /// Something that only the Game Master knows.
        Noted { note: Note },
        /// Somebody takes part.
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
        /// Another player has told these tiles, as far as they were news. Nobody sends this: the player has it from the other.
        Learnt { from: u32, tiles: Arc<[Hearsay]> },
        /// One player has told another what it knows.
        Told { from: u32, to: u32 },
    }
}
