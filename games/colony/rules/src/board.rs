//! What every player may know: a fold over the events for all and for the board.
//!
//! The rules keep no second copy of these facts. They read this board and change it only by emitting events, so a board that a
//! client folds from the same events cannot differ.

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

/// This many injuries kill.
pub const DEADLY: u8 = 3;

/// Everything that all players may know about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    setup: Setup,
    /// Which part of the game it is.
    pub phase: Phase,
    /// 0 before the first round.
    pub round: u32,
    /// The game is lost at 0.
    pub morale: i64,
    /// The food in stock.
    pub food: i64,
    /// Each one costs a point of morale in every colony phase.
    pub starvation_tokens: u32,
    /// The size of the waste pile in cards.
    pub waste: u32,
    /// How many children are in the colony.
    pub children: u32,
    /// The crisis of the round.
    pub crisis: Option<CrisisIx>,
    /// How many cards were given to the crisis of the round.
    pub contributed: u32,
    /// The entrances of all locations, one location after the other.
    entrances: Vec<EntranceState>,
    /// How many cards are left at each location. Those of the colony are the start cards.
    stacks: Vec<u16>,
    /// How many survivors stand at each location.
    crowds: Vec<u16>,
    /// One for each character of the scenario, in its order.
    survivors: Vec<Survivor>,
    /// In the order of registration.
    pub players: Vec<Player>,
    /// Who is asked for a vote.
    pub vote: Option<PlayerId>,
    /// The fate card that fired last.
    pub crossroad: Option<FateIx>,
    /// The choice that is voted on.
    pub choice: Option<ConsequenceIx>,
}

/// The parts of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Players register.
    Registration,
    /// Players choose their characters.
    Preparation {
        /// Who chooses now.
        player: Option<PlayerId>,
    },
    /// Players take their turns.
    Turns {
        /// Whose turn it is; `None` between two turns.
        player: Option<PlayerId>,
    },
    /// After the last turn of a round.
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
    /// Registration was aborted, so there was no game.
    Aborted,
}

/// What occupies the places of an entrance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntranceState {
    /// How many zombies.
    pub zombies: u8,
    /// How many barricades.
    pub barricades: u8,
}

/// A character of the scenario, in the game or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survivor {
    /// Whether it is in the game.
    pub life: Life,
    /// Whose character it is; meaningless while it is unused.
    pub owner: PlayerId,
    /// Where it is; meaningless while it is unused.
    pub location: LocationIx,
    /// How many wounds it has.
    pub wounds: u8,
    /// How many frostbites it has.
    pub frostbites: u8,
    /// Whether it has moved this round.
    pub moved: bool,
    /// How often its ability was used this round.
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
    /// Its living characters, in the order in which they came into the game.
    pub survivors: Vec<CharacterIx>,
    /// The cards in hand, in the order in which they were drawn.
    pub hand: Vec<CardIx>,
    /// The unused dice of the round.
    pub dice: Dice,
    /// Whether its plain waste disposal of this round is used (group edition).
    pub disposed: bool,
}

impl Board {
    /// The setup of the game.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// How the game ended; `None` while it is played.
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

    /// The entrances of a location, from 0.
    pub fn entrances(&self, location: LocationIx) -> &[EntranceState] {
        &self.entrances[self.setup.first_entrance[location.at()]..self.setup.first_entrance[location.at() + 1]]
    }

    /// How many survivors stand at a location.
    pub fn crowd(&self, location: LocationIx) -> u32 {
        self.crowds[location.at()].into()
    }

    /// How many cards are left to find at a location.
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

    /// Who dies first at a location if no child can die instead.
    pub fn weakest_at(&self, location: LocationIx) -> Option<CharacterIx> {
        self.survivors_at(location).next()
    }

    /// Players still in the game, ascending.
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

    /// How many characters are not in the game yet.
    pub fn unused(&self) -> usize {
        self.survivors.iter().filter(|survivor| survivor.life == Life::Unused).count()
    }

    /// How many barricades there are at all locations.
    pub fn barricades(&self) -> u32 {
        self.entrances.iter().map(|entrance| u32::from(entrance.barricades)).sum()
    }

    /// How many locations have a zombie.
    pub fn locations_with_zombies(&self) -> u32 {
        let locations = (0..self.setup.scenario.locations.len()).map(LocationIx::from);
        let overrun =
            locations.filter(|&location| self.entrances(location).iter().any(|entrance| entrance.zombies > 0));
        overrun.map(|_| 1).sum()
    }

    /// Half of all survivors and children in the colony, rounded up. The colony phase takes this much food, and this many zombies
    /// come to the colony.
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

    /// The FUEL card that a move with fuel uses up: the one with the lowest identifier.
    pub fn fuel(&self, player: PlayerId) -> Option<CardIx> {
        let fuel = self.player(player).hand.iter().copied().filter(|&card| self.card_kind(card) == CardKind::Fuel);
        fuel.min_by_key(|&card| self.setup.scenario.card(card).id)
    }
}

impl EntranceState {
    /// How many places are free.
    pub fn free(self) -> u8 {
        PLACES.saturating_sub(self.zombies + self.barricades)
    }
}

impl Survivor {
    /// How many injuries it has.
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
