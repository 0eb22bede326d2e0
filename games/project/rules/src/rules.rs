//! The rules. Start with [`fold`].

mod actions;
mod ending;
mod exchanges;
mod faults;
mod lobby;
mod queue;

use engine::{Cause, CommId, Input, Outbox};

use crate::{
    command::Command,
    event::Event,
    game::{GAME_MASTER, Game, Timer},
    note::Note,
    outcome::Why,
    player::Action,
    refusal::Refusal,
};

/// The maximum length of an error description, in characters.
pub const LONGEST_REASON: usize = 200;

pub(crate) fn fold(game: &mut Game, input: &Input<Command, Timer>, outbox: &mut Outbox<Event, Timer>) {
    if game.board.outcome.is_some() {
        return;
    }
    let mut fold = Fold { game, outbox, now: input.elapsed_ms };
    match &input.cause {
        Cause::Command { client, command } => {
            if let Err(refusal) = fold.command(*client, command) {
                fold.outbox.only(*client, Event::Refused { refusal });
                return;
            }
        }
        Cause::Timer { timer } => fold.timer(*timer),
    }
    game.clock = input.elapsed_ms;
}

/// A game while it folds one input.
struct Fold<'f> {
    game: &'f mut Game,
    outbox: &'f mut Outbox<Event, Timer>,
    /// The time on the game's own clock.
    now: u64,
}

impl Fold<'_> {
    fn command(&mut self, client: CommId, command: &Command) -> Result<(), Refusal> {
        match command {
            Command::Join { hash } => self.join(client, hash),
            Command::ChooseTeam { id, team } => self.choose_team(client, id, *team),
            Command::Move { id, direction } => self.request(client, id, Action::Move(*direction)),
            Command::Discover { id } => self.request(client, id, Action::Discover),
            Command::PickUp { id } => self.request(client, id, Action::PickUp),
            Command::Test { id } => self.request(client, id, Action::Test),
            Command::Place { id } => self.request(client, id, Action::Place),
            Command::Lost {} => self.lost(client),
            Command::Fail { because } => self.fail(client, because),
            Command::Exchanged { from, to, tiles } => self.exchanged(client, *from, *to, tiles),
        }
    }

    fn timer(&mut self, timer: Timer) {
        match timer {
            Timer::Join => self.finish(Why::LobbyNotFull),
            Timer::Action { player } => self.carry_out(player),
            Timer::Return { player } => self.leave(player),
            Timer::Respawn => self.respawn(),
            Timer::Progress => self.finish(Why::NoProgress),
        }
    }

    fn fail(&mut self, client: CommId, because: &str) -> Result<(), Refusal> {
        if client != GAME_MASTER {
            return Err(Refusal::OnlyGameMaster {});
        }

        let because: alloc::string::String = because.chars().take(LONGEST_REASON).collect();
        self.finish(Why::Error { because: because.into() });
        Ok(())
    }

    /// The index of a client's player.
    fn seat(&self, client: CommId) -> Result<usize, Refusal> {
        let playing = |player: &crate::Player| player.client == client && !player.is_gone();
        self.game.players.iter().position(playing).ok_or(Refusal::NotAPlayer {})
    }

    /// The index of a player that has not left.
    fn player(&self, id: u32) -> Option<usize> {
        self.game.players.iter().position(|player| player.id == id && !player.is_gone())
    }

    /// Emits a public event.
    fn board(&mut self, event: Event) {
        self.game.board.apply(&event);
        self.outbox.board(event);
    }

    /// Emits an event for one player.
    fn tell(&mut self, at: usize, event: Event) {
        let client = self.game.players[at].client;
        self.game.players[at].notice(&event, self.now);
        self.game.views.entry(client).or_default().apply(&event);
        self.outbox.only(client, event);
    }

    /// Emits a note for the Game Master.
    fn note(&mut self, note: Note) {
        self.outbox.only(GAME_MASTER, Event::Noted { note });
    }
}
