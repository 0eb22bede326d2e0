//! The events of a game.

use alloc::sync::Arc;

use engine::messages;
use serde::{Deserialize, Serialize};

use crate::{
    ids::{CardId, CharacterId, CrisisId, Entrance, FateId, LocationId, PlayerId},
    refusal::Refusal,
};

messages! {
    /// An event, with its arguments in the order of the published protocol. The events from `Registered` on are facts for the
    /// board, which that protocol does not have.
    #[allow(missing_docs, reason = "the fields are named after their types")]
    pub enum Event {
        /// The scenario. Its text is stored in the header of the log, and added when the event is sent.
        Config {},
        /// A command of this player is awaited.
        ActNow {},
        /// Four characters to choose two from.
        Characters { c0: CharacterId, c1: CharacterId, c2: CharacterId, c3: CharacterId },
        /// The last command was refused.
        CommandFailed { refusal: Refusal },
        /// A vote of this player is awaited.
        VoteNow {},
        /// A command other than `Register` and `StartGame` came during registration, so there will be no game.
        RegistrationAborted {},
        /// Registration is over.
        GameStarted {},
        /// A player takes part in the game.
        Player { player: PlayerId, name: Arc<str> },
        /// A character comes into the game, in the colony.
        CharacterSpawned { player: PlayerId, character: CharacterId },
        /// A child comes into the colony.
        ChildSpawned {},
        /// A player gets a card from a stack.
        CardDrawn { player: PlayerId, card: CardId },
        /// A round begins: its number (group edition), or how many rounds are left including this one (equipment and fate).
        NextRound { round: u32 },
        /// The crisis of the round.
        Crisis { crisis: CrisisId },
        /// An action die was rolled.
        DieRolled { player: PlayerId, value: u8 },
        /// A character moved to a location. The group edition says whether with fuel.
        Moved { character: CharacterId, location: LocationId, fuel: Option<bool> },
        /// A zombie was killed.
        ZombieKilled { character: CharacterId, location: LocationId, entrance: Entrance },
        /// A barricade was built.
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
        /// A character got a wound.
        Wounded { character: CharacterId },
        /// A character got a frostbite.
        Frostbitten { character: CharacterId },
        /// A character died of a bite, or because a bite spread; without a character, a child died.
        Bitten { character: Option<CharacterId> },
        /// A character died.
        SurvivorKilled { character: CharacterId },
        /// A child died.
        ChildKilled {},
        /// All turns of the round are over.
        ColonyPhaseStarted {},
        /// There was not enough to eat.
        StarvationTokenAdded {},
        /// A zombie came.
        ZombieSpawned { location: LocationId, entrance: Entrance },
        /// A zombie destroyed a barricade, and is gone.
        BarricadeDestroyed { location: LocationId, entrance: Entrance },
        /// A player is out of the game.
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
        /// A player's turn is over, or was lost before it began. Unused dice are lost, and limits per round are reset.
        TurnEnded { player: PlayerId },
        /// A die was used up.
        DieSpent { player: PlayerId, value: u8 },
        /// An effect that is limited per round was used, and no other event says so.
        EffectUsed { character: CharacterId, effect: Effect },
        /// A player is asked for a vote.
        VoteAsked { player: PlayerId },
    }
}

/// Why the food in stock changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FoodChange {
    /// A FOOD card was played.
    FoodAdded,
    /// The colony ate.
    FoodConsumed,
    /// A fate card fired.
    Crossroad,
}

/// Why the morale changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MoralChange {
    /// A character or a child died.
    CharacterDied,
    /// There are starvation tokens.
    StarvationToken,
    /// The waste pile is high.
    Waste,
    /// The crisis was answered well or badly.
    Crisis,
    /// A fate card fired.
    Crossroad,
}

/// An effect that is limited per round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// A card that the character wears.
    Equipment(CardId),
    /// The character's passive ability.
    Ability,
    /// The one plain waste disposal that a player has (group edition).
    Disposal,
}
