//! A source of inputs for random games: sensible ones, and sometimes any input.

use engine::{Cause, CommId, JavaRandom, Rulebook};
use treasure_rules::{Coding, Command, Direction, Field, Game, Player, Position, Timer, half};

use crate::ways::{is_dry, toward};

/// Chooses the inputs of all clients of a game: sensible ones, and sometimes any input.
pub(crate) struct Wanderer {
    pub(crate) random: JavaRandom,
    /// One in this number of commands is any command.
    folly: i32,
    /// Whether players go straight to secret places.
    knows: bool,
}

impl Wanderer {
    pub(crate) fn new(seed: i64) -> Self {
        let mut random = JavaRandom::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed()));
        let folly = [5, 40, 400, 100_000][random.next_below(4) as usize];
        Self { knows: random.next_below(3) == 0, folly, random }
    }

    pub(crate) fn next(&mut self, game: &Game) -> Cause<Command, Timer> {
        if game.outcome().is_none()
            && self.random.next_below(self.folly * 4) == 0
            && let Some(timer) = self.timer(game)
        {
            return Cause::Timer { timer };
        }
        if self.random.next_below(self.folly) == 0 {
            let client = CommId(self.random.next_below(5) as u32);
            return Cause::Command { client, command: self.anything(game) };
        }
        let (client, command) = self.sense(game);
        Cause::Command { client, command }
    }

    /// A timer that is set now, if any.
    fn timer(&mut self, game: &Game) -> Option<Timer> {
        let board = game.public();
        let acting = if board.has_begun() { Timer::Think } else { Timer::Lobby };
        let is_set = if board.has_begun() { board.setup().think_ms() } else { board.setup().lobby_ms() }.is_some();
        let whole = board.profile().game_ms.map(|_| Timer::Game);
        if is_set && (whole.is_none() || self.random.next_boolean()) { Some(acting) } else { whole }
    }

    /// The command of a good client.
    fn sense(&mut self, game: &Game) -> (CommId, Command) {
        let board = game.public();
        let Some(client) = game.turn() else {
            return match game.players().iter().find(|member| member.start.is_none() && board.has_begun()) {
                Some(member) => (member.client, self.half(game)),
                None => (CommId(1 + self.random.next_below(4) as u32), self.register()),
            };
        };
        let player = game.player_of(client).expect("it plays");
        if board.entrant(player).is_some_and(|entrant| !entrant.half) {
            return (client, self.half(game));
        }
        (client, self.step(game, player).unwrap_or(Command::Garbled { problem: "no way".into() }))
    }

    fn step(&mut self, game: &Game, player: Player) -> Option<Command> {
        let (chart, private) = (game.public().chart()?, game.private(player)?);
        let at = private.at?;
        let goal = if private.collected { game.private(player.other())?.fort } else { game.treasure(player) };
        let going = private.progress.map(|progress| progress.direction);
        let direction = match going {
            Some(direction) if self.random.next_below(20) > 0 => direction,
            Some(_) | None if self.knows => toward(chart, at, goal?)?,
            Some(_) | None => {
                let dry = |direction: &Direction| chart.step(at, *direction).is_some_and(|to| is_dry(chart, to));
                let ways: Vec<Direction> = Direction::ALL.into_iter().filter(dry).collect();
                ways[self.random.next_below(ways.len() as i32) as usize]
            }
        };
        if !game.public().profile().counts_down {
            return Some(Command::Move { direction });
        }
        let left =
            private.progress.filter(|progress| progress.direction == direction).map(|progress| progress.left - 1);
        let turns = i32::from(left.unwrap_or_else(|| chart.cost(at, direction)));
        Some(update(at, step(direction), turns))
    }

    fn half(&mut self, game: &Game) -> Command {
        let fields = half::random(game.public().profile(), &mut self.random);
        Command::SendHalf { fields, coding: [None, Some(Coding::Digits0)][self.random.next_below(2) as usize] }
    }

    fn register(&mut self) -> Command {
        let name = ["", "Ana", "Bo", "Cleo", "Dora"][self.random.next_below(5) as usize];
        let id = self.random.next_long().to_string().into();
        Command::Register { id, first_name: name.into(), last_name: "Test".into(), account: "x".into() }
    }

    fn anything(&mut self, game: &Game) -> Command {
        let direction = Direction::ALL[self.random.next_below(4) as usize];
        match self.random.next_below(12) {
            0 => self.register(),
            1 => self.half(game),
            2 => Command::SendHalf { fields: self.bad_half(game), coding: None },
            3..6 => Command::Move { direction },
            6..10 => self.some_update(game, direction),
            10 => Command::Garbled { problem: "?".into() },
            _ => Command::Remove {},
        }
    }

    fn bad_half(&mut self, game: &Game) -> Vec<Field> {
        let mut fields = half::random(game.public().profile(), &mut self.random);
        fields.truncate(self.random.next_below(30) as usize);
        fields
    }

    fn some_update(&mut self, game: &Game, direction: Direction) -> Command {
        let player = game.public().turn().unwrap_or(Player::First);
        let at = game.private(player).and_then(|private| private.at).unwrap_or(Position::new(0, 0));
        let (dx, dy) = step(direction);
        let left = game
            .private(player)
            .and_then(|private| private.progress)
            .map_or(2, |progress| i32::from(progress.left) - 1);
        match self.random.next_below(8) {
            0 => update(Position::new(at.x + 1, at.y), (dx, dy), left),
            1 => update(at, (dx * 2, dy), left),
            2 => update(at, (0, 0), left),
            3 => update(at, (dx, dy), left + 1),
            _ => update(at, (dx, dy), left),
        }
    }
}

fn step(direction: Direction) -> (i32, i32) {
    match direction {
        Direction::Up => (0, -1),
        Direction::Down => (0, 1),
        Direction::Left => (-1, 0),
        Direction::Right => (1, 0),
    }
}

fn update(at: Position, (dx, dy): (i32, i32), turns: i32) -> Command {
    let (x, y) = (i32::from(at.x), i32::from(at.y));
    Command::Update { x, y, wanted_x: x + dx, wanted_y: y + dy, turns }
}
