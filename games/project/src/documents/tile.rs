//! Tiles in messages.

use project_rules::{Tile, TileObject};
use xml::{Element, Problem, Writer};

use super::strict::{Parts, TEAMS, int, int_attribute, one_of, only, position};

/// Objects in messages of the Game Master.
pub(super) const MASTER_OBJECTS: [(&str, TileObject); 2] =
    [("Nothing", TileObject::Nothing), ("Piece", TileObject::Piece)];

/// Objects in messages between players.
pub(super) const PLAYER_OBJECTS: [(&str, TileObject); 4] = [
    ("Nothing", TileObject::Nothing),
    ("Piece", TileObject::Piece),
    ("CompletedGoal", TileObject::CompletedGoal),
    ("NonGoal", TileObject::NonGoal),
];

/// Reads the children that all kinds of tiles have.
pub(super) fn tile(parts: &mut Parts<'_, '_>, objects: &[(&str, TileObject)]) -> Result<Tile, Problem> {
    Ok(Tile {
        position: position(parts.required("Position")?)?,
        distance: int(parts.required("Distance")?)?,
        player: parts.optional("Player").map(player).transpose()?,
        object: one_of(parts.required("TileObject")?, objects)?,
    })
}

/// The id and team of a player.
pub(super) fn player(element: &Element<'_>) -> Result<(u32, project_rules::Team), Problem> {
    let mut parts = Parts::new(element, &["id"])?;
    let id = int_attribute(element, "id")?;
    let negative = |_| element.problem(format!("attribute id of <Player> is {id}, and has to be 0 or more"));
    let team = one_of(parts.required("Team")?, &TEAMS)?;
    parts.end()?;
    Ok((u32::try_from(id).map_err(negative)?, team))
}

/// The elements of a list of tiles, at least one.
pub(super) fn tiles<'e, 'x>(element: &'e Element<'x>, most: usize) -> Result<&'e [Element<'x>], Problem> {
    let mut parts = Parts::new(only(element, "Tiles")?, &[])?;
    let tiles = parts.repeated("Tile", most)?;
    parts.end()?;
    Ok(tiles)
}

pub(super) fn write_tile(writer: &mut Writer, tile: &Tile) {
    write_position(writer, "Position", tile.position);
    writer.leaf("Distance", tile.distance);
    if let Some((id, team)) = tile.player {
        write_player(writer, id, team);
    }
    writer.leaf("TileObject", word(&PLAYER_OBJECTS, tile.object));
}

pub(super) fn write_player(writer: &mut Writer, id: u32, team: project_rules::Team) {
    writer.open("Player").attribute("id", id).leaf("Team", word(&TEAMS, team)).close("Player");
}

pub(super) fn write_position(writer: &mut Writer, name: &str, position: project_rules::Position) {
    writer.open(name).leaf("X", position.x).leaf("Y", position.y).close(name);
}

/// The word for a value in a table that has all values.
pub(super) fn word<T: PartialEq>(table: &[(&'static str, T)], value: T) -> &'static str {
    table.iter().find(|(_, known)| *known == value).map_or("", |(word, _)| word)
}
