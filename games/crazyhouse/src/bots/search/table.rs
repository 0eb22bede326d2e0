//! The transposition table: a cache of results for positions. It is allocated once; newer and deeper results replace older
//! ones.

use crazyhouse_rules::{Kind, Position, Side};

/// Whether a score is exact, a lower bound or an upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// The cached result of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The code of the best move.
    pub(super) best: u16,
    pub(super) score: i32,
    pub(super) depth: i32,
    pub(super) bound: Bound,
}

/// Pairs of entries: the first keeps the deepest result, the second the latest one.
pub(super) struct Table {
    /// The key of the position, and its result in one word: move, score, depth, bound and generation from the lowest bits up.
    places: Vec<[u64; 2]>,
    generation: u64,
}

/// 8 MiB.
const PAIRS: usize = 1 << 18;

impl Table {
    pub(super) fn new() -> Self {
        Self { places: vec![[0; 2]; 2 * PAIRS], generation: 0 }
    }

    /// Marks all present entries as old.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % 64;
    }

    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<Known> {
        let at = place(key);
        let [_, word] = *self.places[at..at + 2].iter().find(|[found, word]| *found == key && *word != 0)?;
        let bound = match word >> 40 & 3 {
            0 => Bound::Exact,
            1 => Bound::AtLeast,
            _ => Bound::AtMost,
        };
        let score = (word >> 16) as u16;
        Some(Known { best: word as u16, score: score.cast_signed().into(), depth: (word >> 32) as i32 & 255, bound })
    }

    #[inline]
    pub(super) fn keep(&mut self, key: u64, known: Known) {
        let score = (known.score as i16).cast_unsigned();
        let depth = known.depth.clamp(0, 255) as u64;
        let word = u64::from(known.best)
            | u64::from(score) << 16
            | depth << 32
            | (known.bound as u64) << 40
            | self.generation << 42
            | 1 << 48;
        let at = place(key);
        let [first, old] = self.places[at];
        let is_deeper = first == key || old >> 42 & 63 != self.generation || old >> 32 & 255 <= depth;
        self.places[at + usize::from(!is_deeper)] = [key, word];
    }
}

fn place(key: u64) -> usize {
    (key as usize % PAIRS) * 2
}

/// A hash of a position. Collisions are very rare.
#[inline]
pub(super) fn key(position: &Position) -> u64 {
    let mut key = match position.turn() {
        Side::White => 0x9e37_79b9_7f4a_7c15,
        Side::Black => 0xd1b5_4a32_d192_ed03,
    };
    for kind in Kind::ALL {
        key = mixed(key ^ position.pieces(Side::White, kind), position.pieces(Side::Black, kind));
    }
    let pocket = |side| {
        let add = |sum: u64, kind| sum << 12 ^ u64::from(position.held(side, kind));
        Kind::HELD.into_iter().fold(0, add)
    };
    mixed(key ^ pocket(Side::White), pocket(Side::Black))
}

/// Mixes two words: the XOR of both halves of their product.
#[inline]
fn mixed(one: u64, other: u64) -> u64 {
    let product = u128::from(one ^ 0xa076_1d64_78bd_642f) * u128::from(other ^ 0xe703_7ed1_a0b4_28db);
    (product >> 64) as u64 ^ product as u64
}
