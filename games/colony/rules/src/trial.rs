//! What the rules would say to a command, for whoever has to offer only what is possible.
//!
//! There is no second copy of the conditions: the rules themselves are asked, with an imagined game. What is hidden decides
//! what happens in it, and never whether a command is taken.

use engine::{Cause, CommId, Emission, Input, JavaRandom, Outbox, Rulebook};

use crate::{
    command::Command,
    event::Event,
    game::Game,
    refusal::Refusal,
    view::{Asked, View},
};

/// Answers for one moment of a game.
#[derive(Clone, Debug)]
pub struct Trial {
    game: Game,
    client: CommId,
}

impl View {
    /// The rules, to be asked what they would say to commands of this client. `None`: nothing is asked of it now, or only by a
    /// server that is not ours.
    pub fn trial(&self) -> Option<Trial> {
        let player = self.player.filter(|_| self.asked != Asked::Nothing)?;
        let game = Game::imagine(self, &mut JavaRandom::new(0));
        let (asked, _) = game.asked()?;
        (asked == player).then(|| Trial { game, client: Game::imagined_client(player) })
    }
}

impl Trial {
    /// Why a command would be refused; `None`: it would be taken.
    pub fn refusal(&self, command: &Command) -> Option<Refusal> {
        let mut outbox = Outbox::new();
        let cause = Cause::Command { client: self.client, command: command.clone() };
        self.game.clone().fold(&Input { elapsed_ms: 0, cause }, &mut outbox);
        // A command is refused before anything happens, so that the refusal is the first thing said.
        match outbox.emissions().first() {
            Some(Emission::Event { event: Event::CommandFailed { refusal }, .. }) => Some(*refusal),
            Some(_) | None => None,
        }
    }
}
