//! Checks whether the rules would accept a command, for menus and bots.
//!
//! The conditions are not repeated here: the rules themselves fold the command in a determinized game. Hidden facts change the
//! effects of a command, but never whether it is accepted.

use engine::{Cause, CommId, Emission, Input, JavaRandom, Outbox, Rulebook};

use crate::{
    command::Command,
    event::Event,
    game::Game,
    refusal::Refusal,
    view::{Asked, View},
};

/// Tries commands at one moment of a game.
#[derive(Clone, Debug)]
pub struct Trial {
    game: Game,
    client: CommId,
}

impl View {
    /// Prepares to try commands of this client. Returns `None` if the client has nothing to do now, or if a faulty server
    /// caused an impossible view.
    pub fn trial(&self) -> Option<Trial> {
        let player = self.player.filter(|_| self.asked != Asked::Nothing)?;
        let game = Game::determinize(self, &mut JavaRandom::new(0));
        let (asked, _) = game.asked()?;
        (asked == player).then(|| Trial { game, client: Game::determinized_client(player) })
    }
}

impl Trial {
    /// The reason why a command would be refused; `None` if it would be accepted.
    pub fn refusal(&self, command: &Command) -> Option<Refusal> {
        let mut outbox = Outbox::new();
        let cause = Cause::Command { client: self.client, command: command.clone() };
        self.game.clone().fold(&Input { elapsed_ms: 0, cause }, &mut outbox);
        // A command is refused before anything happens, so the refusal is the first emission.
        match outbox.emissions().first() {
            Some(Emission::Event { event: Event::CommandFailed { refusal }, .. }) => Some(*refusal),
            Some(_) | None => None,
        }
    }
}
