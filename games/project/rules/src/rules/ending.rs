//! The end of a game.

use super::Fold;
use crate::{event::Event, game::Timer, outcome::Why, team::Team};

impl Fold<'_> {
    /// Ends a running game if it is decided.
    pub(super) fn check_end(&mut self) {
        let why = self.done().or_else(|| self.deserted()).or_else(|| self.hopeless());
        if let Some(why) = why {
            self.finish(why);
        }
    }

    fn done(&self) -> Option<Why> {
        let team = Team::BOTH.into_iter().find(|team| self.game.ground.open_goals(*team) == 0)?;
        Some(Why::AllGoals { team })
    }

    fn deserted(&self) -> Option<Why> {
        let is_gone =
            |team: &Team| !self.game.players.iter().any(|player| player.team == Some(*team) && !player.is_gone());
        Team::BOTH.into_iter().find(is_gone).map(|team| Why::TeamGone { team })
    }

    /// Checks whether no team can win any more: too few pieces are left, and no new ones appear.
    fn hopeless(&self) -> Option<Why> {
        let none_come = self.game.setup.respawn_interval.is_none_or(|interval| interval == 0);
        (none_come && Team::BOTH.into_iter().all(|team| self.lacks_pieces(team))).then_some(Why::NobodyCanWin)
    }

    /// Whether a team has too few pieces to complete its goals. A carried piece counts for both teams, because it may fall
    /// where both can take it. A piece in the other team's goal area does not count.
    fn lacks_pieces(&self, team: Team) -> bool {
        let loads = self.game.players.iter().filter_map(|player| player.load);
        let carried = loads.filter(|load| !load.piece.sham).count();
        self.game.ground.valid_for(team) + carried < self.game.ground.open_goals(team)
    }

    /// Restarts the timer for progress. Completing a goal and removing a sham are progress: both can happen only a limited
    /// number of times.
    pub(super) fn await_progress(&mut self) {
        if let Some(time) = self.game.setup.no_progress.filter(|time| *time > 0) {
            self.outbox.set_timer(Timer::Progress, time);
        }
    }

    pub(super) fn finish(&mut self, why: Why) {
        let event = Event::Ended { outcome: self.game.end(why) };
        self.game.board.apply(&event);
        self.outbox.all(event);
        for timer in [Timer::Join, Timer::Respawn, Timer::Progress] {
            self.outbox.cancel_timer(timer);
        }
        for player in &self.game.players {
            self.outbox.cancel_timer(Timer::Action { player: player.id });
            self.outbox.cancel_timer(Timer::Return { player: player.id });
        }
    }
}
