//! Commands: requests of players, and reports of the Game Master.

use alloc::sync::Arc;

use engine::messages;

use crate::{
    team::Team,
    words::{Direction, Hearsay},
};

messages! {
    /// A command, with its arguments in order. An `id` is the message's own on the wire.
    #[allow(missing_docs, reason = "the fields are named after their types")]
    pub enum Command {
        /// Asks to take part. A known hash means that the player is back.
        Join { hash: Arc<str> },
        /// Asks for a place in a team. If the team is full, the player gets into the other one.
        ChooseTeam { id: Arc<str>, team: Team },
        /// Goes to the next tile.
        Move { id: Arc<str>, direction: Direction },
        /// Looks at the up to eight tiles around.
        Discover { id: Arc<str> },
        /// Takes the piece from the own tile.
        PickUp { id: Arc<str> },
        /// Finds out whether the piece in hand is a sham.
        Test { id: Arc<str> },
        /// Puts the piece in hand on the own tile.
        Place { id: Arc<str> },
        /// The player's connection is lost. Its place is kept for the attempts of the setup.
        Lost {},
        /// Ends the game after an unexpected error. Only the Game Master may send it.
        Fail { because: Arc<str> },
        /// One player has shared its knowledge with another. It changes nothing but the knowledge that is shown. Only a Game
        /// Master that gets copies of the messages between players sends it.
        Exchanged { from: u32, to: u32, tiles: Arc<[Hearsay]> },
    }
}
