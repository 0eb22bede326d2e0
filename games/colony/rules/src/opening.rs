//! The random part of a game before its first turn: the shuffled piles, the offered characters and the first dice.
//!
//! The rules use these functions, and so does [`Opening`], which computes the start of many games without playing them.

use alloc::vec::Vec;
use core::ops::Range;

use engine::JavaRandom;

use crate::{
    ids::{CardIx, CharacterIx, CrisisIx, FateIx, LocationIx},
    setup::Setup,
};

/// The number of characters that a player is offered, and the number that it takes.
const OFFERED: usize = 4;
const TAKEN: usize = 2;
/// One die for each character, and one more.
const DICE: usize = TAKEN + 1;

/// All piles that are shuffled once, before the first event.
pub(crate) struct Piles {
    /// The stacks of all locations, in the order of the locations.
    pub(crate) stacks: Vec<CardIx>,
    pub(crate) crises: Vec<CrisisIx>,
    /// The last card of the list is drawn first.
    pub(crate) fates: Vec<FateIx>,
}

impl Piles {
    pub(crate) fn shuffled(setup: &Setup, random: &mut JavaRandom) -> Self {
        let mut stacks = unshuffled_stacks(setup);
        let mut crises: Vec<CrisisIx> = (0..setup.scenario.crises.len()).map(CrisisIx::from).collect();
        let mut fates: Vec<FateIx> = (0..fate_count(setup)).map(FateIx::from).collect();
        for pile in order(setup) {
            match pile {
                Pile::Stack(location) => {
                    random.shuffle(&mut stacks[stack_of(setup, location)]);
                }
                Pile::Crises => random.shuffle(&mut crises),
                Pile::Fates => random.shuffle(&mut fates),
            }
        }
        fates.reverse();
        Self { stacks, crises, fates }
    }
}

/// Shuffles the unused characters and offers the first four to the next player.
///
/// There are two more characters than all players can take, so at least four are left.
pub(crate) fn offer(random: &mut JavaRandom, unused: &mut [CharacterIx]) -> [CharacterIx; OFFERED] {
    random.shuffle(unused);
    [unused[0], unused[1], unused[2], unused[3]]
}

pub(crate) fn roll(random: &mut JavaRandom) -> u8 {
    random.next_below(6) as u8 + 1
}

/// Computes the wanted parts of the start of a game, one seed at a time.
///
/// It allocates no memory per seed. For unwanted parts, it only advances the random generator.
#[derive(Clone, Debug)]
pub struct Opening {
    setup: Setup,
    wanted: Wanted,
    /// The steps for each seed, up to the last wanted part.
    draws: Vec<Draw>,
    unshuffled: Vec<CardIx>,
    stacks: Vec<CardIx>,
    everybody: Vec<CharacterIx>,
    characters: Vec<CharacterIx>,
    offered: [CharacterIx; OFFERED],
    dice: Vec<u8>,
}

/// The parts of the start that an [`Opening`] computes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The stacks of these locations.
    pub stacks: Vec<LocationIx>,
    /// Whether to compute the characters that the first player is offered.
    pub offered: bool,
    /// The number of dice of the first round, in the order in which they are rolled.
    pub dice: usize,
}

#[derive(Clone, Debug)]
enum Draw {
    Shuffle(Range<usize>),
    Offer,
    /// An unwanted shuffle of this many items.
    Pass(usize),
    Roll,
}

