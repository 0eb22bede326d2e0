//! The effects of commands. Start with [`fold`].

use alloc::{string::ToString, sync::Arc, vec::Vec};

use engine::{Cause, CommId, Input, JavaRandom, Outbox};
use serde::{Deserialize, Serialize};

use crate::{
    board::Board,
    chance::Chance,
    command::{Command, Common},
    event::Event,
    game::{Late, Resign, ShortGame, Start, Tells},
    outcome::{Ending, How, Outcome},
    refusal::Refusal,
    seat::{Seat, Turn},
    setup::LONGEST_NAME,
};

/// How long a game waits for its players, in milliseconds.
pub(crate) const COME_WITHIN_MS: u64 = 60 * 60 * 1000;

/// The rulebook of a [`ShortGame`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Short<G: ShortGame> {
    pub(crate) board: Board<G>,
    /// The whole state of a game with secrets. Without secrets the board has it.
    pub(crate) secret: Option<G>,
    /// The clients, by their seats.
    pub(crate) clients: Vec<Option<CommId>>,
    pub(crate) random: JavaRandom,
    /// The version of the rules.
    pub(crate) version: u32,
    /// For each seat that may move, when its time began.
    pub(crate) since: Vec<Option<u64>>,
}

/// The timers of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Timer {
    /// The players have not joined in time.
    Come,
    /// The seat has no time left.
    Late(Seat),
}

impl<G: ShortGame> Short<G> {
    /// The facts that everyone knows, without a copy.
    pub fn public(&self) -> &Board<G> {
        &self.board
    }

    /// The whole state of the game, once it has begun.
    pub fn game(&self) -> Option<&G> {
        self.secret.as_ref().or(self.board.game.as_ref())
    }

    /// The seat of a client.
    pub fn seat_of(&self, client: CommId) -> Option<Seat> {
        self.clients.iter().position(|other| *other == Some(client)).map(Seat)
    }

    /// The seats that may move now.
    pub(crate) fn turn(&self) -> Turn {
        match self.game() {
            Some(game) if self.board.ending.is_none() => game.turn(),
            Some(_) | None => Turn::Any(Vec::new()),
        }
    }
}

type CommandOf<G> = Command<<G as ShortGame>::Move>;
type EventOf<G> = Event<<G as ShortGame>::Move, G>;

pub(crate) fn fold<G: ShortGame>(
    game: &mut Short<G>,
    input: &Input<CommandOf<G>, Timer>,
    outbox: &mut Outbox<EventOf<G>, Timer>,
) {
    if game.board.ending.is_some() {
        return;
    }
    let mut fold = Fold { game, elapsed_ms: input.elapsed_ms, outbox };
    match &input.cause {
        Cause::Command { client, command } => {
            if let Err(refusal) = fold.command(*client, command) {
                fold.outbox.only(*client, Event::Refused { refusal });
            }
        }
        Cause::Timer { timer: Timer::Come } => {
            if fold.game.board.seats.is_none() {
                fold.finish(Outcome::draw(), How::NeverBegan);
            }
        }
        Cause::Timer { timer: Timer::Late(seat) } => {
            if fold.game.turn().has(*seat) {
                fold.late(*seat);
            }
        }
    }
}

/// A game while it handles one input.
struct Fold<'f, G: ShortGame> {
    game: &'f mut Short<G>,
    elapsed_ms: u64,
    outbox: &'f mut Outbox<EventOf<G>, Timer>,
}

impl<G: ShortGame> Fold<'_, G> {
    fn command(&mut self, client: CommId, command: &CommandOf<G>) -> Result<(), Refusal> {
        match command {
            Command::Common(Common::Join { name }) => self.join(client, name),
            Command::Common(Common::Start {}) => self.start(client),
            Command::Common(Common::Resign {}) => self.resign(client),
            Command::Move(play) => self.play(client, play),
        }
    }

    /// Emits an event for everyone, which does not change the state of the game.
    fn all(&mut self, event: EventOf<G>) {
        self.game.board.apply_facts(&event);
        self.outbox.all(event);
    }

    /// A seat loses, and the game is over.
    fn lose(&mut self, seat: Seat, how: How) {
        let points = self.game.game().map(G::points).unwrap_or_default();
        if self.game.board.setup.reveals_every_end() {
            self.reveal();
        }
        self.finish(Outcome::lost_by(seat, self.game.since.len()).with_points(points), how);
    }

    /// Tells everyone what the end of a game with secrets reveals.
    fn reveal(&mut self) {
        let Some(before) = self.game.secret.clone() else { return };
        let revealed = before.revealed();
        self.show(|seat| (before.view(seat).as_ref() != Some(&revealed)).then(|| revealed.clone()));
    }

    fn finish(&mut self, outcome: Outcome, how: How) {
        let names = self.game.board.names().cloned().collect();
        self.all(Event::Finished { ending: Ending { outcome, how, names } });
        self.outbox.cancel_timer(Timer::Come);
        for seat in 0..self.game.since.len() {
            self.stop_time(Seat(seat));
        }
    }

    /// The seat of a player in a game that has begun.
    fn player(&self, client: CommId) -> Result<Seat, Refusal> {
        let seat = self.game.seat_of(client).ok_or(Refusal::NotSeated {})?;
        if self.game.board.seats.is_some() { Ok(seat) } else { Err(Refusal::NotBegun {}) }
    }
}

