//! The laws of every rulebook, checked in random games in which clients send all kinds of commands.

use std::collections::{BTreeMap, BTreeSet};

use engine::{Cause, CommId, JavaRandom, Message, Rulebook, TimerChange, laws::Trial};
use project_rules::{
    Command, Direction, Event, Game, Hearsay, Note, Position, Setup, Team, Tile, TileObject, Timer, Zone,
};

use crate::table::{DIRECTIONS, hash};

const GAMES: i64 = 2_000;
const LONGEST: u32 = 600;
/// The Game Master, the players, and some clients that get no seat.
pub(crate) const CLIENTS: u32 = 7;

pub(crate) const SETUPS: [&str; 4] = [
    r#"{"width": 4, "height": 6, "players_per_team": 2, "pieces": 6, "shams_percentage": 34,
        "goals": [{"x": 1, "y": 0}, {"x": 3, "y": 0}]}"#,
    r#"{"width": 3, "height": 4, "players_per_team": 1, "pieces": 3, "shams_percentage": 30,
        "goals": [{"x": 1, "y": 0}], "costs": {"move": 100, "discover": 450, "test": 500, "pick_up": 100},
        "no_progress": 20000, "join_timeout": 100000, "reconnection_attempts": 2, "reconnection_interval": 1}"#,
    r#"{"width": 5, "height": 9, "players_per_team": 2, "pieces": 4, "shams_percentage": 50,
        "goals": [{"x": 2, "y": 1}, {"x": 0, "y": 0}], "respawn_interval": 700, "costs": {"place": 50, "move": 10},
        "reconnection_attempts": 1, "reconnection_interval": 2}"#,
    r#"{"width": 2, "height": 4, "players_per_team": 2, "pieces": 3, "shams_percentage": 33,
        "goals": [{"x": 0, "y": 0}, {"x": 1, "y": 0}],
        "player_hashes": ["hash-of-1", "hash-of-2", "hash-of-3", "hash-of-4"]}"#,
];

#[test]
fn random_games() {
    let mut seen = Seen::default();
    let games = if std::env::var_os("HOLDFAST_LONG").is_some() { 20 * GAMES } else { GAMES };
    for seed in 0..games {
        let setup = Setup::new(SETUPS[seed as usize % SETUPS.len()]).expect("a setup");
        let mut play = Play::new(&setup, seed);
        while play.step() {
            seen.look(&play);
        }
        seen.look(&play);
        play.trial.finish();
    }
    let kinds: BTreeSet<&str> = Event::KINDS.iter().map(|kind| kind.name).collect();
    assert_eq!(seen.events, kinds, "every event was seen");
    for end in ["all its goals", "unexpected", "too few pieces", "no progress", "no players left", "not all players"] {
        assert!(seen.ends.iter().any(|seen| seen.contains(end)), "no game ended with {end}: {:?}", seen.ends);
    }
    assert_eq!(seen.notes.len(), 4, "only these notes were seen: {:?}", seen.notes);
    assert!(seen.refusals.len() >= 9, "only these refusals were seen: {:?}", seen.refusals);
}

#[derive(Default)]
struct Seen {
    events: BTreeSet<&'static str>,
    refusals: BTreeSet<&'static str>,
    notes: BTreeSet<&'static str>,
    ends: BTreeSet<String>,
}

impl Seen {
    fn look(&mut self, play: &Play) {
        for (_, event) in play.trial.outbox().events() {
            self.events.insert(event.kind().name);
            if let Event::Refused { refusal } = event {
                self.refusals.insert(refusal.kind().name);
            }
            if let Event::Noted { note } = event {
                self.notes.insert(match note {
                    Note::ShamPlaced { .. } => "sham placed",
                    Note::NothingToTest { .. } => "nothing to test",
                    Note::PieceFell { .. } => "piece fell",
                    Note::PieceCame { .. } => "piece came",
                });
            }
        }
        self.ends.extend(play.trial.game().outcome().map(|outcome| outcome.to_string()));
        let game = play.trial.game();
        let pawns: Vec<Position> = game.all_players().iter().filter_map(|player| player.position).collect();
        assert_eq!(pawns.iter().collect::<BTreeSet<_>>().len(), pawns.len(), "no two pawns share a tile");
        let on_goal = |(tile, _): (Position, _)| game.ground().goal_at(tile).is_some();
        assert!(!game.ground().pieces().any(on_goal), "no piece lies on a goal");
    }
}

/// A random game. Its players see the whole state, and mostly play well.
pub(crate) struct Play {
    pub(crate) trial: Trial<Game>,
    random: JavaRandom,
    timers: BTreeMap<Timer, u64>,
    clock: u64,
    steps: u32,
    late: u32,
}

impl Play {
    pub(crate) fn new(setup: &Setup, seed: i64) -> Self {
        // Every other game is one of the first version.
        let version = Game::VERSIONS[seed.rem_euclid(Game::VERSIONS.len() as i64) as usize];
        let trial = Trial::of_version(version, setup, seed, (0..CLIENTS).map(CommId));
        let random = JavaRandom::new(seed ^ 0x5DEE_CE66);
        let mut play = Self { trial, random, timers: BTreeMap::new(), clock: 0, steps: 0, late: 0 };
        play.follow_timers();
        play
    }

