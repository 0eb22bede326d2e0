//! A game of colony: the board, and everything that is hidden from the players.

use alloc::vec::Vec;

use engine::{CommId, JavaRandom};
use serde::{Deserialize, Serialize};

use crate::{
    board::Board,
    ids::{CardIx, CharacterIx, ConsequenceIx, CrisisIx, FateIx, LocationIx, PlayerId},
    setup::Setup,
    view::Asked,
};

/// The state of a game and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub(crate) setup: Setup,
    pub(crate) board: Board,
    pub(crate) random: JavaRandom,
    pub(crate) stage: Stage,
    /// The client of each player.
    pub(crate) clients: Vec<CommId>,
    /// The shuffled stacks, in the order of the locations. The board counts how many cards of each are left.
    pub(crate) stacks: Vec<CardIx>,
    pub(crate) crises: Vec<CrisisIx>,
    /// The fate cards that have not been drawn. The last one of the list is drawn next.
    pub(crate) fates: Vec<FateIx>,
    /// The characters that are not in the game. The first one comes next.
    pub(crate) unused: Vec<CharacterIx>,
}

/// The stage of a game, with the facts that only this stage needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Registration,
    Preparation { player: PlayerId, offered: [CharacterIx; 4] },
    Playing(Turn),
}

/// The progress of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The player whose turn it is; `None` when all players have had their turn.
    pub(crate) player: Option<PlayerId>,
    /// Whether the turn has begun (fate card, frostbites). A player can lose a turn before it begins.
    pub(crate) begun: bool,
    /// The fate card of the latest turn. It is dropped when it fires, and at the latest when the next turn begins.
    pub(crate) omen: Option<Omen>,
    pub(crate) vote: Option<Vote>,
}

/// A fate card that waits for its trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Omen {
    pub(crate) fate: FateIx,
    /// The player who owns the card.
    pub(crate) player: PlayerId,
    /// The size of the waste pile when the turn began.
    pub(crate) waste: u32,
}

/// A vote that is being held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vote {
    pub(crate) asked: PlayerId,
    pub(crate) ayes: u32,
    pub(crate) noes: u32,
    pub(crate) first: ConsequenceIx,
    pub(crate) second: ConsequenceIx,
    /// The player who owns the fate card.
    pub(crate) player: PlayerId,
}

/// The timers of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Timer {
    /// Fires when the awaited command does not come in time.
    Deadline,
}

impl Game {
    /// The progress of the round. Panics before the first round.
    pub(crate) fn turn(&mut self) -> &mut Turn {
        match &mut self.stage {
            Stage::Playing(turn) => turn,
            Stage::Registration | Stage::Preparation { .. } => panic!("there are no turns before the first round"),
        }
    }

    /// The player of a client.
    pub(crate) fn player_of(&self, client: CommId) -> Option<PlayerId> {
        (0..).map(PlayerId).zip(&self.clients).find(|&(_, &own)| own == client).map(|(player, _)| player)
    }

    /// The board, without a copy.
    pub fn public(&self) -> &Board {
        &self.board
    }

    /// The player who has to act, and the expected action; `None` during registration and after the end.
    pub fn asked(&self) -> Option<(PlayerId, Asked)> {
        if self.board.outcome().is_some() {
            return None;
        }
        match self.stage {
            Stage::Registration => None,
            Stage::Preparation { player, offered } => {
                Some((player, Asked::Characters(offered.map(|ix| self.setup.scenario.character(ix).id))))
            }
            Stage::Playing(Turn { vote: Some(vote), .. }) => Some((vote.asked, Asked::Vote)),
            Stage::Playing(Turn { player, .. }) => player.map(|player| (player, Asked::Act)),
        }
    }
}

impl Game {
    /// The top card of a location's stack.
    pub(crate) fn top_card(&self, location: LocationIx) -> Option<CardIx> {
        let left = self.board.stack(location);
        (left > 0).then(|| self.stacks[self.setup.first_card[location.at() + 1] - left])
    }
}
