//! The effects of inputs. Start with [`fold`]; each kind of command has its own file beside this one.

mod ends;
mod halves;
mod registering;
mod walking;

use alloc::sync::Arc;

use engine::{Cause, CommId, Input, Outbox};

use crate::{
    asked::{MOST_NOTED, cut},
    command::Command,
    event::Event,
    game::{Game, HOST, Timer},
    outcome::{Outcome, Reason},
    player::Player,
    private::Private,
    refusal::Refusal,
};

pub(crate) fn fold(game: &mut Game, input: &Input<Command, Timer>, outbox: &mut Outbox<Event, Timer>) {
    if game.board.outcome().is_some() {
        return;
    }
    let mut fold = Fold { game, outbox };
    match &input.cause {
        Cause::Command { client, .. } if fold.is_too_late(input.elapsed_ms) => {
            // A restarted process restarts the timer, but not the game's clock.
            fold.outbox.only(*client, Event::Failed { refusal: Refusal::GameOver {} });
            fold.end_of_time();
        }
        Cause::Command { client, command } => {
            if let Err(refusal) = fold.command(*client, command) {
                fold.outbox.only(*client, Event::Refused { refusal });
            }
        }
        Cause::Timer { timer: Timer::Lobby } => fold.finish(Outcome::Removed { reason: Reason::NobodyCame }),
        Cause::Timer { timer: Timer::Game } => fold.end_of_time(),
        Cause::Timer { timer: Timer::Think } => fold.end_of_thinking(),
    }
}

/// A game while it handles one input.
struct Fold<'f> {
    game: &'f mut Game,
    outbox: &'f mut Outbox<Event, Timer>,
}

impl Fold<'_> {
    fn command(&mut self, client: CommId, command: &Command) -> Result<(), Refusal> {
        match command {
            Command::Register { id, first_name, last_name, account } => {
                self.register(client, id, [first_name, last_name, account])
            }
            Command::SendHalf { fields, coding } => {
                let player = self.player(client)?;
                self.send_half(player, fields, *coding);
                Ok(())
            }
            Command::Move { direction } => self.walk(self.player(client)?, *direction),
            Command::Update { x, y, wanted_x, wanted_y, turns } => {
                let player = self.player(client)?;
                self.update(player, (*x, *y), (*wanted_x, *wanted_y), *turns)
            }
            Command::Garbled { problem } => {
                let player = self.player(client)?;
                self.note(player, problem);
                Ok(())
            }
            Command::Remove {} if client == HOST => {
                self.finish(Outcome::Removed { reason: Reason::GaveWay });
                Ok(())
            }
            Command::Remove {} => Err(Refusal::OnlyTheHost {}),
        }
    }

    fn player(&self, client: CommId) -> Result<Player, Refusal> {
        self.game.player_of(client).ok_or(Refusal::NotRegistered {})
    }

    fn note(&mut self, player: Player, problem: &Arc<str>) {
        let number = self.game.noted[player as usize] + 1;
        if number > MOST_NOTED {
            return;
        }
        self.game.noted[player as usize] = number;
        self.only(player, Event::Noted { number, refusal: Refusal::Unreadable { problem: cut(problem).into() } });
    }

    /// Emits a public event.
    fn all(&mut self, event: Event) {
        self.game.board.apply(&event);
        self.outbox.all(event);
    }

    /// Emits an event for one player.
    fn only(&mut self, player: Player, event: Event) {
        let Game { board, private, clients, .. } = &mut *self.game;
        match &mut private[player as usize] {
            Some(private) => private.learn(&event, board),
            none => *none = Private::seated(&event),
        }
        if let Some(client) = clients[player as usize] {
            self.outbox.only(client, event);
        }
    }
}
