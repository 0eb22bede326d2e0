//! The ends of a game.

use super::Fold;
use crate::{
    event::Event,
    game::Timer,
    outcome::{Outcome, Reason},
    player::Player,
    refusal::Refusal,
};

impl Fold<'_> {
    /// The player's command was wrong, and it has lost.
    pub(super) fn fail(&mut self, player: Player, refusal: Refusal, reason: Reason) {
        self.only(player, Event::Failed { refusal });
        self.lose(player, reason);
    }

    /// A player has lost. Without an opponent, there is no winner.
    pub(super) fn lose(&mut self, player: Player, reason: Reason) {
        let winner = player.other();
        self.finish(match self.game.board.entrant(winner) {
            Some(_) => Outcome::Won { winner, reason },
            None => Outcome::NobodyWon { reason },
        });
    }

    pub(super) fn finish(&mut self, outcome: Outcome) {
        self.all(Event::Finished { outcome });
        for timer in [Timer::Think, Timer::Game, Timer::Lobby] {
            self.outbox.cancel_timer(timer);
        }
    }

    /// Starts the time of the player to act.
    pub(super) fn start_thinking(&mut self) {
        if let Some(think_ms) = self.game.board.setup().think_ms() {
            self.outbox.set_timer(Timer::Think, think_ms);
        }
    }

    pub(super) fn end_of_thinking(&mut self) {
        let reason = Reason::ThinkTime;
        if let Some(late) = self.game.board.turn() {
            return self.lose(late, reason);
        }
        // Both players had to send their halves.
        let has_sent =
            Player::BOTH.map(|player| self.game.private(player).is_some_and(|private| private.fort.is_some()));
        match has_sent {
            [false, true] => self.lose(Player::First, reason),
            [true, false] => self.lose(Player::Second, reason),
            [false, false] | [true, true] => self.finish(Outcome::NobodyWon { reason }),
        }
    }

    pub(super) fn is_too_late(&self, elapsed_ms: u64) -> bool {
        self.game.board.profile().game_ms.is_some_and(|most_ms| elapsed_ms >= most_ms)
    }

    pub(super) fn end_of_time(&mut self) {
        let reason = Reason::GameTime;
        match self.game.board.turn() {
            Some(player) => self.lose(player, reason),
            None => self.finish(Outcome::Removed { reason }),
        }
    }
}
