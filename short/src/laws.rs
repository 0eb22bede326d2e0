//! Random games of a [`ShortGame`] that check every promise. One line is a whole test:
//!
//! ```
//! # fn of<TicTacToe: short::ShortGame>() {
//! println!("{}", short::laws::random_games::<TicTacToe>(2_000));
//! # }
//! ```
//!
//! Besides the [laws of every rulebook](engine::laws):
//!
//! - A seat that may move has a move, and every move of [`ShortGame::moves`] is accepted.
//! - A game ends.
//! - A view of a view hides nothing more, and a spectator knows no more than each seat.
//! - If only its sender is told a move, then no other seat and no spectator sees which of its secret moves it was.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use engine::{
    Audience, Cause, CommId, JavaRandom, Message, Rulebook, Shown, json_differences,
    laws::{Coverage, Timers, Trial},
};

use crate::{
    chance::Chance,
    command::{Command, Common},
    event::Event,
    game::{Late, Resign, ShortGame, Tells},
    rules::{Short, Timer},
    seat::Seat,
    setup::Setup,
};

/// The most moves of a random game.
const MOST_MOVES: usize = 10_000;
/// The number of moves of earlier games that are tried in later ones.
const REMEMBERED: usize = 64;

/// Plays this many random games, with the seeds from 0, all scenarios and all numbers of players.
///
/// # Panics
/// If a law is broken. The message names the law and the facts.
pub fn random_games<G: ShortGame>(games: u32) -> Coverage {
    watched_games::<G>(games, |_, _| ())
}

/// Plays [`random_games`], and tells the number of games so far and what happened in them after each one.
///
/// # Panics
/// If a law is broken. The message names the law and the facts.
pub fn watched_games<G: ShortGame>(games: u32, mut watch: impl FnMut(u32, &Coverage)) -> Coverage {
    let mut coverage = Coverage::default();
    G::Move::KINDS.iter().for_each(|kind| coverage.name("move", kind.name));
    let mut remembered = Vec::new();
    for seed in 0..games {
        RandomGame::<G>::new(seed, &mut coverage, &mut remembered).play();
        watch(seed + 1, &coverage);
    }
    coverage
}

/// The scenario of a seed: the named ones in turn, and in the standard one every number of players.
fn setup_of<G: ShortGame>(seed: u32) -> Setup<G> {
    let at = seed as usize;
    let scenario = match at.checked_rem(G::SCENARIOS.len() + 1).unwrap_or_default() {
        0 => {
            let most = Setup::<G>::new("", None).map_or(*G::SEATS.end(), |standard| standard.seats());
            let numbers = most + 1 - *G::SEATS.start();
            format!("{{\"seats\": {}}}", *G::SEATS.start() + at / (G::SCENARIOS.len() + 1) % numbers)
        }
        named => G::SCENARIOS[named - 1].0.into(),
    };
    let timeout_ms = mixed(seed).is_multiple_of(2).then_some(30_000);
    Setup::new(&scenario, timeout_ms).unwrap_or_else(|error| panic!("scenario {scenario}: {error}"))
}

/// A number that has nothing to do with the scenario of a seed: every scenario has games with a timeout and games that are
/// interrupted.
fn mixed(seed: u32) -> u32 {
    // The golden ratio spreads neighbours evenly.
    seed.wrapping_mul(0x9E37_79B1) >> 16
}

struct RandomGame<'l, G: ShortGame> {
    seed: u32,
    random: JavaRandom,
    trial: Trial<Short<G>>,
    players: Vec<CommId>,
    /// Whether a player may give up or run out of time. The other games must end by their rules.
    is_interrupted: bool,
    elapsed_ms: u64,
    timers: Timers<Timer>,
    coverage: &'l mut Coverage,
    remembered: &'l mut Vec<G::Move>,
}

/// A client that never has a seat.
const STRANGER: CommId = CommId(1000);

impl<'l, G: ShortGame> RandomGame<'l, G> {
    fn new(seed: u32, coverage: &'l mut Coverage, remembered: &'l mut Vec<G::Move>) -> Self {
        let setup = setup_of::<G>(seed);
        // Bots are the first clients, so the numbers of all clients are right in any case.
        let players: Vec<CommId> = (1..).map(CommId).take(setup.seats()).collect();
        let clients = players.iter().copied().chain([STRANGER]);
        let trial = Trial::new(&setup, seed.into(), clients);
        let random = JavaRandom::new(i64::from(seed) + 1);
        let is_interrupted = (mixed(seed) / 2).is_multiple_of(4);
        let timers = Timers::default();
        Self { seed, random, trial, players, is_interrupted, elapsed_ms: 0, timers, coverage, remembered }
    }

