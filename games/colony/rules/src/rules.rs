//! The rules: how an input changes a game. Start with [`fold`].
//!
//! A command first runs all checks that can refuse it, and changes nothing until they pass. After that it cannot fail, but the
//! game can end in the middle of it ([`Over`]).

use core::ops::{Deref, DerefMut};

use engine::{Cause, CommId, Input, Message, Outbox};

use crate::{
    command::Command,
    event::Event,
    game::{Game, Stage, Timer},
    ids::{CharacterIx, Entrance, LocationIx, PlayerId},
    refusal::Refusal,
};

mod ability;
mod barricade;
mod card;
mod colony_phase;
mod death;
mod equipment;
mod fate;
mod fight;
mod leaving;
mod movement;
mod preparation;
mod registration;
mod search;
mod turn;
mod waste;
mod zombies;

/// Applies one input to the game. After the end of the game, inputs are ignored.
pub(crate) fn fold(game: &mut Game, input: &Input<Command, Timer>, outbox: &mut Outbox<Event, Timer>) {
    if game.board.outcome().is_some() {
        return;
    }
    let mut fold = Fold { game, outbox, waste_changed: false };
    let flow = match &input.cause {
        Cause::Command { client, command } => fold.command(*client, command),
        Cause::Timer { timer: Timer::Deadline } => fold.time_out(),
    };
    if flow == Err(Over) && fold.setup.timeout_ms.is_some() {
        fold.outbox.cancel_timer(Timer::Deadline);
    }
}

/// The game has ended, so the rest of the current action is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Over;

type Flow = Result<(), Over>;

/// Whether a command, with correct or wrong arguments, is possible only before the game starts.
fn is_late(command: &Command) -> bool {
    match command {
        Command::Register { .. } | Command::StartGame {} => true,
        Command::WrongArguments { command, .. } => {
            let kind = Command::KINDS.get(usize::from(*command));
            kind.is_some_and(|kind| matches!(kind.name, "Register" | "StartGame"))
        }
        Command::SelectCharacters { .. }
        | Command::Move { .. }
        | Command::Attack { .. }
        | Command::Barricade { .. }
        | Command::Search { .. }
        | Command::CleanWaste { .. }
        | Command::ContributeCard { .. }
        | Command::UseCard { .. }
        | Command::UseAbility { .. }
        | Command::EndTurn {}
        | Command::Leave {}
        | Command::Vote { .. } => false,
    }
}

/// Why a command of a turn was not completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Refused(Refusal),
    Over,
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Over> for Stop {
    fn from(_: Over) -> Self {
        Self::Over
    }
}

/// The effect of an accepted command, as far as fate cards depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Barricaded(LocationIx),
    Moved(LocationIx),
    Searched(LocationIx),
    Equipped,
    Other,
}

/// A game while it folds an input, and the outbox for its events.
struct Fold<'f> {
    game: &'f mut Game,
    outbox: &'f mut Outbox<Event, Timer>,
    /// Whether the input has changed the waste pile.
    waste_changed: bool,
}

impl Deref for Fold<'_> {
    type Target = Game;

    fn deref(&self) -> &Game {
        self.game
    }
}

impl DerefMut for Fold<'_> {
    fn deref_mut(&mut self) -> &mut Game {
        self.game
    }
}

impl Fold<'_> {
    fn command(&mut self, client: CommId, command: &Command) -> Flow {
        if self.stage == Stage::Registration {
            return self.register(client, command);
        }
        let Some(player) = self.player_of(client) else {
            // All other commands from clients that are not players are ignored.
            if is_late(command) {
                self.refuse(client, Refusal::AlreadyStarted {});
            }
            return Ok(());
        };
        if !self.board.player(player).present {
            self.refuse(client, Refusal::HasLeft { player });
            return Ok(());
        }
        match self.stage {
            Stage::Registration => self.register(client, command),
            Stage::Preparation { player: choosing, offered } => self.prepare(player, choosing, offered, command),
            Stage::Playing(turn) => self.play(turn, player, command),
        }
    }

    /// Handles a deadline that passed before the awaited command came.
    fn time_out(&mut self) -> Flow {
        match self.stage {
            Stage::Registration => self.abort(),
            Stage::Preparation { player, offered } => self.leave_preparation(player, offered),
            Stage::Playing(_) => self.leave_late(),
        }
    }
}

/// Functions that emit events. An event for all players or for the board is applied to the board first.
impl Fold<'_> {
    /// Emits an event for all players.
    fn all(&mut self, event: Event) {
        self.game.board.apply(&event);
        self.outbox.all(event);
    }

    /// Emits an event for the board, which the published protocol does not send to players.
    fn board(&mut self, event: Event) {
        self.game.board.apply(&event);
        self.outbox.board(event);
    }

    fn refuse(&mut self, client: CommId, refusal: Refusal) {
        self.outbox.only(client, Event::CommandFailed { refusal });
    }

    fn refuse_player(&mut self, player: PlayerId, refusal: Refusal) {
        self.refuse(self.clients[player.at()], refusal);
    }

    /// Sends an event that asks a player for a command, and starts the deadline.
    fn ask(&mut self, player: PlayerId, event: Event) {
        let client = self.clients[player.at()];
        self.outbox.only(client, event);
        self.start_deadline();
    }

    fn start_deadline(&mut self) {
        if let Some(timeout) = self.setup.timeout_ms {
            self.outbox.set_timer(Timer::Deadline, timeout);
        }
    }
}

/// Checks and lookups that several commands share.
impl Fold<'_> {
    /// Looks up a living character of the player.
    fn own_character(&self, player: PlayerId, character: crate::CharacterId) -> Result<CharacterIx, Refusal> {
        let own = &self.board.player(player).survivors;
        self.setup.character_ix(character).filter(|ix| own.contains(ix)).ok_or_else(|| Refusal::NotYourCharacter {
            character,
            yours: own.iter().map(|&ix| self.setup.scenario.character(ix).id.0).collect(),
        })
    }

    fn location_of(&self, character: CharacterIx) -> LocationIx {
        self.board.survivor(character).location
    }

    /// Checks that the character's location has this entrance.
    fn entrance(&self, character: CharacterIx, entrance: Entrance) -> Result<usize, Refusal> {
        let entrances = self.board.entrances(self.location_of(character)).len();
        usize::try_from(entrance.0)
            .ok()
            .filter(|&at| at < entrances)
            .ok_or(Refusal::NoSuchEntrance { entrance, entrances: entrances as u16 })
    }

    /// Finds the smallest die that shows at least `needed`. If 0 is needed, any die is enough.
    fn die_for(&self, player: PlayerId, needed: u8) -> Result<u8, Refusal> {
        if needed == 0 {
            return self.any_die(player);
        }
        let left = self.board.player(player).dice;
        left.smallest_from(needed).ok_or(Refusal::NoDieFor { needed, left })
    }

    fn any_die(&self, player: PlayerId) -> Result<u8, Refusal> {
        self.board.player(player).dice.lowest().ok_or(Refusal::NoDieLeft {})
    }

    fn spend(&mut self, player: PlayerId, value: u8) {
        self.board(Event::DieSpent { player, value });
    }

    fn character_id(&self, character: CharacterIx) -> crate::CharacterId {
        self.setup.scenario.character(character).id
    }

    fn location_id(&self, location: LocationIx) -> crate::LocationId {
        self.setup.scenario.location(location).id
    }

    fn card_id(&self, card: crate::CardIx) -> crate::CardId {
        self.setup.scenario.card(card).id
    }
}
