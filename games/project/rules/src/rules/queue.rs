//! The queue of a player's requests, which are carried out one after the other.
//!
//! The game waits for the cost of an action first. The action takes effect and is answered at the end of that time, on the
//! board of that moment.

use alloc::sync::Arc;

use engine::CommId;

use super::Fold;
use crate::{
    answer::Answer,
    asked::Reception,
    event::Event,
    game::Timer,
    player::{Action, Request},
    refusal::Refusal,
};

impl Fold<'_> {
    pub(super) fn request(&mut self, client: CommId, id: &Arc<str>, action: Action) -> Result<(), Refusal> {
        let at = self.seat(client)?;
        match self.game.receives(client, id)? {
            Reception::Answered(answer) => {
                let answer = answer.clone();
                self.repeat(at, id, answer);
            }
            Reception::Pending => {}
            Reception::New => {
                self.game.players[at].waiting.push_back(Request { id: id.clone(), action, asked: self.now });
                self.go_on(at);
            }
        }
        Ok(())
    }

    /// Answers a repeated request with the first answer.
    fn repeat(&mut self, at: usize, context: &Arc<str>, answer: Answer) {
        if answer != Answer::Silence {
            self.tell(at, Event::Repeated { context: context.clone(), answer });
        }
    }

    /// Carries out the current request of a player.
    pub(super) fn carry_out(&mut self, player: u32) {
        let Some(at) = self.player(player) else { return };
        if let Some(request) = self.game.players[at].current.take() {
            self.perform(at, request);
            self.go_on(at);
        }
    }

    /// Carries out the next requests of a player, up to the first one that takes time.
    fn go_on(&mut self, at: usize) {
        while self.game.board.outcome.is_none() && self.game.players[at].current.is_none() {
            let player = &mut self.game.players[at];
            let Some(request) = player.waiting.pop_front() else { return };
            match request.action.cost_ms(&self.game.setup.costs) {
                0 => self.perform(at, request),
                cost => {
                    self.outbox.set_timer(Timer::Action { player: player.id }, cost);
                    player.current = Some(request);
                }
            }
        }
    }

    fn perform(&mut self, at: usize, request: Request) {
        let (id, goals) = (self.game.players[at].id, self.game.players[at].counts.goals);
        let answer = self.act(at, request.action);
        let player = &mut self.game.players[at];
        player.counts.count(request.action);
        player.responses.count(self.now.saturating_sub(request.asked));
        let scored = player.team.filter(|_| player.counts.goals > goals);
        player.remember(request.id.clone(), answer.clone());
        if answer != Answer::Silence {
            self.tell(at, Event::Answered { context: request.id, answer });
        }
        self.board(Event::Acted { player: id });
        if let Some(team) = scored {
            self.board(Event::Scored { team });
        }
        self.check_end();
    }
}