    fn step(&mut self, cause: Cause<Command<G::Move>, Timer>) {
        self.trial.step(self.elapsed_ms, cause);
        self.timers.change(self.trial.outbox().timers(), self.elapsed_ms);
    }

    fn play(mut self) {
        self.join();
        let mut moves = 0;
        while self.trial.game().outcome().is_none() {
            assert!(moves < MOST_MOVES, "seed {}: a game ends, but this one has {moves} moves", self.seed);
            moves += 1;
            self.turn();
        }
        let ending = self.trial.game().outcome().map(|ending| Short::<G>::tell_outcome(&ending));
        let players = self.trial.game().public().names().count();
        self.check_offers();
        self.send(self.players[0], Command::Common(Common::Resign {}));
        self.trial.finish();
        self.coverage.tally("end", &ending.unwrap_or_default());
        self.coverage.tally("game", &format!("of {players} players"));
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.next_below(bound as i32) as usize
    }

    /// Sends a command, and returns the words of a refusal.
    fn send(&mut self, client: CommId, command: Command<G::Move>) -> Option<String> {
        self.elapsed_ms += self.random.next_below(2_000) as u64;
        self.step(Cause::Command { client, command });
        let refused = self.trial.outbox().events().find_map(|(audience, event)| match (audience, event) {
            (Audience::Only(_), Event::Refused { refusal }) => Some(refusal.to_string()),
            (_, _) => None,
        });
        if let Some(words) = &refused {
            self.coverage.tally("refusal", words);
        }
        refused
    }

    fn join(&mut self) {
        self.check_offers();
        self.send(STRANGER, Command::Common(Common::Resign {}));
        self.send(STRANGER, Command::Common(Common::Join { name: "".into() }));
        for client in self.players.clone() {
            self.check_offers();
            self.send(client, Command::Common(Common::Join { name: format!("P{client}").into() }));
            self.send(client, Command::Common(Common::Join { name: "again".into() }));
            // Refused if there are too few players.
            if self.below(6) == 0 {
                self.send(client, Command::Common(Common::Start {}));
            }
        }
        self.send(self.players[0], Command::Common(Common::Start {}));
        self.send(STRANGER, Command::Common(Common::Join { name: "late".into() }));
        let game = self.trial.game();
        assert!(game.public().seats.is_some(), "seed {}: a full game begins: {game:?}", self.seed);
    }

    /// One accepted move, or now and then the end of time; before it perhaps a command that is out of place.
    fn turn(&mut self) {
        self.check_views();
        if self.below(10) == 0 {
            self.check_offers();
        }
        match self.below(40) {
            0 => self.try_remembered(),
            1 => _ = self.send(STRANGER, Command::Common(Common::Start {})),
            _ => {}
        }
        let turn = self.trial.game().turn();
        if turn.seats().is_empty() {
            let ended = self.trial.game().outcome().is_some();
            assert!(ended, "seed {}: no seat may move, and the game is not over", self.seed);
            return;
        }
        let at = self.below(turn.seats().len());
        let seat = turn.seats()[at];
        // Bots have the last seats, whenever they join.
        let client = self.trial.game().clients[seat.0].expect("seats that may move are taken");
        if self.is_interrupted {
            match self.below(40) {
                0 => return self.resign(),
                1 => return self.run_late(),
                _ => {}
            }
        }
        let moves = self.trial.view(client).moves();
        assert!(
            !moves.is_empty(),
            "seed {}: {seat} may move and has no moves: {:?}",
            self.seed,
            self.trial.view(client)
        );
        let at = self.below(moves.len());
        let play = moves[at].clone();
        self.check_secret(seat, &play, &moves);
        self.remember(&play);
        let refused = self.send(client, Command::Move(play.clone()));
        assert_eq!(refused, None, "seed {}: {play:?} is one of the moves of {seat}, and is refused", self.seed);
        self.coverage.tally("move", play.kind().name);
    }

    /// A player gives up, who need not have the turn.
    fn resign(&mut self) {
        let player = self.below(self.trial.game().since.len());
        let client = self.trial.game().clients[player].expect("seats of a running game are taken");
        let left = self.trial.game().game().map(|game| game.resign(Seat(player)));
        let refused = self.send(client, Command::Common(Common::Resign {})).is_some();
        if let (Some(Resign::Plays(play)), false) = (left, refused) {
            self.coverage.tally("move", play.kind().name);
        }
        let goes_on = self.trial.game().outcome().is_none();
        let what = if refused {
            "is refused"
        } else if goes_on {
            "and the game goes on"
        } else {
            "and the game is over"
        };
        self.coverage.tally("resign", what);
    }

