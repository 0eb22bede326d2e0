//! Determinization: makes a complete game from a view by guessing everything that is hidden.
//!
//! Bots that look ahead play such games, and [`Rulebook::offers`](engine::Rulebook::offers) uses one to check which commands
//! are possible. A faulty server can cause an impossible view; the game is then just as impossible.
//!
//! A board does not record which cards were used up, so a stack is guessed from all cards that could still be in it.

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
    /// Makes a game with exactly this view, whose hidden part is random. [`Game::determinized_client`] returns the client of a
    /// player.
    pub fn determinize(view: &View, random: &mut JavaRandom) -> Self {
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
            // No command is awaited in these phases.
            Phase::Colony | Phase::Over { .. } => {
                Stage::Playing(Turn { player: None, begun: false, omen: None, vote: None })
            }
        };
        Self {
            setup: setup.clone(),
            board: board.clone(),
            stage,
            clients: (0..board.players.len()).map(|at| Self::determinized_client(PlayerId(at as u16))).collect(),
            stacks: stacks(board, random),
            crises: crises(board, random),
            fates,
            unused,
            random: JavaRandom::new(random.next_long()),
        }
    }

    /// Replaces the random generator. Copies of a game that get the same seed draw the same random numbers from then on.
    pub fn reseed(&mut self, seed: i64) {
        self.random = JavaRandom::new(seed);
    }

    /// The client of a player in a determinized game.
    pub fn determinized_client(player: PlayerId) -> CommId {
        CommId(u32::from(player.0) + 1)
    }
}

/// Guesses the stacks. Any card of a stack that is neither in a hand nor worn can be one of its remaining cards.
fn stacks(board: &Board, random: &mut JavaRandom) -> Vec<CardIx> {
    let setup = board.setup();
    let mut seen: Vec<bool> = core::iter::repeat_n(false, setup.scenario.cards.len()).collect();
    let held = board.players.iter().flat_map(|player| player.hand.iter().copied());
    let characters = (0..setup.scenario.characters.len()).map(CharacterIx::from);
    let worn = characters.flat_map(|character| board.survivor(character).worn.iter().map(|worn| worn.card));
    held.chain(worn).for_each(|card| seen[card.at()] = true);

    let mut stacks = Vec::with_capacity(setup.first_card[setup.scenario.locations.len()]);
    for location in &setup.scenario.locations {
        // The remaining cards of a stack come after all cards that were drawn from it.
        let (mut stack, hidden): (Vec<CardIx>, Vec<CardIx>) = location.cards.iter().partition(|card| seen[card.at()]);
        let drawn = stack.len();
        stack.extend(hidden);
        random.shuffle(&mut stack[drawn..]);
        stacks.extend(stack);
    }
    stacks
}

/// Puts the crisis of this round at its position, and the others in a random order.
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

/// Shuffles all fate cards except the one that fired last. The board does not record which others were drawn, but the scenario
/// has enough cards for every turn.
fn fates(board: &Board, random: &mut JavaRandom) -> Vec<FateIx> {
    let all = (0..opening::fate_count(board.setup())).map(FateIx::from);
    let mut fates: Vec<FateIx> = all.filter(|&fate| Some(fate) != board.crossroad).collect();
    random.shuffle(&mut fates);
    fates
}

/// The characters that the view's player was offered. If another player chooses, any four unused ones.
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
    // Between two turns, only the players who already had their turn have no dice.
    let next = board.present().find(|&next| !board.player(next).dice.is_empty());
    let turn = Turn { player: player.or(next), begun: player.is_some(), omen: None, vote: None };
    if let Some(asked) = board.vote {
        return Turn { vote: vote(board, asked, &turn, random), ..turn };
    }
    let omen = turn.player.and_then(|player| Some(Omen { fate: fates.pop()?, player, waste: board.waste }));
    Turn { omen, ..turn }
}

/// Rebuilds the current vote. The earlier answers are hidden, so they are random.
fn vote(board: &Board, asked: PlayerId, turn: &Turn, random: &mut JavaRandom) -> Option<Vote> {
    let Consequence::Choice { first, second } = board.setup().scenario.consequence(board.choice?) else { return None };
    let before = board.present().filter(|&player| player < asked);
    let (mut ayes, mut noes) = (0, 0);
    before.for_each(|_| *(if random.next_boolean() { &mut ayes } else { &mut noes }) += 1);
    // The fate card belongs to the player who acted last, even if its turn is over.
    let actor = match turn.player {
        Some(player) if turn.begun => Some(player),
        Some(next) => board.present().filter(|&player| player < next).last(),
        None => board.present().last(),
    };
    Some(Vote { asked, ayes, noes, first, second, player: actor.unwrap_or(asked) })
}
