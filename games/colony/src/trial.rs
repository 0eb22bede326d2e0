//! What the rules would say to a command, for whoever has to offer only what is possible.
//!
//! There is no second copy of the conditions: the rules themselves are asked, with a game that has the client's board. What
//! nobody may see is made up. It decides what happens, and never whether a command is taken.

use alloc::vec::Vec;

use engine::{Cause, CommId, Emission, Input, JavaRandom, Outbox, Rulebook};

use crate::{
    board::{Life, Phase},
    command::Command,
    event::Event,
    game::{Game, Stage, Turn, Vote},
    ids::{CharacterIx, PlayerId},
    refusal::Refusal,
    scenario::Consequence,
    view::{Asked, View},
};

/// Answers for one moment of a game.
#[derive(Clone, Debug)]
pub struct Trial {
    game: Game,
    client: CommId,
}

impl View {
    /// The rules, to be asked what they would say to commands of this client. `None`: nothing is asked of it now.
    pub fn trial(&self) -> Option<Trial> {
        let player = self.player?;
        let (board, setup) = (&self.board, self.board.setup());
        let scenario = &setup.scenario;
        let all = (0..scenario.characters.len()).map(CharacterIx::from);
        let unused: Vec<CharacterIx> = all.filter(|&at| board.survivor(at).life == Life::Unused).collect();
        let stage = match self.asked {
            Asked::Nothing => return None,
            Asked::Characters(offered) => {
                let [c0, c1, c2, c3] = offered.map(|character| setup.character_ix(character));
                Stage::Preparation { player, offered: [c0?, c1?, c2?, c3?] }
            }
            Asked::Act => Stage::Playing(Turn { player: Some(player), begun: true, omen: None, vote: None }),
            Asked::Vote => {
                let Consequence::Choice { first, second } = scenario.consequence(board.choice?) else { return None };
                let turn = match board.phase {
                    Phase::Turns { player } => player,
                    Phase::Registration | Phase::Preparation { .. } | Phase::Colony | Phase::Over { .. } => None,
                };
                let vote = Vote { asked: player, ayes: 0, noes: 0, first, second, player };
                Stage::Playing(Turn { player: turn, begun: true, omen: None, vote: Some(vote) })
            }
        };
        let game = Game {
            setup: setup.clone(),
            board: board.clone(),
            random: JavaRandom::new(0),
            stage,
            clients: (0..board.players.len() as u32).map(CommId).collect(),
            stacks: scenario.locations.iter().flat_map(|location| location.cards.iter().copied()).collect(),
            crises: (0..scenario.crises.len()).map(Into::into).collect(),
            fates: Vec::new(),
            unused,
        };
        let PlayerId(number) = player;
        Some(Trial { game, client: CommId(number.into()) })
    }
}

impl Trial {
    /// Why a command would be refused; `None`: it would be taken.
    pub fn refusal(&self, command: &Command) -> Option<Refusal> {
        let mut outbox = Outbox::new();
        let cause = Cause::Command { client: self.client, command: command.clone() };
        self.game.clone().fold(&Input { elapsed: 0, cause }, &mut outbox);
        // A command is refused before anything happens, so that the refusal is the first thing said.
        match outbox.emissions().first() {
            Some(Emission::Event { event: Event::CommandFailed { refusal }, .. }) => Some(*refusal),
            Some(_) | None => None,
        }
    }
}
