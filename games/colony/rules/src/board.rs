//! The facts that every player may know, folded from the events for all players and the events for the board.
//!
//! The rules keep no second copy of these facts. They read this board and change it only by emitting events, so a client that
//! folds the same events always gets the same board.

use alloc::{sync::Arc, vec::Vec};
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    dice::Dice,
    ids::{CardIx, CharacterIx, ConsequenceIx, CrisisIx, FateIx, LocationIx, PlayerId},
    scenario::{Aim, CardKind, PLACES},
    setup::Setup,
};

mod apply;

/// The number of injuries that kills a character.
pub const DEADLY: u8 = 3;

/// The facts that all players may know about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    setup: Setup,
    /// The current part of the game.
    pub phase: Phase,
    /// The number of the round; 0 before the first one.
    pub round: u32,
    /// The morale. The game is lost at 0.
    pub morale: i64,
    /// The food in stock.
    pub food: i64,
    /// The number of starvation tokens. Each one costs a point of morale in every colony phase.
    pub starvation_tokens: u32,
    /// The size of the waste pile in cards.
    pub waste: u32,
    /// The number of children in the colony.
    pub children: u32,
    /// The crisis of the round.
    pub crisis: Option<CrisisIx>,
    /// The number of cards that were given to the crisis of the round.
    pub contributed: u32,
    /// The entrances of all locations, in the order of the locations.
    entrances: Vec<EntranceState>,
    /// The number of cards left at each location. In the colony, these are the start cards.
    stacks: Vec<u16>,
    /// The number of survivors at each location.
    crowds: Vec<u16>,
    /// The state of each character, in the order of the scenario.
    survivors: Vec<Survivor>,
    /// The players in the order of registration.
    pub players: Vec<Player>,
    /// The player who is asked for a vote.
    pub vote: Option<PlayerId>,
    /// The fate card that fired last.
    pub crossroad: Option<FateIx>,
    /// The choice that the players are voting on.
    pub choice: Option<ConsequenceIx>,
}

/// The parts of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Players register.
    Registration,
    /// Players choose their characters.
    Preparation {
        /// The player who chooses now.
        player: Option<PlayerId>,
    },
    /// Players take their turns.
    Turns {
        /// The player whose turn it is; `None` between two turns.
        player: Option<PlayerId>,
    },
    /// The colony phase, after the last turn of a round.
    Colony,
    /// The game has ended.
    Over {
        /// How it ended.
        outcome: Outcome,
    },
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// The goal was reached.
    Won,
    /// The morale fell to 0.
    LostMorale,
    /// The last round ended without the goal.
    LostGoal,
    /// All players have left.
    Abandoned,
    /// Registration was aborted, so no game was played.
    Aborted,
}

/// The zombies and barricades that occupy the places of an entrance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntranceState {
    /// The number of zombies.
    pub zombies: u8,
    /// The number of barricades.
    pub barricades: u8,
}

/// A character of the scenario, in the game or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survivor {
    /// Whether it is in the game.
    pub life: Life,
    /// The player who owns the character; meaningless while the character is unused.
    pub owner: PlayerId,
    /// The location of the character; meaningless while the character is unused.
    pub location: LocationIx,
    /// The number of its wounds.
    pub wounds: u8,
    /// The number of its frostbites.
    pub frostbites: u8,
    /// Whether it has moved this round.
    pub moved: bool,
    /// The number of uses of its ability in this round.
    pub uses: u32,
    /// The equipment it wears, in the order in which it was put on.
    pub worn: Vec<Worn>,
}

/// Whether a character is in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Not in the game yet.
    Unused,
    /// In the game.
    Alive,
    /// No longer in the game.
    Dead,
}

/// A piece of equipment that a character wears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worn {
    /// The card.
    pub card: CardIx,
    /// Whether it has been used this round.
    pub used: bool,
}

/// A player, in the game or out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The name given at registration.
    pub name: Arc<str>,
    /// Whether the player is still in the game.
    pub present: bool,
    /// The player's living characters, in the order in which they came into the game.
    pub survivors: Vec<CharacterIx>,
    /// The cards in hand, in the order in which they were drawn.
    pub hand: Vec<CardIx>,
    /// The unused dice of the round.
    pub dice: Dice,
    /// Whether the player has used its plain waste disposal of this round (group edition).
    pub disposed: bool,
}

