//! The secrets of the board: the pieces, which of them are shams, and the goals.

use alloc::{collections::BTreeMap, vec::Vec};

use crate::{
    area::{Area, Zone},
    lots::Lots,
    setup::Setup,
    team::Team,
    words::Position,
};

/// The pieces and goals of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    area: Area,
    /// All pieces that lie on the board.
    pieces: BTreeMap<Position, Piece>,
    /// All goals, each with whether it is completed.
    goals: BTreeMap<Position, bool>,
}

/// A piece, which may be a sham.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Whether the piece is a sham.
    pub sham: bool,
}

impl Ground {
    /// Puts all pieces on different tiles of the task area.
    pub(crate) fn new(setup: &Setup, lots: &mut Lots) -> Self {
        let area = setup.area();
        let count = usize::try_from(setup.pieces).expect("a setup with a number of pieces");
        let mut tiles: Vec<Position> = area.tiles(Zone::Task).collect();
        lots.draw(&mut tiles, count);
        // The tiles are in random order, so the first pieces can be the shams.
        let pieces = (0..).zip(&tiles[..count]).map(|(at, tile)| (*tile, Piece { sham: at < setup.shams() })).collect();
        let goals = Team::BOTH.into_iter().flat_map(|team| setup.goals_of(team)).map(|goal| (goal, false)).collect();
        Self { area, pieces, goals }
    }

    /// The shape of the board.
    pub fn area(&self) -> Area {
        self.area
    }

    /// All pieces that lie on the board.
    pub fn pieces(&self) -> impl Iterator<Item = (Position, Piece)> {
        self.pieces.iter().map(|(at, piece)| (*at, *piece))
    }

    /// All goals, each with whether it is completed.
    pub fn goals(&self) -> impl Iterator<Item = (Position, bool)> {
        self.goals.iter().map(|(at, done)| (*at, *done))
    }

    /// The piece on a tile.
    pub fn piece_at(&self, at: Position) -> Option<Piece> {
        self.pieces.get(&at).copied()
    }

    /// Whether the goal on a tile is completed; `None` if the tile has no goal.
    pub fn goal_at(&self, at: Position) -> Option<bool> {
        self.goals.get(&at).copied()
    }

    /// The distance to the nearest piece in the task area; -1 if the task area has no piece.
    pub fn distance(&self, from: Position) -> i32 {
        self.in_task_area().map(|at| at.distance(from)).min().unwrap_or(-1)
    }

    /// The positions of the pieces in the task area.
    pub fn in_task_area(&self) -> impl Iterator<Item = Position> {
        self.pieces.keys().copied().filter(|at| self.area.zone(*at) == Some(Zone::Task))
    }

    /// The number of goals of a team that are not completed.
    pub fn open_goals(&self, team: Team) -> usize {
        let open = |(at, done): &(Position, bool)| !done && self.area.zone(*at) == Some(Zone::Goal(team));
        self.goals().filter(open).count()
    }

    /// The number of valid pieces on tiles that the team can enter.
    pub fn valid_for(&self, team: Team) -> usize {
        let other = Some(Zone::Goal(team.other()));
        self.pieces().filter(|(at, piece)| !piece.sham && self.area.zone(*at) != other).count()
    }

    /// The nearest tile of the task area without a piece. Ties go to the lowest tile, then to the leftmost.
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
