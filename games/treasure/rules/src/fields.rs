//! Sets of fields of a map.

use crate::map::Position;

/// The rows of the highest map.
const ROWS: usize = 10;

/// A set of fields of one map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// A bit for each column.
    rows: [u32; ROWS],
}

impl Fields {
    /// Whether a field is in the set.
    pub fn contains(&self, at: Position) -> bool {
        at.x < 32 && self.rows.get(usize::from(at.y)).is_some_and(|row| row >> at.x & 1 == 1)
    }

    /// The number of fields in the set.
    pub fn count(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }

    pub(crate) fn insert(&mut self, at: Position) {
        self.rows[usize::from(at.y)] |= 1 << at.x;
    }
}

impl Extend<Position> for Fields {
    fn extend<T: IntoIterator<Item = Position>>(&mut self, fields: T) {
        fields.into_iter().for_each(|at| self.insert(at));
    }
}
