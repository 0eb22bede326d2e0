//! The truth about the board: where pieces lie, which are shams, and which goals are done.

use alloc::{collections::BTreeMap, vec::Vec};

use crate::{
    area::{Area, Zone},
    lots::Lots,
    setup::Setup,
    team::Team,
    words::Position,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    area: Area,
    /// Every piece that lies somewhere.
    pieces: BTreeMap<Position, Piece>,
    /// Each goal, and whether it is done.
    goals: BTreeMap<Position, bool>,
}

/// A piece, which may be a sham.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub sham: bool,
}

impl Ground {
    /// All pieces lie on different tiles of the task area.
    pub(crate) fn new(setup: &Setup, lots: &mut Lots) -> Self {
        let area = setup.area();
        let count = usize::try_from(setup.pieces).expect("a setup with a number of pieces");
        let mut tiles: Vec<Position> = area.tiles(Zone::Task).collect();
        lots.draw(&mut tiles, count);
        // In the order in which they were drawn any of them could be a sham.
        let pieces = (0..).zip(&tiles[..count]).map(|(at, tile)| (*tile, Piece { sham: at < setup.shams() })).collect();
        let goals = Team::BOTH.into_iter().flat_map(|team| setup.goals_of(team)).map(|goal| (goal, false)).collect();
        Self { area, pieces, goals }
    }

    pub fn area(&self) -> Area {
        self.area
    }

    pub fn pieces(&self) -> impl Iterator<Item = (Position, Piece)> {
        self.pieces.iter().map(|(at, piece)| (*at, *piece))
    }

    /// Every goal, and whether it is done.
    pub fn goals(&self) -> impl Iterator<Item = (Position, bool)> {
        self.goals.iter().map(|(at, done)| (*at, *done))
    }

    pub fn piece_at(&self, at: Position) -> Option<Piece> {
        self.pieces.get(&at).copied()
    }

    /// Whether a goal is there, and done.
    pub fn goal_at(&self, at: Position) -> Option<bool> {
        self.goals.get(&at).copied()
    }

    /// To the nearest piece that lies in the task area; -1 without one.
    pub fn distance(&self, from: Position) -> i32 {
        self.in_task_area().map(|at| at.distance(from)).min().unwrap_or(-1)
    }

    pub fn in_task_area(&self) -> impl Iterator<Item = Position> {
        self.pieces.keys().copied().filter(|at| self.area.zone(*at) == Some(Zone::Task))
    }

    /// Goals of a team that are not done.
    pub fn open_goals(&self, team: Team) -> usize {
        let open = |(at, done): &(Position, bool)| !done && self.area.zone(*at) == Some(Zone::Goal(team));
        self.goals().filter(open).count()
    }

    /// Pieces that lie where a team can go and are no shams.
    pub fn valid_for(&self, team: Team) -> usize {
        let other = Some(Zone::Goal(team.other()));
        self.pieces().filter(|(at, piece)| !piece.sham && self.area.zone(*at) != other).count()
    }

    /// The nearest tile of the task area without a piece; of several the lowest, then the leftmost.
    pub(crate) fn nearest_free(&self, from: Position) -> Option<Position> {
        let free = self.area.tiles(Zone::Task).filter(|tile| !self.pieces.contains_key(tile));
        free.min_by_key(|tile| tile.distance(from))
    }

    pub(crate) fn put(&mut self, at: Position, piece: Piece) {
        let before = self.pieces.insert(at, piece);
        assert!(before.is_none(), "no two pieces lie at {at}");
    }

    pub(crate) fn take(&mut self, at: Position) -> Option<Piece> {
        self.pieces.remove(&at)
    }

    pub(crate) fn complete(&mut self, goal: Position) {
        let before = self.goals.insert(goal, true);
        assert_eq!(before, Some(false), "an open goal is at {goal}");
    }
}
