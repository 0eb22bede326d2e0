//! Chooses the tile of the goal area to try next.

use std::collections::BTreeSet;

use project_rules::{Area, Position, Team, Zone};

use super::walk::DIRECTIONS;

/// The tiles of a team's goal area in one line, column by column, so that each tile is next to the one before it.
pub(super) fn line(area: Area, team: Team) -> Vec<Position> {
    let mut tiles: Vec<Position> = area.tiles(Zone::Goal(team)).collect();
    tiles.sort_by_key(|tile| (tile.x, if tile.x % 2 == 0 { tile.y } else { -tile.y }));
    tiles
}

/// Divides a goal area among players as equally as possible. Columns are dealt out in turn, so that neighbouring goals go to
/// different players and each player has a goal nearby. The remaining columns are divided into parts.
pub(super) fn shares(area: Area, team: Team, players: usize) -> Vec<Vec<Position>> {
    let line = line(area, team);
    let players = players.max(1);
    let column = |tile: &Position| usize::try_from(tile.x).unwrap_or(0);
    let dealt = usize::try_from(area.width).unwrap_or(0) / players * players;
    let (round, rest): (Vec<Position>, Vec<Position>) = line.into_iter().partition(|tile| column(tile) < dealt);
    let share = |player: usize| {
        let columns = round.iter().filter(|tile| column(tile) % players == player).copied();
        columns.chain(part(&rest, players, player)).collect()
    };
    (0..players).map(share).collect()
}

/// The part of a line of tiles that one of the players gets.
pub(super) fn part(line: &[Position], players: usize, player: usize) -> Vec<Position> {
    let cut = |at: usize| at * line.len() / players;
    line[cut(player)..cut(player + 1)].to_vec()
}

/// The nearest tile. Ties go to the tile with the fewest neighbours, so that no isolated tile is left over.
pub(super) fn nearest(from: Position, tiles: &BTreeSet<Position>) -> Option<Position> {
    let least = tiles.iter().map(|tile| tile.distance(from)).min()?;
    let beside = |tile: Position| DIRECTIONS.into_iter().filter(|way| tiles.contains(&tile.toward(*way))).count();
    tiles.iter().copied().filter(|tile| tile.distance(from) == least).min_by_key(|tile| beside(*tile))
}