/// Taking a seat.
impl<G: ShortGame> Fold<'_, G> {
    fn join(&mut self, client: CommId, name: &Arc<str>) -> Result<(), Refusal> {
        let board = &self.game.board;
        if let Some(seat) = self.game.seat_of(client) {
            return Err(Refusal::AlreadySeated { seat });
        }
        if board.seats.is_some() {
            return Err(Refusal::HasBegun {});
        }
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            return Err(Refusal::BadName { most: LONGEST_NAME as u16 });
        }
        let seat = self.free_seat(client).ok_or(Refusal::Full {})?;

        self.game.clients[seat.0] = Some(client);
        self.outbox.seat(client);
        self.outbox.only(client, Event::Seated { seat });
        self.all(Event::Joined { seat, name: name.clone() });
        if self.game.clients.iter().all(Option::is_some) {
            self.begin();
        }
        Ok(())
    }

    /// The reserved seat of a bot, or the first free seat of the others.
    fn free_seat(&self, client: CommId) -> Option<Seat> {
        let setup = &self.game.board.setup;
        let for_people = setup.seats() - setup.bots().count();
        match setup.bots().position(|(bot, _)| bot == client) {
            Some(bot) => Some(Seat(for_people + bot)),
            None => self.game.clients[..for_people].iter().position(Option::is_none).map(Seat),
        }
    }

    fn start(&mut self, client: CommId) -> Result<(), Refusal> {
        let game = &*self.game;
        game.seat_of(client).ok_or(Refusal::NotSeated {})?;
        if game.board.seats.is_some() {
            return Err(Refusal::HasBegun {});
        }
        let (least, seats) = (*G::SEATS.start(), game.board.setup.seats());
        if least == seats || game.board.setup.bots().next().is_some() {
            return Err(Refusal::BeginsWhenFull { seats: seats as u16 });
        }
        let joined = game.board.names().count();
        if joined < least {
            return Err(Refusal::TooFew { least: least as u16, joined: joined as u16 });
        }

        self.begin();
        Ok(())
    }

    /// Begins the game with the players who are there.
    fn begin(&mut self) {
        let seats = self.game.board.names().count();
        let version = self.game.version;
        let mut chance = Chance::new(self.game.random.clone());
        let start = Start::new(seats, version, self.game.board.setup.options());
        self.outbox.cancel_timer(Timer::Come);
        let game = match G::start(&start, &mut chance) {
            Ok(game) => game,
            Err(refusal) => {
                return self.finish(Outcome::draw(), How::Unplayable { because: refusal.to_string().into() });
            }
        };
        let drawn = self.take_chance(chance);
        self.game.since = (0..seats).map(|_| None).collect();
        match game.view(None) {
            None => {
                self.all(Event::Began { version, seats, drawn: Some(drawn) });
                self.game.board.game = Some(game);
            }
            Some(_) => {
                self.all(Event::Began { version, seats, drawn: None });
                self.show(|seat| game.view(seat));
                self.game.secret = Some(game);
            }
        }
        self.go_on(None);
    }

    /// Keeps the generator, and returns the numbers that were drawn.
    fn take_chance(&mut self, chance: Chance) -> Vec<u32> {
        let (random, drawn) = chance.into_parts();
        if let Some(random) = random {
            self.game.random = random;
        }
        drawn
    }
}

