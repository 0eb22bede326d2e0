//! Tiles as a player knows them from what it was told.

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
    /// To the nearest piece in the task area when the tile was seen; -1 without one, or when it was never told.
    pub distance: i32,
    /// Who stood there, but for the player itself.
    pub player: Option<(u32, Team)>,
    /// Whether a piece lay there.
    pub piece: bool,
    /// What placing has told; it stays true for ever.
    pub goal: Option<Goal>,
}

/// What somebody found out by placing a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    Completed,
    /// There is none.
    Absent,
}

/// Tiles by where they are.
pub type Tiles = BTreeMap<Position, Seen>;

impl Seen {
    /// A tile of which nothing is known.
    pub(crate) const UNKNOWN: Self = Self { distance: -1, player: None, piece: false, goal: None };

    /// As it is told to others. Where a goal is done, or none is, that counts for more than a piece.
    pub fn tile(&self, position: Position) -> Tile {
        let object = match (self.goal, self.piece) {
            (Some(Goal::Completed), _) => TileObject::CompletedGoal,
            (Some(Goal::Absent), _) => TileObject::NonGoal,
            (None, true) => TileObject::Piece,
            (None, false) => TileObject::Nothing,
        };
        Tile { position, distance: self.distance, player: self.player, object }
    }

    /// The tile was seen, or somebody tells of it.
    fn see(&mut self, tile: &Tile) {
        (self.distance, self.player) = (tile.distance, tile.player);
        match tile.object {
            TileObject::Nothing => self.piece = false,
            TileObject::Piece => self.piece = true,
            TileObject::CompletedGoal | TileObject::NonGoal => self.settle(tile.object),
        }
    }

    /// Somebody tells what placing has told, whenever that was.
    fn settle(&mut self, object: TileObject) {
        match object {
            TileObject::CompletedGoal => self.goal = Some(Goal::Completed),
            TileObject::NonGoal => self.goal = Some(Goal::Absent),
            TileObject::Nothing | TileObject::Piece => {}
        }
    }
}

/// Tiles were seen, or somebody tells of them.
pub(crate) fn see<'t>(tiles: &mut Tiles, told: impl Iterator<Item = &'t Tile>) {
    told.for_each(|tile| tiles.entry(tile.position).or_insert(Seen::UNKNOWN).see(tile));
}

/// What the word of another player makes of a tile that somebody saw at `at`, and when that was seen; nothing if it is no
/// news. Known is the tile as it was seen last, and when. What is older changes nothing, but for what placing has told, which
/// stays true: somebody who only walked there later cannot know it.
pub(crate) fn learn(known: Option<(Seen, u64)>, tile: &Tile, at: u64) -> Option<(Seen, u64)> {
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

/// A player that stands at `at` when it hears an answer learns from it. Gives the tiles of which it knows more.
pub(crate) fn hear(tiles: &mut Tiles, area: Area, at: Position, answer: &Answer) -> Vec<Position> {
    let mut own = |change: &dyn Fn(&mut Seen)| {
        change(tiles.entry(at).or_insert(Seen::UNKNOWN));
        Vec::from([at])
    };
    match answer {
        Answer::Moved { success: true, distance: Some(distance), .. } => own(&|seen| {
            (seen.distance, seen.player) = (*distance, None);
            // Of pieces in a goal area the distance says nothing.
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
