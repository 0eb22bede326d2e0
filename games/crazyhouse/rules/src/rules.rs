//! The effects of commands. Start with [`fold`].

use alloc::{string::ToString, sync::Arc};

use engine::{Cause, CommId, Input, Outbox};

use crate::{
    command::Command,
    event::Event,
    game::{Game, Timer},
    outcome::{Outcome, Reason},
    piece::Side,
    refusal::Refusal,
};

/// The longest reason for resigning, in characters.
pub const LONGEST_REASON: u16 = 200;

pub(crate) fn fold(game: &mut Game, input: &Input<Command, Timer>, outbox: &mut Outbox<Event, Timer>) {
    if game.board.outcome().is_some() {
        return;
    }
    let mut fold = Fold { game, elapsed: input.elapsed_ms, outbox };
    match &input.cause {
        Cause::Command { client, command } => {
            if let Err(refusal) = fold.command(*client, command) {
                fold.outbox.only(*client, Event::Refused { refusal });
            }
        }
        Cause::Timer { timer: Timer::Come } => fold.finish(Outcome::drawn(Reason::NobodyCame), None),
        Cause::Timer { timer: Timer::Flag } => {
            let late = fold.game.board.contest.position().turn();
            fold.finish(Outcome::won(late.other(), Reason::Time), None);
        }
    }
}

/// A game while it handles one input.
struct Fold<'f> {
    game: &'f mut Game,
    elapsed: u64,
    outbox: &'f mut Outbox<Event, Timer>,
}

impl Fold<'_> {
    fn command(&mut self, client: CommId, command: &Command) -> Result<(), Refusal> {
        if let Command::Join { name, side } = command {
            return self.join(client, name, *side);
        }
        let side = self.game.side_of(client).ok_or(Refusal::NotSeated {})?;
        self.check_version(command)?;
        if let Command::Abort {} = command {
            return self.abort();
        }
        if !self.game.board.begun {
            return Err(Refusal::NotBegun {});
        }
        match command {
            Command::Join { .. } | Command::Abort {} => Ok(()),
            Command::Move { text } => self.play(side, text),
            Command::OfferDraw {} => self.offer_draw(side),
            Command::AcceptDraw {} => self.accept_draw(side),
            Command::DeclineDraw {} => self.decline_draw(side),
            Command::Resign { because } => self.resign(side, because.as_ref()),
            Command::AskTakeback {} => self.ask_takeback(side),
            Command::AllowTakeback {} => self.allow_takeback(side),
            Command::RefuseTakeback {} => self.refuse_takeback(side),
            Command::Claim {} => self.claim(side),
        }
    }

    /// Whether the rules that the game began with have the command.
    fn check_version(&self, command: &Command) -> Result<(), Refusal> {
        let since = match command {
            Command::Join { .. }
            | Command::Move { .. }
            | Command::OfferDraw {}
            | Command::AcceptDraw {}
            | Command::DeclineDraw {}
            | Command::Resign { .. } => 1,
            Command::Abort {}
            | Command::AskTakeback {}
            | Command::AllowTakeback {}
            | Command::RefuseTakeback {}
            | Command::Claim {} => 2,
        };
        let version = self.game.version;
        if version < since { Err(Refusal::NotInThisVersion { version }) } else { Ok(()) }
    }

    /// Emits a public event.
    fn all(&mut self, event: Event) {
        self.game.board.apply(&event);
        self.outbox.all(event);
    }

    fn finish(&mut self, outcome: Outcome, because: Option<Arc<str>>) {
        self.all(Event::Finished { outcome, because });
        self.outbox.cancel_timer(Timer::Come);
        self.outbox.cancel_timer(Timer::Flag);
    }
}

/// Taking a seat.
impl Fold<'_> {
    fn join(&mut self, client: CommId, name: &Arc<str>, wanted: Option<Side>) -> Result<(), Refusal> {
        if let Some(side) = self.game.side_of(client) {
            return Err(Refusal::AlreadySeated { side });
        }
        let side = match wanted {
            Some(side) => self.check_free(side, client).map(|()| side)?,
            None => self.any_side(client)?,
        };

        self.game.clients[side as usize] = Some(client);
        self.outbox.seat(client);
        self.outbox.only(client, Event::Seated { side });
        self.all(Event::Joined { side, name: name.clone() });
        self.begin();
        Ok(())
    }

    fn check_free(&self, side: Side, client: CommId) -> Result<(), Refusal> {
        let board = &self.game.board;
        let reserved = board.setup.bot(side).filter(|(bot, _)| *bot != client).map(|(_, name)| name);
        match board.player(side).or(reserved) {
            Some(by) => Err(Refusal::SideTaken { side, by: by.clone() }),
            None => Ok(()),
        }
    }

    /// Picks a free side. A bot gets its reserved side. If both sides are free, the choice is random.
    fn any_side(&mut self, client: CommId) -> Result<Side, Refusal> {
        let setup = &self.game.board.setup;
        if let Some(own) = Side::BOTH.into_iter().find(|side| setup.bot(*side).is_some_and(|(bot, _)| bot == client)) {
            return self.check_free(own, client).map(|()| own);
        }
        match Side::BOTH.map(|side| self.check_free(side, client).is_ok()) {
            [true, true] if self.game.random.next_boolean() => Ok(Side::Black),
            [true, _] => Ok(Side::White),
            [false, true] => Ok(Side::Black),
            [false, false] => Err(Refusal::Full {}),
        }
    }

    /// Begins the game once both players have joined.
    fn begin(&mut self) {
        let board = &self.game.board;
        let [Some(white), Some(black)] = board.players.clone() else { return };
        let (position, clock) = (*board.contest.position(), board.setup.clock);
        self.all(Event::Began { white, black, position, clock });
        self.outbox.cancel_timer(Timer::Come);
        self.start_turn();
    }
}

