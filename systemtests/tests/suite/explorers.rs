//! Two players of the treasure game who know what nobody can know and go straight there, so that a game comes to its end.

use clients::treasure::{
    half,
    land::{Land, Roads},
};
use engine::{CommId, JavaRandom, Rulebook as _};
use treasure::{Coding, Command, Field, Game, Player, Position, Profile};

pub(crate) struct Explorers {
    halves: [Vec<Field>; 2],
}

impl Explorers {
    pub(crate) fn new(profile: &Profile, seed: i64) -> Self {
        let mut random = JavaRandom::new(seed);
        Self { halves: [(); 2].map(|()| half::random(profile, &mut random).fields()) }
    }

    /// Who sends what next, until the game is over.
    pub(crate) fn next(&self, game: &Game) -> Option<(CommId, Command)> {
        if game.outcome().is_some() {
            return None;
        }
        let players = game.players();
        if players.len() < 2 {
            return Some(register(players.len()));
        }
        let builds = players.iter().find(|member| member.start.is_none());
        let client = game.turn().or(builds.map(|member| member.client))?;
        let player = game.player_of(client)?;
        if game.mine(player)?.fort.is_none() {
            let coding = game.public().profile().counts_down.then_some(Coding::Letters);
            return Some((client, Command::SendHalf { fields: self.halves[player as usize].clone(), coding }));
        }
        Some((client, step(game, player)?))
    }
}

fn register(number: usize) -> (CommId, Command) {
    let [first_name, last_name, account] = [["Ana", "Alm", "01500001"], ["Bo", "Berg", "01500002"]][number];
    let command = Command::Register {
        id: format!("id-of-{account}").into(),
        first_name: first_name.into(),
        last_name: last_name.into(),
        account: account.into(),
    };
    (CommId(number as u32 + 1), command)
}

fn step(game: &Game, player: Player) -> Option<Command> {
    let (board, mine) = (game.public(), game.mine(player)?);
    let (chart, at) = (board.chart()?, mine.at?);
    let goal = if mine.collected { game.mine(player.other())?.fort } else { game.treasure(player) };
    let land = Land::new(chart.width().into(), chart.fields().map(|(_, terrain)| terrain).collect());
    let here = land.place(at)?;
    let way = Roads::new(&land, board.profile()).way(here, land.place(goal?)?);
    let direction = land.towards(here, *way.first()?)?;
    if !board.profile().counts_down {
        return Some(Command::Move { direction });
    }
    // Both wait once, as nobody does who is in a hurry.
    if board.actions() < 2 {
        return Some(update(at, at, 0));
    }
    let left = mine.progress.filter(|progress| progress.direction == direction).map(|progress| progress.left - 1);
    let turns = left.unwrap_or_else(|| chart.cost(at, direction));
    Some(update(at, chart.step(at, direction)?, turns.into()))
}

fn update(at: Position, to: Position, turns: i32) -> Command {
    Command::Update { x: at.x.into(), y: at.y.into(), wanted_x: to.x.into(), wanted_y: to.y.into(), turns }
}