impl Board {
    /// The setup of the game.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// How the game ended; `None` before the end.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Over { outcome } => Some(outcome),
            Phase::Registration | Phase::Preparation { .. } | Phase::Turns { .. } | Phase::Colony => None,
        }
    }

    /// The state of a character.
    pub fn survivor(&self, character: CharacterIx) -> &Survivor {
        &self.survivors[character.at()]
    }

    /// The state of a player.
    pub fn player(&self, player: PlayerId) -> &Player {
        &self.players[player.at()]
    }

    /// The entrances of a location, by their number.
    pub fn entrances(&self, location: LocationIx) -> &[EntranceState] {
        &self.entrances[self.setup.first_entrance[location.at()]..self.setup.first_entrance[location.at() + 1]]
    }

    /// The number of survivors at a location.
    pub fn crowd(&self, location: LocationIx) -> u32 {
        self.crowds[location.at()].into()
    }

    /// The number of cards left in the stack of a location.
    pub fn stack(&self, location: LocationIx) -> usize {
        self.stacks[location.at()].into()
    }

    /// The living characters at a location, from the lowest status to the highest.
    pub fn survivors_at(&self, location: LocationIx) -> impl DoubleEndedIterator<Item = CharacterIx> + '_ {
        self.setup.by_status.iter().copied().filter(move |&character| {
            let survivor = self.survivor(character);
            survivor.life == Life::Alive && survivor.location == location
        })
    }

    /// The character with the lowest status at a location. It dies first, unless a child dies instead.
    pub fn weakest_at(&self, location: LocationIx) -> Option<CharacterIx> {
        self.survivors_at(location).next()
    }

    /// The players who are still in the game, in ascending order.
    pub fn present(&self) -> impl Iterator<Item = PlayerId> + '_ {
        (0..).map(PlayerId).zip(&self.players).filter(|(_, player)| player.present).map(|(id, _)| id)
    }

    /// The first player who is still in the game.
    pub fn first_present(&self) -> Option<PlayerId> {
        self.present().next()
    }

    /// The first player after `player` who is still in the game.
    pub fn next_present(&self, player: PlayerId) -> Option<PlayerId> {
        self.present().find(|&next| next > player)
    }

    /// The number of characters that are not in the game yet.
    pub fn unused(&self) -> usize {
        self.survivors.iter().filter(|survivor| survivor.life == Life::Unused).count()
    }

    /// The total number of barricades at all locations.
    pub fn barricades(&self) -> u32 {
        self.entrances.iter().map(|entrance| u32::from(entrance.barricades)).sum()
    }

    /// The number of locations with at least one zombie.
    pub fn locations_with_zombies(&self) -> u32 {
        let locations = (0..self.setup.scenario.locations.len()).map(LocationIx::from);
        let overrun =
            locations.filter(|&location| self.entrances(location).iter().any(|entrance| entrance.zombies > 0));
        overrun.map(|_| 1).sum()
    }

    /// Half the number of survivors and children in the colony, rounded up. The colony phase takes this much food, and this
    /// many zombies come to the colony.
    pub fn mouths(&self) -> u32 {
        let there = self.crowd(self.setup.scenario.colony) + self.children;
        there.div_ceil(2)
    }

    /// Whether the goal would be reached if the round ended now.
    pub fn goal_reached(&self) -> bool {
        match self.setup.scenario.goal.aim {
            Aim::Survive => self.last_round(),
            Aim::Barricades(least) => self.barricades() >= least,
            Aim::LocationsWithZombies(most) => self.locations_with_zombies() <= most,
        }
    }

    /// Whether this is the last round.
    pub fn last_round(&self) -> bool {
        self.round >= self.setup.scenario.goal.rounds
    }

    /// The kind of a card.
    pub fn card_kind(&self, card: CardIx) -> CardKind {
        self.setup.scenario.card(card).kind
    }

    /// The FUEL card that a move with fuel uses up: the one in hand with the lowest identifier.
    pub fn fuel(&self, player: PlayerId) -> Option<CardIx> {
        let fuel = self.player(player).hand.iter().copied().filter(|&card| self.card_kind(card) == CardKind::Fuel);
        fuel.min_by_key(|&card| self.setup.scenario.card(card).id)
    }
}

impl EntranceState {
    /// The number of free places.
    pub fn free(self) -> u8 {
        PLACES.saturating_sub(self.zombies + self.barricades)
    }
}

impl Survivor {
    /// The number of wounds and frostbites.
    pub fn injuries(&self) -> u8 {
        self.wounds.saturating_add(self.frostbites)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Won => "won",
            Self::LostMorale => "lost: the morale fell to 0",
            Self::LostGoal => "lost: the goal was not reached in the last round",
            Self::Abandoned => "abandoned: nobody was left to play",
            Self::Aborted => "aborted during registration",
        })
    }
}
