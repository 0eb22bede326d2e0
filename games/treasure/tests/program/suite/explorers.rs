//! Two players of the treasure game who know all secrets and go straight to their goals, so that a game always ends.

//! They do not use the project's bots, so these games stay the same when the bots improve.

use std::collections::BTreeMap;

use engine::{CommId, Rulebook as _};
use treasure_rules::{Chart, Coding, Command, Direction, Field, Game, Player, Position, Terrain, Year};

/// The halves of both players: `F` is the fort on grass, `^` a mountain, `~` water.
const HALVES_2022: [&[&str]; 2] = [
    &[".^....^...", "^..~...~..", "~...~.....", "~..~~^...~", "...F.....^"],
    &[".~.~~...^.", "......~...", "^...^~....", ".~.F.....^", ".~^.^....."],
];
const HALVES_2017: [&[&str]; 2] =
    [&["^.~....^", "......~F", "......^.", "..~~...."], &["..~~.^^.", "^.~~..^.", "F.~~...^", "........"]];

/// The next client and its command. `None` if the game is over.
pub(crate) fn next(game: &Game) -> Option<(CommId, Command)> {
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
    if game.private(player)?.fort.is_some() {
        return Some((client, step(game, player)?));
    }
    let (halves, coding) = match game.public().profile().year {
        Year::Y2022 => (HALVES_2022, None),
        Year::Y2017 => (HALVES_2017, Some(Coding::Letters)),
    };
    Some((client, Command::SendHalf { fields: fields(halves[player as usize]), coding }))
}

fn fields(rows: &[&str]) -> Vec<Field> {
    let row = |(y, row): (u8, &&str)| {
        let field = move |(x, letter): (u8, char)| {
            let terrain = match letter {
                '^' => Terrain::Mountain,
                '~' => Terrain::Water,
                _ => Terrain::Grass,
            };
            Field { at: Position::new(x, y), terrain, fort: letter == 'F' }
        };
        (0..).zip(row.chars()).map(field).collect::<Vec<_>>()
    };
    (0..).zip(rows).flat_map(row).collect()
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
    let (board, private) = (game.public(), game.private(player)?);
    let (chart, at) = (board.chart()?, private.at?);
    let goal = if private.collected { game.private(player.other())?.fort } else { game.treasure(player) };
    let direction = toward(chart, at, goal?, u32::from(board.profile().counts_down))?;
    if !board.profile().counts_down {
        return Some(Command::Move { direction });
    }
    // Both wait once.
    if board.actions() < 2 {
        return Some(update(at, at, 0));
    }
    let left = private.progress.filter(|progress| progress.direction == direction).map(|progress| progress.left - 1);
    let turns = left.unwrap_or_else(|| chart.cost(at, direction));
    Some(update(at, chart.step(at, direction)?, turns.into()))
}

/// The first step of a cheapest way. Each step costs `more` in addition to its fields.
fn toward(chart: &Chart, from: Position, goal: Position, more: u32) -> Option<Direction> {
    let ways = |at: Position| {
        let way =
            move |direction| Some((direction, chart.step(at, direction)?, u32::from(chart.cost(at, direction)) + more));
        let is_dry = |(_, to, _): &(Direction, Position, u32)| chart.terrain(*to) != Some(Terrain::Water);
        Direction::ALL.into_iter().filter_map(way).filter(is_dry)
    };
    let mut costs = BTreeMap::from([(goal, 0)]);
    loop {
        // Updates the cost of a field from its neighbours, until no cost decreases any more.
        let cheaper = chart.fields().find_map(|(at, _)| {
            let cost = ways(at).filter_map(|(_, to, step)| Some(costs.get(&to)? + step)).min()?;
            costs.get(&at).is_none_or(|known| cost < *known).then_some((at, cost))
        });
        let Some((at, cost)) = cheaper else { break };
        costs.insert(at, cost);
    }
    let is_best =
        |(_, to, step): &(Direction, Position, u32)| costs.get(to).map(|rest| rest + step) == costs.get(&from).copied();
    ways(from).find(is_best).map(|(direction, ..)| direction)
}

fn update(at: Position, to: Position, turns: i32) -> Command {
    Command::Update { x: at.x.into(), y: at.y.into(), wanted_x: to.x.into(), wanted_y: to.y.into(), turns }
}