    /// No player moves until a timer fires.
    fn run_late(&mut self) {
        let Some((due, timer)) = self.timers.take_next(u64::MAX) else { return };
        let late = match timer {
            Timer::Late(seat) => self.trial.game().game().map(|game| game.late(seat)),
            Timer::Come => None,
        };
        self.elapsed_ms = self.elapsed_ms.max(due);
        self.step(Cause::Timer { timer });
        let mut events = self.trial.outbox().events();
        let moved = events.any(|(_, event)| matches!(event, Event::Played { .. } | Event::Moved { .. }));
        if let (Some(Late::Plays(play)), true) = (late, moved) {
            self.coverage.tally("move", play.kind().name);
        }
        let is_over = self.trial.game().outcome().is_some();
        self.coverage.tally("late", if is_over { "and the game is over" } else { "and the game goes on" });
    }

    fn remember(&mut self, play: &G::Move) {
        if self.remembered.len() < REMEMBERED {
            self.remembered.push(play.clone());
        } else if self.below(50) == 0 {
            let at = self.below(REMEMBERED);
            self.remembered[at] = play.clone();
        }
    }

    /// Tries a move of another moment, of a random seat.
    fn try_remembered(&mut self) {
        if self.remembered.is_empty() {
            return;
        }
        let (at, player) = (self.below(self.remembered.len()), self.below(self.trial.game().since.len()));
        let (play, client) = (self.remembered[at].clone(), self.players[player]);
        let is_listed = self.trial.view(client).moves().contains(&play);
        if self.send(client, Command::Move(play)).is_none() && !is_listed {
            self.coverage.tally("taken", "though not listed by `moves`");
        }
    }

    fn check_offers(&mut self) {
        for client in self.players.iter().copied().chain([STRANGER]) {
            self.trial.check_offers(client, &mut self.random);
        }
    }

    fn check_views(&self) {
        let Some(game) = &self.trial.game().secret else { return };
        let public = game.view(None);
        for seat in (0..self.trial.game().since.len()).map(Seat) {
            let view = game.view(Some(seat)).expect("a game has views for all or for none");
            assert_eq!(
                view.view(Some(seat)).as_ref(),
                Some(&view),
                "seed {}: a view of a view hides nothing more: {seat}",
                self.seed
            );
            assert_eq!(view.view(None), public, "seed {}: a spectator knows no more than {seat}", self.seed);
        }
    }

    /// Compares a secret move with another one of the same seat: all others see the same.
    fn check_secret(&mut self, seat: Seat, play: &G::Move, moves: &[G::Move]) {
        let Some(game) = self.trial.game().secret.clone() else { return };
        let is_secret = |play: &G::Move| game.tells(seat, play) == Tells::Sender;
        if !is_secret(play) {
            return;
        }
        let secret: Vec<&G::Move> = moves.iter().filter(|other| is_secret(other)).collect();
        let other = secret[self.below(secret.len())];
        let after = |play: &G::Move| {
            let mut game = game.clone();
            let mut chance = Chance::new(self.trial.game().random.clone());
            game.play(seat, play, &mut chance).ok().map(|()| game)
        };
        let (Some(one), Some(two)) = (after(play), after(other)) else { return };
        let others = (0..self.trial.game().since.len()).map(Seat).filter(|viewer| *viewer != seat);
        for viewer in others.map(Some).chain([None]) {
            let picture = |game: &G| game.view(viewer).and_then(|view| serde_json::to_value(view).ok());
            if one.view(viewer) != two.view(viewer) {
                let differences =
                    json_differences(&picture(&one).unwrap_or_default(), &picture(&two).unwrap_or_default());
                panic!(
                    "seed {}, scenario {}: {seat} makes the secret move {play:?}. To {} it looks different from {other:?}:\n  {}\n\
                     If this move uncovers the others, let `tells` return Tells::All for it.",
                    self.seed,
                    self.trial.game().public().setup().text(),
                    viewer.map_or_else(|| "spectators".into(), |viewer| viewer.to_string()),
                    differences.join("\n  ")
                );
            }
        }
        self.coverage.tally("secret", "moves that looked like others");
    }
}
