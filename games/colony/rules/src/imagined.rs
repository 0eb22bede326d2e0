//! A game as somebody at the table can imagine it: the board as it is, and a guess at what nobody may see.
//!
//! It is made for whoever looks ahead, and for a [`Trial`](crate::Trial), which asks the rules what is possible now. As with a
//! board, a view of a server that is not ours may be one that cannot be: then so is the game.
//!
//! A board does not remember which cards were used up, so that a stack is imagined from everything that could still be in it.

use alloc::vec::Vec;

use engine::{CommId, JavaRandom};

use crate::{
    board::{Board, Life, Phase},
    game::{Game, Omen, Stage, Turn, Vote},
    ids::{CardIx, CharacterIx, CrisisIx, FateIx, PlayerId},
    opening,
    scenario::Consequence,
    view::{Asked, View},
};

impl Game {
    /// A game with this very view, in which a generator has decided what is hidden. Its client of a player is
    /// [`Game::imagined_client`].
    pub fn imagine(view: &View, random: &mut JavaRandom) -> Self {
        let View { board, asked, .. } = view;
        let setup = board.setup();
        let characters = (0..setup.scenario.characters.len()).map(CharacterIx::from);
        let mut unused: Vec<CharacterIx> =
            characters.filter(|&character| board.survivor(character).life == Life::Unused).collect();
        random.shuffle(&mut unused);
        let mut fates = fates(board, random);
        let stage = match board.phase {
            Phase::Registration => Stage::Registration,
            Phase::Preparation { player } => {
                let offered = offered(board, *asked, &mut unused);
                Stage::Preparation { player: player.unwrap_or(PlayerId(0)), offered }
            }
            Phase::Turns { player } => Stage::Playing(turn(board, player, &mut fates, random)),
            // The game waits for nobody then.
            Phase::Colony | Phase::Over { .. } => {
                Stage::Playing(Turn { player: None, begun: false, omen: None, vote: None })
            }
        };
        Self {
            setup: setup.clone(),
            board: board.clone(),
            stage,
            clients: (0..board.players.len()).map(|at| Self::imagined_client(PlayerId(at as u16))).collect(),
            stacks: stacks(board, random),
            crises: crises(board, random),
            fates,
            unused,
            random: JavaRandom::new(random.next_long()),
        }
    }

    /// Gives an imagined game another generator for everything that chance decides from here on. Games that were imagined alike
    /// and went different ways can have the same luck again.
    pub fn reseed(&mut self, seed: i64) {
        self.random = JavaRandom::new(seed);
    }

    /// Whose commands are a player's in an imagined game.
    pub fn imagined_client(player: PlayerId) -> CommId {
        CommId(u32::from(player.0) + 1)
    }
}

/// Every stack with as many cards as are left of it: any of its own that nobody holds or wears.
fn stacks(board: &Board, random: &mut JavaRandom) -> Vec<CardIx> {
    let setup = board.setup();
    let mut seen: Vec<bool> = core::iter::repeat_n(false, setup.scenario.cards.len()).collect();
    let held = board.players.iter().flat_map(|player| player.hand.iter().copied());
    let characters = (0..setup.scenario.characters.len()).map(CharacterIx::from);
    let worn = characters.flat_map(|character| board.survivor(character).worn.iter().map(|worn| worn.card));
    held.chain(worn).for_each(|card| seen[card.at()] = true);

    let mut stacks = Vec::with_capacity(setup.first_card[setup.scenario.locations.len()]);
    for location in &setup.scenario.locations {
        // What is left of a stack is behind everything that was drawn from it.
        let (mut stack, hidden): (Vec<CardIx>, Vec<CardIx>) = location.cards.iter().partition(|card| seen[card.at()]);
        let drawn = stack.len();
        stack.extend(hidden);
        random.shuffle(&mut stack[drawn..]);
        stacks.extend(stack);
    }
    stacks
}

/// The crisis of this round at its place, and the others anywhere.
fn crises(board: &Board, random: &mut JavaRandom) -> Vec<CrisisIx> {
    let mut crises: Vec<CrisisIx> = (0..board.setup().scenario.crises.len()).map(CrisisIx::from).collect();
    random.shuffle(&mut crises);
    if let Some(now) = (board.round as usize).checked_sub(1).filter(|&now| now < crises.len())
        && let Some(at) = crises.iter().position(|&crisis| Some(crisis) == board.crisis)
    {
        crises.swap(now, at);
    }
    crises
}

/// All fate cards but the one that fired last. How many are gone is not known, and there are enough for every turn.
fn fates(board: &Board, random: &mut JavaRandom) -> Vec<FateIx> {
    let all = (0..opening::fate_count(board.setup())).map(FateIx::from);
    let mut fates: Vec<FateIx> = all.filter(|&fate| Some(fate) != board.crossroad).collect();
    random.shuffle(&mut fates);
    fates
}

/// What the player who chooses was offered; if that is somebody else, any four.
fn offered(board: &Board, asked: Asked, unused: &mut Vec<CharacterIx>) -> [CharacterIx; 4] {
    let told = match asked {
        Asked::Characters(told) => told.map(|id| board.setup().character_ix(id)),
        Asked::Nothing | Asked::Act | Asked::Vote => [None; 4],
    };
    let any = |at: usize| unused.get(at).copied().unwrap_or(CharacterIx(0));
    let offered = core::array::from_fn(|at| told[at].unwrap_or_else(|| any(at)));
    unused.retain(|character| !offered.contains(character));
    offered
}

fn turn(board: &Board, player: Option<PlayerId>, fates: &mut Vec<FateIx>, random: &mut JavaRandom) -> Turn {
    // Between two turns only those who have had theirs are without dice.
    let next = board.present().find(|&next| !board.player(next).dice.is_empty());
    let turn = Turn { player: player.or(next), begun: player.is_some(), omen: None, vote: None };
    if let Some(asked) = board.vote {
        return Turn { vote: vote(board, asked, &turn, random), ..turn };
    }
    let omen = turn.player.and_then(|player| Some(Omen { fate: fates.pop()?, player, waste: board.waste }));
    Turn { omen, ..turn }
}

/// Those who were asked before have voted somehow.
fn vote(board: &Board, asked: PlayerId, turn: &Turn, random: &mut JavaRandom) -> Option<Vote> {
    let Consequence::Choice { first, second } = board.setup().scenario.consequence(board.choice?) else { return None };
    let before = board.present().filter(|&player| player < asked);
    let (mut ayes, mut noes) = (0, 0);
    before.for_each(|_| *(if random.next_boolean() { &mut ayes } else { &mut noes }) += 1);
    // A fate card is the actor's, also when its turn has passed on.
    let actor = match turn.player {
        Some(player) if turn.begun => Some(player),
        Some(next) => board.present().filter(|&player| player < next).last(),
        None => board.present().last(),
    };
    Some(Vote { asked, ayes, noes, first, second, player: actor.unwrap_or(asked) })
}
