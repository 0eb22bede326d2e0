//! What every player may know: a fold over the events for all and for the board.
//!
//! The rules keep no second copy of these facts. They read this board and change it by saying what happened, and in no
//! other way; so a board that somebody else folds from the same events cannot differ.

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

/// The injury that kills.
pub const DEADLY: u8 = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    setup: Setup,
    pub phase: Phase,
    /// 0 before the first round.
    pub round: u32,
    pub morale: i64,
    pub food: i64,
    pub starvation_tokens: u32,
    pub waste: u32,
    pub children: u32,
    pub crisis: Option<CrisisIx>,
    /// How many cards were given to the crisis of the round.
    pub contributed: u32,
    /// The entrances of all locations, one location after the other.
    entrances: Vec<EntranceState>,
    /// How many cards are left at each location; at the colony they are the start cards.
    stacks: Vec<u16>,
    /// How many survivors stand at each location.
    crowds: Vec<u16>,
    /// One for every character of the scenario, in its order.
    survivors: Vec<Survivor>,
    pub players: Vec<Player>,
    /// Who is asked for a vote.
    pub vote: Option<PlayerId>,
    /// The fate card that fired last.
    pub crossroad: Option<FateIx>,
    /// The choice that is voted on.
    pub choice: Option<ConsequenceIx>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Registration,
    /// The player is to choose characters.
    Preparation {
        player: Option<PlayerId>,
    },
    /// The player has its turn; nobody while one turn ends and the next has not begun.
    Turns {
        player: Option<PlayerId>,
    },
    /// After the last turn of a round.
    Colony,
    Over {
        outcome: Outcome,
    },
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    Won,
    /// The morale fell to 0.
    LostMorale,
    /// The last round ended without the goal.
    LostGoal,
    /// Nobody is left to play.
    Abandoned,
    /// There was no game: registration was broken off.
    Aborted,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntranceState {
    pub zombies: u8,
    pub barricades: u8,
}

/// A character of the scenario, in the game or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survivor {
    pub life: Life,
    /// Means something once the character is in the game.
    pub owner: PlayerId,
    pub location: LocationIx,
    pub wounds: u8,
    pub frostbites: u8,
    /// Has moved this round.
    pub moved: bool,
    /// How often its ability was used this round.
    pub uses: u32,
    /// What it wears, in the order in which it was put on.
    pub worn: Vec<Worn>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    Unused,
    Alive,
    Dead,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worn {
    pub card: CardIx,
    /// Its one use of this round is over.
    pub used: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    pub name: Arc<str>,
    /// Still in the game.
    pub present: bool,
    /// In the order in which they came into the game.
    pub survivors: Vec<CharacterIx>,
    pub hand: Vec<CardIx>,
    pub dice: Dice,
    /// Has used its plain waste disposal of this round (group edition).
    pub disposed: bool,
}

/// What can be asked of a board.
impl Board {
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    pub fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Over { outcome } => Some(outcome),
            Phase::Registration | Phase::Preparation { .. } | Phase::Turns { .. } | Phase::Colony => None,
        }
    }

    pub fn survivor(&self, character: CharacterIx) -> &Survivor {
        &self.survivors[character.at()]
    }

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

    /// The living at a location, from the lowest status to the highest.
    pub fn survivors_at(&self, location: LocationIx) -> impl DoubleEndedIterator<Item = CharacterIx> + '_ {
        self.setup.by_status.iter().copied().filter(move |&character| {
            let survivor = self.survivor(character);
            survivor.life == Life::Alive && survivor.location == location
        })
    }

    /// Who dies first at a location, once there is no child to die.
    pub fn weakest_at(&self, location: LocationIx) -> Option<CharacterIx> {
        self.survivors_at(location).next()
    }

    /// Players still in the game, ascending.
    pub fn present(&self) -> impl Iterator<Item = PlayerId> + '_ {
        (0..).map(PlayerId).zip(&self.players).filter(|(_, player)| player.present).map(|(id, _)| id)
    }

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

    pub fn barricades(&self) -> u32 {
        self.entrances.iter().map(|entrance| u32::from(entrance.barricades)).sum()
    }

    pub fn locations_with_zombies(&self) -> u32 {
        let locations = (0..self.setup.scenario.locations.len()).map(LocationIx::from);
        let overrun =
            locations.filter(|&location| self.entrances(location).iter().any(|entrance| entrance.zombies > 0));
        overrun.map(|_| 1).sum()
    }

    /// How much food the colony phase would take now, and how many zombies would come to the colony: half of all there.
    pub fn mouths(&self) -> u32 {
        let there = self.crowd(self.setup.scenario.colony) + self.children;
        there.div_ceil(2)
    }

    /// Whether the goal is reached, if this were the end of the round.
    pub fn goal_reached(&self) -> bool {
        match self.setup.scenario.goal.aim {
            Aim::Survive => self.last_round(),
            Aim::Barricades(least) => self.barricades() >= least,
            Aim::LocationsWithZombies(most) => self.locations_with_zombies() <= most,
        }
    }

    pub fn last_round(&self) -> bool {
        self.round >= self.setup.scenario.goal.rounds
    }

    pub fn card_kind(&self, card: CardIx) -> CardKind {
        self.setup.scenario.card(card).kind
    }

    /// The FUEL card that a move with fuel takes: the one with the lowest identifier.
    pub fn fuel(&self, player: PlayerId) -> Option<CardIx> {
        let fuel = self.player(player).hand.iter().copied().filter(|&card| self.card_kind(card) == CardKind::Fuel);
        fuel.min_by_key(|&card| self.setup.scenario.card(card).id)
    }
}

impl EntranceState {
    pub fn free(self) -> u8 {
        PLACES.saturating_sub(self.zombies + self.barricades)
    }
}

impl Survivor {
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
