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
    /// The shuffled stacks, one location after the other. The board knows how many cards of each are left.
    pub(crate) stacks: Vec<CardIx>,
    pub(crate) crises: Vec<CrisisIx>,
    /// The fate cards that have not been drawn; the next one is the last of the list.
    pub(crate) fates: Vec<FateIx>,
    /// Characters that are not in the game, the next one first.
    pub(crate) unused: Vec<CharacterIx>,
}

/// What the game is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Registration,
    Preparation { player: PlayerId, offered: [CharacterIx; 4] },
    Playing(Turn),
}

/// Where a round is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Whose turn it is; `None`: all have had theirs.
    pub(crate) player: Option<PlayerId>,
    /// Whether the start of the turn (fate card, frostbites) is over. A turn can be lost before it begins.
    pub(crate) begun: bool,
    /// The fate card of the latest turn, until it fires or the turn ends.
    pub(crate) omen: Option<Omen>,
    pub(crate) vote: Option<Vote>,
}

/// A fate card that waits for its trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Omen {
    pub(crate) fate: FateIx,
    /// The player whose card it is.
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
    /// The player whose fate card it is.
    pub(crate) player: PlayerId,
}

/// The timers of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Timer {
    /// The awaited command did not come in time.
    Deadline,
}

impl Game {
    /// Where the round is. Panics before the first round.
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

    /// Who has to act, and how; `None` during registration and after the end.
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
