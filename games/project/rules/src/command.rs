//! What reaches a game: what players ask for, and what their connections and the Game Master report.

use alloc::sync::Arc;

use engine::messages;

use crate::{
    team::Team,
    words::{Direction, Hearsay},
};

messages! {
    /// A command, with its arguments in order. An `id` is the message's own on the wire.
    pub enum Command {
        /// Asks to take part. The same hash again: the player is back.
        Join { hash: Arc<str> },
        /// Asks for a place in a team; the other one is given when it is full.
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
        /// Something went wrong that nobody expected: the game is over. Only the Game Master says so.
        Fail { because: Arc<str> },
        /// One player has told another what it knows. The rules take no notice: it is for those who look at what a player
        /// knows, and only a Game Master that hears what players tell each other says so.
        Exchanged { from: u32, to: u32, tiles: Arc<[Hearsay]> },
    }
}
