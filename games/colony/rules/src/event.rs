//! What happens in a game, as the clients are told.

use alloc::sync::Arc;

use engine::messages;
use serde::{Deserialize, Serialize};

use crate::{
    ids::{CardId, CharacterId, CrisisId, Entrance, FateId, LocationId, PlayerId},
    refusal::Refusal,
};

messages! {
    /// An event, with its arguments in the order of the published protocol. From `Registered` on they are facts for the
    /// board, which that protocol does not have.
    pub enum Event {
        /// The scenario: its text is in the header of the log and is put in on the way to the client.
        Config {},
        /// A command of this player is awaited.
        ActNow {},
        /// Four characters to choose two from.
        Characters { c0: CharacterId, c1: CharacterId, c2: CharacterId, c3: CharacterId },
        /// The last command was refused.
        CommandFailed { refusal: Refusal },
        /// A vote of this player is awaited.
        VoteNow {},
        /// Something else than a registration came in while players register: there will be no game.
        RegistrationAborted {},
        /// Registration is over.
        GameStarted {},
        /// Takes part.
        Player { player: PlayerId, name: Arc<str> },
        /// A character comes into the game, in the colony.
        CharacterSpawned { player: PlayerId, character: CharacterId },
        /// A child comes into the colony.
        ChildSpawned {},
        /// A player gets a card from a stack.
        CardDrawn { player: PlayerId, card: CardId },
        /// A round begins: its number (group edition), or how many are left with it (equipment and fate).
        NextRound { round: u32 },
        /// The crisis of the round.
        Crisis { crisis: CrisisId },
        /// An action die.
        DieRolled { player: PlayerId, value: u8 },
        /// A character went to a location; the group edition says whether with fuel.
        Moved { character: CharacterId, location: LocationId, fuel: Option<bool> },
        /// A zombie is gone.
        ZombieKilled { character: CharacterId, location: LocationId, entrance: Entrance },
        /// A barricade stands.
        Barricaded { character: CharacterId, location: LocationId, entrance: Entrance },
        /// A location was searched.
        Searched { character: CharacterId, location: LocationId },
        /// The waste pile: its new size (group edition), or the change (equipment and fate).
        WasteChanged { amount: i32 },
        /// A card was given to the crisis.
        Contributed { player: PlayerId, card: CardId },
        /// A card was played.
        CardUsed { card: CardId, character: Option<CharacterId>, target: Option<i32> },
        /// An active ability was used.
        AbilityUsed { character: CharacterId, target: Option<i32> },
        /// The food in stock changed by an amount.
        FoodChanged { amount: i32, reason: FoodChange },
        /// The morale changed by an amount.
        MoralChanged { amount: i32, reason: MoralChange },
        /// One more wound.
        Wounded { character: CharacterId },
        /// One more frostbite.
        Frostbitten { character: CharacterId },
        /// Died of a bite or of what spreads after one; without a character it is a child.
        Bitten { character: Option<CharacterId> },
        /// Died.
        SurvivorKilled { character: CharacterId },
        /// A child died.
        ChildKilled {},
        /// All turns of the round are over.
        ColonyPhaseStarted {},
        /// There was not enough to eat.
        StarvationTokenAdded {},
        /// A zombie came.
        ZombieSpawned { location: LocationId, entrance: Entrance },
        /// A zombie was spent on a barricade.
        BarricadeDestroyed { location: LocationId, entrance: Entrance },
        /// Is out of the game.
        Left { player: PlayerId },
        /// The game is over, won or lost.
        GameEnd { win: bool },
        /// A fate card fires.
        Crossroad { fate: FateId },
        /// The vote is decided: true is the first consequence.
        VoteResult { answer: bool },

        /// A client registered.
        Registered { player: PlayerId, name: Arc<str> },
        /// A player is to choose characters.
        ChoiceOffered { player: PlayerId },
        /// A player's turn begins.
        TurnBegan { player: PlayerId },
        /// A player's turn is over, or lost before it began: unused dice are gone, limits start afresh.
        TurnEnded { player: PlayerId },
        /// A die was used up.
        DieSpent { player: PlayerId, value: u8 },
        /// Something that is limited per round was used without an event of its own.
        EffectUsed { character: CharacterId, effect: Effect },
        /// A player is asked for a vote.
        VoteAsked { player: PlayerId },
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FoodChange {
    FoodAdded,
    FoodConsumed,
    Crossroad,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MoralChange {
    CharacterDied,
    StarvationToken,
    Waste,
    Crisis,
    Crossroad,
}

/// What can be used only so often per round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// A card that the character wears.
    Equipment(CardId),
    /// The character's passive ability.
    Ability,
    /// The one plain waste disposal that a player has (group edition).
    Disposal,
}