/// Playing.
impl Fold<'_> {
    fn play(&mut self, side: Side, text: &str) -> Result<(), Refusal> {
        let contest = &self.game.board.contest;
        let legal = contest.check_move(side, text)?;
        let position = contest.position().after(legal);
        let Ok(left) = self.time_left(side) else {
            // The time is over, but the timer has not fired yet.
            self.finish(Outcome::won(side.other(), Reason::Time), None);
            return Ok(());
        };

        let check = position.in_check(position.turn());
        self.all(Event::Moved { side, text: legal.to_string().into(), position, check, left });
        if check && position.has_no_move() {
            self.finish(Outcome::won(side, Reason::Checkmate), None);
        } else if self.is_at_limit() {
            self.finish(Outcome::drawn(Reason::MoveLimit), None);
        } else {
            self.start_turn();
        }
        Ok(())
    }

    /// In a game with a clock, the time that a side has left after a move now. An error if its time is over.
    fn time_left(&self, side: Side) -> Result<Option<u64>, ()> {
        let board = &self.game.board;
        let (Some(clock), Some(left)) = (board.setup.clock, board.left(side)) else { return Ok(None) };
        if self.used() >= left { Err(()) } else { Ok(Some(left - self.used() + clock.increment)) }
    }

    /// The time that the turn has taken so far.
    fn used(&self) -> u64 {
        self.elapsed.saturating_sub(self.game.since)
    }

    fn is_at_limit(&self) -> bool {
        let board = &self.game.board;
        board.setup.most_moves.is_some_and(|most| board.contest.history().len() >= most as usize)
    }

    fn start_turn(&mut self) {
        let board = &self.game.board;
        let time = board.left(board.contest.position().turn()).unwrap_or(board.setup.timeout_ms);
        self.game.since = self.elapsed;
        self.outbox.set_timer(Timer::Flag, time);
    }

    fn offer_draw(&mut self, side: Side) -> Result<(), Refusal> {
        self.game.board.contest.check_offer(side)?;

        self.all(Event::DrawOffered { side });
        Ok(())
    }

    fn accept_draw(&mut self, side: Side) -> Result<(), Refusal> {
        self.game.board.contest.check_answer(side)?;

        self.finish(Outcome::drawn(Reason::Agreement), None);
        Ok(())
    }

    fn decline_draw(&mut self, side: Side) -> Result<(), Refusal> {
        self.game.board.contest.check_answer(side)?;

        self.all(Event::DrawDeclined { side });
        Ok(())
    }

    /// Wins the game. The host has found that the opponent is away.
    fn claim(&mut self, side: Side) -> Result<(), Refusal> {
        self.finish(Outcome::won(side, Reason::Left), None);
        Ok(())
    }

    fn resign(&mut self, side: Side, because: Option<&Arc<str>>) -> Result<(), Refusal> {
        if because.is_some_and(|because| because.chars().count() > LONGEST_REASON.into()) {
            return Err(Refusal::ReasonTooLong { most: LONGEST_REASON });
        }

        self.finish(Outcome::won(side.other(), Reason::Resignation), because.cloned());
        Ok(())
    }
}

/// Undoing: the whole game, or the last move.
impl Fold<'_> {
    fn abort(&mut self) -> Result<(), Refusal> {
        if self.game.board.begun {
            self.game.board.contest.check_abort()?;
        }

        self.finish(Outcome::drawn(Reason::Aborted), None);
        Ok(())
    }

    fn ask_takeback(&mut self, side: Side) -> Result<(), Refusal> {
        self.game.board.contest.check_ask(side)?;

        self.all(Event::TakebackAsked { side });
        Ok(())
    }

    fn refuse_takeback(&mut self, side: Side) -> Result<(), Refusal> {
        self.game.board.contest.check_asked(side)?;

        self.all(Event::TakebackRefused { side });
        Ok(())
    }

    /// Takes the opponent's last move back. The clocks stay as they are.
    fn allow_takeback(&mut self, side: Side) -> Result<(), Refusal> {
        let board = &self.game.board;
        board.contest.check_asked(side)?;
        let (asker, turn) = (side.other(), board.contest.position().turn());
        let mut left = board.left;
        if let Some(left) = &mut left {
            let running = &mut left[turn as usize];
            *running = running.saturating_sub(self.used());
            if *running == 0 {
                // The time is over, but the timer has not fired yet.
                self.finish(Outcome::won(turn.other(), Reason::Time), None);
                return Ok(());
            }
        }
        let moves = board.contest.undone_for(asker);
        let history = board.contest.history();
        let position = history[history.len() - moves].before;

        let [white_left, black_left] = Side::BOTH.map(|side| left.map(|left| left[side as usize]));
        // A takeback undoes one or two moves.
        self.all(Event::TakenBack { side: asker, moves: moves as u8, position, white_left, black_left });
        self.start_turn();
        Ok(())
    }
}
