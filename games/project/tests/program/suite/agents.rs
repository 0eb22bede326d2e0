//! Players that see the whole state. Blue places any piece without testing it; Red tests each piece.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use engine::{Cause, CommId, Rulebook as _, TimerChange};
use project_rules::{Command, Direction, Game, Player, Position, Team, Timer, Zone};

/// One against one. New pieces keep appearing, and half of them are shams.
pub(crate) const SCENARIO: &str = r#"{"width": 4, "height": 8, "players_per_team": 1, "pieces": 4, "shams_percentage": 50,
    "goals": [{"x": 0, "y": 1}, {"x": 3, "y": 0}], "respawn_interval": 900, "no_progress": 600000,
    "costs": {"move": 100, "discover": 450, "test": 500, "pick_up": 100, "place": 100}}"#;

#[derive(Default)]
pub(crate) struct Agents {
    /// When each timer is due.
    timers: BTreeMap<Timer, u64>,
    clock: u64,
    requests: u32,
}

impl Agents {
    /// Applies the game's changes of timers.
    pub(crate) fn follow(&mut self, changes: &[TimerChange<Timer>]) {
        for change in changes {
            match change {
                TimerChange::Set { timer, after_ms } => _ = self.timers.insert(*timer, self.clock + after_ms),
                TimerChange::Cancelled { timer } => _ = self.timers.remove(timer),
            }
        }
    }

    /// The next input and its time: an idle player makes a request, otherwise the first timer fires.
    pub(crate) fn next(&mut self, game: &Game) -> Option<(u64, Cause<Command, Timer>)> {
        if game.outcome().is_some() {
            return None;
        }
        let is_idle = |client: &CommId| {
            let waits = |player: &Player| player.team.is_some() && player.position.is_none();
            game.player_of(*client).is_none_or(|player| player.doing().is_none() && !waits(player))
        };
        if let Some(client) = [CommId(1), CommId(2)].into_iter().find(is_idle) {
            self.requests += 1;
            self.clock += 10;
            let command = command(game, client, self.requests);
            return Some((self.clock, Cause::Command { client, command }));
        }
        let (timer, due) = self.timers.iter().min_by_key(|(_, due)| **due).map(|(timer, due)| (*timer, *due))?;
        self.timers.remove(&timer);
        self.clock = self.clock.max(due);
        Some((self.clock, Cause::Timer { timer }))
    }
}

pub(crate) fn join(client: CommId) -> Command {
    Command::Join { hash: format!("hash-of-{client}").into() }
}

fn command(game: &Game, client: CommId, request: u32) -> Command {
    let id = format!("request-{request}").into();
    let Some(player) = game.player_of(client) else { return join(client) };
    let (Some(team), Some(at)) = (player.team, player.position) else {
        return Command::ChooseTeam { id, team: if client == CommId(1) { Team::Blue } else { Team::Red } };
    };
    let ground = game.ground();
    let is_piece = |tile: Position| ground.piece_at(tile).is_some() && ground.area().zone(tile) == Some(Zone::Task);
    let is_goal =
        |tile: Position| ground.goal_at(tile) == Some(false) && ground.area().zone(tile) == Some(Zone::Goal(team));
    let way = match player.load {
        None if is_piece(at) => return Command::PickUp { id },
        None => way(game, player, is_piece),
        Some(load) if team == Team::Red && !load.tested => return Command::Test { id },
        Some(_) if is_goal(at) => return Command::Place { id },
        Some(_) => way(game, player, is_goal),
    };
    match way {
        Some(direction) => Command::Move { id, direction },
        None => Command::Discover { id },
    }
}

/// The first step of a path to the nearest wanted tile.
fn way(game: &Game, player: &Player, is_wanted: impl Fn(Position) -> bool) -> Option<Direction> {
    let (start, theirs) = (player.position?, Zone::Goal(player.team?.other()));
    let is_open = |tile: Position| {
        let zone = game.ground().area().zone(tile);
        zone.is_some_and(|zone| zone != theirs) && game.pawn_at(tile).is_none()
    };
    let (mut ways, mut seen) = (VecDeque::from([(start, None)]), BTreeSet::from([start]));
    while let Some((tile, first)) = ways.pop_front() {
        if is_wanted(tile) && first.is_some() {
            return first;
        }
        for direction in [Direction::Left, Direction::Up, Direction::Right, Direction::Down] {
            let next = tile.toward(direction);
            if is_open(next) && seen.insert(next) {
                ways.push_back((next, first.or(Some(direction))));
            }
        }
    }
    None
}