    /// Plays one input. Returns false if the game has been over for a few steps, or is too long.
    pub(crate) fn step(&mut self) -> bool {
        let cause = self.next();
        self.trial.step(self.clock, cause);
        self.follow_timers();
        self.steps += 1;
        self.late += u32::from(self.trial.game().outcome().is_some());
        self.late < 3 && self.steps < LONGEST
    }

    fn follow_timers(&mut self) {
        for change in self.trial.outbox().timers() {
            match change {
                TimerChange::Set { timer, after_ms } => _ = self.timers.insert(*timer, self.clock + after_ms),
                TimerChange::Cancelled { timer } => _ = self.timers.remove(timer),
            }
        }
    }

    fn next(&mut self) -> Cause<Command, Timer> {
        let over = self.trial.game().outcome().is_some();
        let rare = self.random.next_below(12) == 0;
        let due = self.timers.iter().min_by_key(|(_, due)| **due).map(|(timer, due)| (*timer, *due));
        if let Some((timer, due)) = due.filter(|(_, due)| !over && (rare || *due <= self.clock)) {
            self.timers.remove(&timer);
            self.clock = self.clock.max(due);
            return Cause::Timer { timer };
        }
        self.clock += self.random.next_below(60) as u64;
        let client = self.random.next_below(CLIENTS as i32) as u32;
        Cause::Command { client: CommId(client), command: self.command(client) }
    }

    fn command(&mut self, client: u32) -> Command {
        let id = || format!("{}", self.steps).into();
        let team = if self.random.next_boolean() { Team::Blue } else { Team::Red };
        match self.random.next_below(400) {
            0..2 => return Command::Fail { because: "a test".into() },
            2..6 => return Command::Lost {},
            6..10 => return Command::Join { hash: hash(self.random.next_below(CLIENTS as i32) as u32) },
            10..13 => return Command::Join { hash: "x".repeat(65).into() },
            13..16 => return Command::ChooseTeam { id: id(), team },
            16..18 => return self.exchange(),
            18..48 if client == 0 => return self.exchange(),
            _ => {}
        }
        let game = self.trial.game();
        match game.player_of(CommId(client)) {
            None => Command::Join { hash: hash(client) },
            Some(player) if player.team.is_none() => Command::ChooseTeam { id: id(), team },
            Some(_) => self.request(client),
        }
    }

    /// Reports that a random client shares some tiles with another. Some of the tiles are off the board.
    fn exchange(&mut self) -> Command {
        let objects = [TileObject::Nothing, TileObject::Piece, TileObject::CompletedGoal, TileObject::NonGoal];
        let mut below = |most: i32| self.random.next_below(most);
        let (from, to) = (below(CLIENTS as i32) as u32, below(CLIENTS as i32) as u32);
        let tiles = (0..below(6)).map(|_| {
            let position = Position { x: below(6) - 1, y: below(10) - 1 };
            let (distance, object) = (below(9) - 1, objects[below(4) as usize]);
            let player = (below(4) == 0).then_some((from, Team::Red));
            Hearsay { tile: Tile { position, distance, player, object }, age: below(2000) as u64 }
        });
        Command::Exchanged { from, to, tiles: tiles.collect() }
    }

    /// A request with a new id, or sometimes with an earlier one.
    fn request(&mut self, client: u32) -> Command {
        let again = self.random.next_below(10) == 0;
        let id = if again { self.random.next_below(self.steps as i32 + 1) as u32 } else { self.steps };
        let id = format!("{id}").into();
        let direction = self.direction(client);
        let game = self.trial.game();
        let Some(player) = game.player_of(CommId(client)) else { return Command::Discover { id } };
        let Some(position) = player.position else { return Command::Discover { id } };
        let wise = self.random.next_below(3) > 0;
        let at_home = game.ground().area().zone(position) == player.team.map(Zone::Goal);
        match player.load {
            None if wise && game.ground().piece_at(position).is_some() && !at_home => Command::PickUp { id },
            Some(_) if wise && at_home && self.random.next_below(3) == 0 => Command::Place { id },
            _ => match self.random.next_below(16) {
                0 => Command::Discover { id },
                1 => Command::Test { id },
                2 => Command::Place { id },
                3 => Command::PickUp { id },
                _ => Command::Move { id, direction },
            },
        }
    }

    /// Mostly a random direction. Otherwise a player with a piece goes home, and a player without one goes away from home.
    fn direction(&mut self, client: u32) -> Direction {
        let any = DIRECTIONS[self.random.next_below(4) as usize];
        let Some(player) = self.trial.game().player_of(CommId(client)) else { return any };
        let home = if player.team == Some(Team::Blue) { Direction::Down } else { Direction::Up };
        let away = if player.team == Some(Team::Blue) { Direction::Up } else { Direction::Down };
        match (self.random.next_below(3), player.load) {
            (0, Some(_)) => home,
            (0, None) => away,
            _ => any,
        }
    }
}