impl Opening {
    /// Prepares for games with this many players, none of whom leaves before the first round.
    ///
    /// # Panics
    /// If the scenario does not allow this many players, or if more dice are wanted than are rolled in the first round.
    pub fn new(setup: &Setup, players: usize, wanted: Wanted) -> Self {
        assert!((1..=usize::from(setup.scenario.max_players)).contains(&players), "{players} players");
        assert!(wanted.dice <= Self::dice_of(players), "{} dice", wanted.dice);
        let everybody: Vec<CharacterIx> = (0..setup.scenario.characters.len()).map(CharacterIx::from).collect();
        let mut draws: Vec<Draw> = order(setup)
            .map(|pile| match pile {
                Pile::Stack(location) if wanted.stacks.contains(&location) => Draw::Shuffle(stack_of(setup, location)),
                Pile::Stack(location) => Draw::Pass(stack_of(setup, location).len()),
                Pile::Crises => Draw::Pass(setup.scenario.crises.len()),
                Pile::Fates => Draw::Pass(fate_count(setup)),
            })
            .collect();
        draws.push(if wanted.offered { Draw::Offer } else { Draw::Pass(everybody.len()) });
        // Each choice removes characters, and the rest is shuffled after it: for the next offer, or for the game itself.
        draws.extend((1..=players).map(|before| Draw::Pass(everybody.len() - before * TAKEN)));
        draws.extend((0..wanted.dice).map(|_| Draw::Roll));
        while let Some(Draw::Pass(_)) = draws.last() {
            draws.pop();
        }
        let unshuffled = unshuffled_stacks(setup);
        Self {
            setup: setup.clone(),
            wanted,
            draws,
            stacks: unshuffled.clone(),
            unshuffled,
            characters: everybody.clone(),
            everybody,
            offered: [CharacterIx(0); OFFERED],
            dice: Vec::new(),
        }
    }

    /// The number of dice that are rolled before the first turn.
    pub fn dice_of(players: usize) -> usize {
        players * DICE
    }

    /// Computes the start of the game with this seed.
    pub fn deal(&mut self, seed: i64) {
        let mut random = JavaRandom::new(seed);
        self.dice.clear();
        for draw in &self.draws {
            match draw {
                Draw::Pass(items) => random.pass_shuffle(*items),
                Draw::Shuffle(range) => {
                    let stack = &mut self.stacks[range.clone()];
                    stack.copy_from_slice(&self.unshuffled[range.clone()]);
                    random.shuffle(stack);
                }
                Draw::Offer => {
                    self.characters.copy_from_slice(&self.everybody);
                    self.offered = offer(&mut random, &mut self.characters);
                }
                Draw::Roll => self.dice.push(roll(&mut random)),
            }
        }
    }

    /// A wanted stack, the top card first.
    pub fn stack(&self, location: LocationIx) -> &[CardIx] {
        debug_assert!(self.wanted.stacks.contains(&location));
        &self.stacks[stack_of(&self.setup, location)]
    }

    /// The characters that the first player is offered, if they are wanted.
    pub fn offered(&self) -> [CharacterIx; OFFERED] {
        debug_assert!(self.wanted.offered);
        self.offered
    }

    /// The wanted dice.
    pub fn dice(&self) -> &[u8] {
        &self.dice
    }
}

/// A pile that is shuffled.
enum Pile {
    Stack(LocationIx),
    Crises,
    Fates,
}

/// All piles in the order of the rulebook: the colony comes before all other locations.
fn order(setup: &Setup) -> impl Iterator<Item = Pile> {
    let colony = setup.scenario.colony;
    let others = (0..setup.scenario.locations.len()).map(LocationIx::from).filter(move |&other| other != colony);
    core::iter::once(colony).chain(others).map(Pile::Stack).chain([Pile::Crises, Pile::Fates])
}

fn unshuffled_stacks(setup: &Setup) -> Vec<CardIx> {
    let mut stacks = Vec::with_capacity(setup.first_card[setup.scenario.locations.len()]);
    setup.scenario.locations.iter().for_each(|location| stacks.extend_from_slice(&location.cards));
    stacks
}

/// The range of a location's stack among all stacks.
fn stack_of(setup: &Setup, location: LocationIx) -> Range<usize> {
    setup.first_card[location.at()]..setup.first_card[location.at() + 1]
}

pub(crate) fn fate_count(setup: &Setup) -> usize {
    setup.scenario.fates.as_ref().filter(|_| setup.switches.fate).map_or(0, |fates| fates.len())
}
