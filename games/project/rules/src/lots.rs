//! Random positions, from BLAKE3 with the seed as its key.
//!
//! [`engine::JavaRandom`] is not secure enough: it has 48 bits of state, and ten start positions in a goal area of 200 tiles
//! reveal 76 bits. A team could compute the state from them, and then find every piece and every sham.

/// A random generator whose numbers cannot be predicted without the seed, even from earlier numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lots {
    key: [u8; 32],
    drawn: u64,
}

impl Lots {
    pub(crate) fn new(seed: i64) -> Self {
        Self {
            key: blake3::derive_key("holdfast project 2025 places of pieces and players", &seed.to_le_bytes()),
            drawn: 0,
        }
    }

    /// A number below `bound`. The bias is negligible because `bound` is far below 2^64.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is something to draw from");
        let hash = blake3::keyed_hash(&self.key, &self.drawn.to_le_bytes());
        self.drawn += 1;
        let mut word = [0; 8];
        word.copy_from_slice(&hash.as_bytes()[..8]);
        ((u128::from(u64::from_le_bytes(word)) * bound as u128) >> 64) as usize
    }

    /// Moves `count` random items to the front of a list, or all items if the list is shorter.
    pub(crate) fn draw<T>(&mut self, list: &mut [T], count: usize) {
        for at in 0..count.min(list.len()) {
            let other = at + self.below(list.len() - at);
            list.swap(at, other);
        }
    }
}
