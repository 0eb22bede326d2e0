//! What a client can ask for.

use alloc::sync::Arc;

use engine::messages;

use crate::ids::{CardId, CharacterId, Entrance, LocationId};

messages! {
    /// A command, with its arguments in the order of the published protocol.
    pub enum Command {
        /// Takes part in the game under a name.
        Register { name: Arc<str> },
        /// Starts the game with the players who are there.
        StartGame {},
        /// Chooses two of the four characters that were offered.
        SelectCharacters { first: CharacterId, second: CharacterId },
        /// Moves a character to another location; with fuel (group edition) safely.
        Move { character: CharacterId, location: LocationId, fuel: Option<bool> },
        /// Kills a zombie at an entrance of the character's location.
        Attack { character: CharacterId, entrance: Entrance },
        /// Builds a barricade at an entrance of the character's location.
        Barricade { character: CharacterId, entrance: Entrance },
        /// Searches the character's location for cards.
        Search { character: CharacterId },
        /// Disposes of waste in the colony.
        CleanWaste { character: CharacterId },
        /// Gives a card to the crisis of the round.
        ContributeCard { card: CardId },
        /// Plays a card: FOOD and STUFF alone, all others with a character and a target.
        UseCard { card: CardId, character: Option<CharacterId>, target: Option<i32> },
        /// Uses a character's ability: FEED alone, all others on a target.
        UseAbility { character: CharacterId, target: Option<i32> },
        /// Ends one's turn.
        EndTurn {},
        /// Leaves the game for good.
        Leave {},
        /// Answers a vote: true is the first of the two consequences.
        Vote { answer: bool },
        /// A command with too few or too many arguments, by the number of its kind: always refused, but a command all the same.
        WrongArguments { command: u8, given: u8 },
    }
}
