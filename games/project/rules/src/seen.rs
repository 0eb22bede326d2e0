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
    /// The distance to the nearest piece in the task area when the tile was seen; -1 if there was none, or if it is unknown.
    pub distance: i32,
    /// The player on the tile, other than the player itself.
    pub player: Option<(u32, Team)>,
    /// Whether a piece lay there.
    pub piece: bool,
    /// What placing a piece has shown. It never changes.
    pub goal: Option<Goal>,
}

/// What placing a piece shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A goal is completed.
    Completed,
    /// There is no goal.
    Absent,
}

/// Tiles by their positions.
pub type Tiles = BTreeMap<Position, Seen>;

impl Seen {
    /// A tile of which nothing is known.
    pub(crate) const UNKNOWN: Self = Self { distance: -1, player: None, piece: false, goal: None };

    /// The tile as it is shared. What is known of a goal comes before a piece.
    pub fn tile(&self, position: Position) -> Tile {
        let object = match (self.goal, self.piece) {
            (Some(Goal::Completed), _) => TileObject::CompletedGoal,
            (Some(Goal::Absent), _) => TileObject::NonGoal,
            (None, true) => TileObject::Piece,
            (None, false) => TileObject::Nothing,
        };
        Tile { position, distance: self.distance, player: self.player, object }
    }

    /// Takes over a tile that was seen or shared.
    fn see(&mut self, tile: &Tile) {
        (self.distance, self.player) = (tile.distance, tile.player);
        match tile.object {
            TileObject::Nothing => self.piece = false,
            TileObject::Piece => self.piece = true,
            TileObject::CompletedGoal | TileObject::NonGoal => self.settle(tile.object),
        }
    }

    /// Takes over what placing has shown, at any time.
    fn settle(&mut self, object: TileObject) {
        match object {
            TileObject::CompletedGoal => self.goal = Some(Goal::Completed),
            TileObject::NonGoal => self.goal = Some(Goal::Absent),
            TileObject::Nothing | TileObject::Piece => {}
        }
    }
}

/// Takes over tiles that were seen or shared.
pub(crate) fn see<'t>(tiles: &mut Tiles, told: impl Iterator<Item = &'t Tile>) {
    told.for_each(|tile| tiles.entry(tile.position).or_insert(Seen::UNKNOWN).see(tile));
}

/// Learns a tile that another player saw at `at`. `known` is the tile as it was seen last, with its time. Returns the new
/// state with its time, or none if it is no news. An older sighting is no news, except for what placing has shown: that stays
/// true, and a player that only walked there later cannot know it.
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

/// Learns from an answer that a player gets at the position `at`. Returns the tiles that it knows better now.
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