/// Playing.
impl<G: ShortGame> Fold<'_, G> {
    fn play(&mut self, client: CommId, play: &G::Move) -> Result<(), Refusal> {
        let seat = self.player(client)?;
        let turn = self.game.turn();
        if !turn.has(seat) {
            let next = if let [next] = turn.seats() { self.game.board.name(*next).cloned() } else { None };
            return Err(Refusal::NotYourTurn { next });
        }
        let (game, chance) = self.try_play(seat, play)?;

        // The time may be over although the timer has not fired yet.
        match self.time_left(seat) {
            Ok(left) => self.accept(seat, play, game, chance, left),
            Err(TimeOver) => self.late(seat),
        }
        Ok(())
    }

    /// The state after a move.
    fn try_play(&self, seat: Seat, play: &G::Move) -> Result<(G, Chance), Refusal> {
        let mut game = self.game.game().cloned().ok_or(Refusal::NotBegun {})?;
        let mut chance = Chance::new(self.game.random.clone());
        game.play(seat, play, &mut chance)?;
        Ok((game, chance))
    }

    fn accept(&mut self, seat: Seat, play: &G::Move, game: G, chance: Chance, left: Option<u64>) {
        let drawn = self.take_chance(chance);
        let left =
            left.map(|left| left.saturating_add(self.game.board.setup.clock().map_or(0, |clock| clock.increment_ms())));
        match self.game.secret.take() {
            None => {
                let drawn = (!drawn.is_empty()).then_some(drawn);
                self.all(Event::Played { seat, play: play.clone(), left, drawn });
                self.game.board.game = Some(game);
            }
            Some(before) => {
                let told = match before.tells(seat, play) {
                    Tells::All => Some(play.clone()),
                    Tells::Sender => None,
                };
                // The move comes after the views: a client that is told it knows everything.
                self.show(|seat| game.view(seat).filter(|view| before.view(seat).as_ref() != Some(view)));
                self.game.secret = Some(game);
                self.all(Event::Moved { seat, play: told, left });
            }
        }
        self.go_on(Some(seat));
    }

    /// Tells spectators and seats what they may know, if it has changed.
    fn show(&mut self, changed: impl Fn(Option<Seat>) -> Option<G>) {
        if let Some(view) = changed(None) {
            self.game.board.game = Some(view.clone());
            self.outbox.board(Event::Seen { view, seat: None });
        }
        for (at, client) in self.game.clients.iter().enumerate() {
            let seat = Some(Seat(at));
            if let (Some(client), Some(view)) = (client, changed(seat)) {
                self.outbox.only(*client, Event::Seen { view, seat });
            }
        }
    }

    /// Ends the game, or starts the time of the seats that may move.
    fn go_on(&mut self, mover: Option<Seat>) {
        if let Some(outcome) = self.game.game().and_then(G::outcome) {
            return self.finish(outcome, How::Rules);
        }
        let turn = self.game.turn();
        for seat in (0..self.game.since.len()).map(Seat) {
            let runs = self.game.since[seat.0].is_some();
            if !turn.has(seat) {
                self.stop_time(seat);
            } else if !runs || mover == Some(seat) {
                self.start_time(seat);
            }
        }
    }

    fn resign(&mut self, client: CommId) -> Result<(), Refusal> {
        let seat = self.player(client)?;
        match self.game.game().map(|game| game.resign(seat)) {
            Some(Resign::Loses) | None => {
                self.lose(seat, How::Resigned { seat });
            }
            Some(Resign::Refused(refusal)) => return Err(refusal),
            Some(Resign::Plays(play)) => {
                let (game, chance) = self.try_play(seat, &play)?;
                let has_clock = !self.game.board.left_ms.is_empty();
                let left = self.time_left(seat).unwrap_or(has_clock.then_some(0));
                self.accept(seat, &play, game, chance, left);
            }
        }
        Ok(())
    }
}

/// The time of a seat is over.
struct TimeOver;

/// Time.
impl<G: ShortGame> Fold<'_, G> {
    fn start_time(&mut self, seat: Seat) {
        self.game.since[seat.0] = Some(self.elapsed_ms);
        let board = &self.game.board;
        if let Some(after_ms) = board.left_ms.get(seat.0).copied().or(board.setup.timeout_ms()) {
            self.outbox.set_timer(Timer::Late(seat), after_ms);
        }
    }

    fn stop_time(&mut self, seat: Seat) {
        if self.game.since[seat.0].take().is_some() {
            self.outbox.cancel_timer(Timer::Late(seat));
        }
    }

    /// In a game with a clock, the time that a seat has left now.
    fn time_left(&self, seat: Seat) -> Result<Option<u64>, TimeOver> {
        let Some(left) = self.game.board.left_ms.get(seat.0) else { return Ok(None) };
        let since = self.game.since.get(seat.0).copied().flatten().unwrap_or(self.elapsed_ms);
        let used = self.elapsed_ms.saturating_sub(since);
        if used < *left { Ok(Some(left - used)) } else { Err(TimeOver) }
    }

    fn late(&mut self, seat: Seat) {
        let play = match self.game.game().map(|game| game.late(seat)) {
            Some(Late::Plays(play)) => Some(play),
            Some(Late::Loses) | None => None,
        };
        let played = play.and_then(|play| Some((self.try_play(seat, &play).ok()?, play)));
        match played {
            Some(((game, chance), play)) => {
                let left = (!self.game.board.left_ms.is_empty()).then_some(0);
                self.accept(seat, &play, game, chance, left);
            }
            None => self.lose(seat, How::Late { seat }),
        }
    }
}
