//! Players who leave the game.

use super::{Flow, Fold, Over};
use crate::{event::Event, ids::PlayerId};

impl Fold<'_> {
    /// Removes a player from the game. Its survivors die, the highest status first, and are not replaced.
    pub(super) fn leave(&mut self, player: PlayerId) -> Flow {
        self.say_left(player)?;
        let mut survivors = self.board.player(player).survivors.clone();
        survivors.sort_by_key(|&character| {
            let status = self.setup.scenario.character(character).status;
            core::cmp::Reverse(status)
        });
        for character in survivors {
            self.kill(character, Event::SurvivorKilled { character: self.character_id(character) })?;
        }
        self.pass_turn_of(player);
        Ok(())
    }

    /// Removes the awaited player, because its command did not come in time.
    pub(super) fn leave_late(&mut self) -> Flow {
        if let Some(vote) = self.turn().vote {
            self.leave(vote.asked)?;
            self.go_on_voting(vote)?;
        } else if let Some(player) = self.turn().player {
            self.turn().omen = None;
            self.leave(player)?;
        }
        self.settle()
    }

    /// Announces that a player is out. It gets no further events.
    pub(super) fn say_left(&mut self, player: PlayerId) -> Flow {
        self.all(Event::Left { player });
        self.outbox.unseat(self.game.clients[player.at()]);
        if self.board.first_present().is_none() { Err(Over) } else { Ok(()) }
    }
}
