//! The tiles that a player knows.

use alloc::{collections::BTreeMap, vec::Vec};

use crate::{
    answer::Answer,
    area::{Area, Zone},
    team::Team,
    words::{Placed, Position, Tile, TileObject},
};

/// A tile as a player knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The distance to the nearest piece in the task area when the tile was seen; -1 if there was no piece, or if it is
    /// unknown.
    pub distance: i32,
    /// The player on the tile. Never the player who has this knowledge.
    pub player: Option<(u32, Team)>,
    /// Whether a piece lay on the tile.
    pub piece: bool,
    /// The result of placing a piece on the tile. It never changes.
    pub goal: Option<Goal>,
}

/// The result of placing a piece on a tile, as far as it concerns goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The tile has a goal, which is completed.
    Completed,
    /// The tile has no goal.
    Absent,
}

/// Tiles by their positions.
pub type Tiles = BTreeMap<Position, Seen>;

impl Seen {
    /// A tile about which nothing is known.
    pub(crate) const UNKNOWN: Self = Self { distance: -1, player: None, piece: false, goal: None };

    /// The tile in the form in which it is shared. If both a goal result and a piece are known, it contains the goal result.
    pub fn tile(&self, position: Position) -> Tile {
        let object = match (self.goal, self.piece) {
            (Some(Goal::Completed), _) => TileObject::CompletedGoal,
            (Some(Goal::Absent), _) => TileObject::NonGoal,
            (None, true) => TileObject::Piece,
            (None, false) => TileObject::Nothing,
        };
        Tile { position, distance: self.distance, player: self.player, object }
    }

    /// Updates this tile from a tile that was seen or shared.
    fn see(&mut self, tile: &Tile) {
        (self.distance, self.player) = (tile.distance, tile.player);
        match tile.object {
            TileObject::Nothing => self.piece = false,
            TileObject::Piece => self.piece = true,
            TileObject::CompletedGoal | TileObject::NonGoal => self.settle(tile.object),
        }
    }

    /// Stores the result of placing a piece. It stays true, so the time of the sighting does not matter.
    fn settle(&mut self, object: TileObject) {
        match object {
            TileObject::CompletedGoal => self.goal = Some(Goal::Completed),
            TileObject::NonGoal => self.goal = Some(Goal::Absent),
            TileObject::Nothing | TileObject::Piece => {}
        }
    }
}

/// Updates the tiles from tiles that were seen or shared.
pub(crate) fn see<'t>(tiles: &mut Tiles, told: impl Iterator<Item = &'t Tile>) {
    told.for_each(|tile| tiles.entry(tile.position).or_insert(Seen::UNKNOWN).see(tile));
}

/// Updates a tile that another player saw at the time `at`. `known` is the last known state of the tile, with its time. Returns
/// the new state with its time, or `None` if the sighting is not news. An older sighting is news only if it contains the result
/// of placing a piece: that result stays true, and a player that only walks over the tile later cannot know it.
pub(crate) fn learn_tile(known: Option<(Seen, u64)>, tile: &Tile, at: u64) -> Option<(Seen, u64)> {
    let (mut seen, newest) = known.map_or((Seen::UNKNOWN, None), |(seen, newest)| (seen, Some(newest)));
    match newest {
        Some(newest) if newest >= at => {
            let settles = matches!(tile.object, TileObject::CompletedGoal | TileObject::NonGoal);
            if seen.goal.is_some() || !settles {
                return None;
            }
            seen.settle(tile.object);
            Some((seen, newest))
        }
        Some(_) | None => {
            seen.see(tile);
            Some((seen, at))
        }
    }
}

/// Updates the tiles from an answer that a player gets at the position `at`. Returns the positions of the updated tiles.
pub(crate) fn learn_answer(tiles: &mut Tiles, area: Area, at: Position, answer: &Answer) -> Vec<Position> {
    let mut own = |change: &dyn Fn(&mut Seen)| {
        change(tiles.entry(at).or_insert(Seen::UNKNOWN));
        Vec::from([at])
    };
    match answer {
        Answer::Moved { success: true, distance: Some(distance), .. } => own(&|seen| {
            (seen.distance, seen.player) = (*distance, None);
            // The distance ignores pieces in goal areas.
            if area.zone(at) == Some(Zone::Task) {
                seen.piece = *distance == 0;
            }
        }),
        Answer::Discovered { tiles: told } => {
            see(tiles, told.iter());
            told.iter().map(|tile| tile.position).collect()
        }
        Answer::PickedUp { success } => own(&|seen| seen.piece &= !success),
        Answer::Placed { result: Placed::Completed } => own(&|seen| seen.goal = Some(Goal::Completed)),
        Answer::Placed { result: Placed::Meaningless } => {
            own(&|seen| (seen.goal, seen.piece) = (Some(Goal::Absent), true))
        }
        Answer::Moved { .. } | Answer::Tested { .. } | Answer::Placed { .. } | Answer::Silence => Vec::new(),
    }
}
