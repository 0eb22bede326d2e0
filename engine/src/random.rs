//! The generator of `java.util.Random`, bit for bit, so that a seed gives the same game in every implementation.

/// A linear congruential generator with 48 bits of state.
///
/// ```
/// let mut random = engine::JavaRandom::new(42);
/// assert_eq!(random.next_below(6), 2);
/// assert_eq!(random.next_below(6), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaRandom {
    state: u64,
}

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const INCREMENT: u64 = 0xB;
const MASK: u64 = (1 << 48) - 1;

/// The number of draws that [`JavaRandom::pass_shuffle`] makes at once.
const LANES: usize = 8;
/// The multiplier and increment of one step, of two steps, and so on.
const JUMPS: [(u64, u64); LANES] = {
    let mut jumps = [(MULTIPLIER, INCREMENT); LANES];
    let mut at = 1;
    while at < LANES {
        let (multiplier, increment) = jumps[at - 1];
        jumps[at] = (multiplier.wrapping_mul(MULTIPLIER), increment.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT));
        at += 1;
    }
    jumps
};

impl JavaRandom {
    /// Like `new Random(seed)`. Only the low 48 bits of the seed matter.
    pub fn new(seed: i64) -> Self {
        Self { state: (seed.cast_unsigned() ^ MULTIPLIER) & MASK }
    }

    /// Like `next(bits)`, for 1 to 32 bits.
    #[inline]
    pub fn next(&mut self, bits: u32) -> i32 {
        debug_assert!((1..=32).contains(&bits));
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT) & MASK;
        (self.state >> (48 - bits)) as i32
    }

    /// Like `nextInt()`.
    pub fn next_int(&mut self) -> i32 {
        self.next(32)
    }

    /// Like `nextInt(bound)`: 0 to `bound - 1`.
    ///
    /// # Panics
    /// If `bound` is not positive, as in Java.
    #[inline]
    pub fn next_below(&mut self, bound: i32) -> i32 {
        assert!(bound > 0, "the bound of a random number must be positive, not {bound}");
        let drawn = self.next(31);
        if bound & (bound - 1) == 0 {
            return ((i64::from(bound) * i64::from(drawn)) >> 31) as i32;
        }
        // Numbers above the largest multiple of `bound` would favour small results, so the generator draws again. Java detects
        // such numbers by an integer overflow.
        let mut drawn = drawn;
        loop {
            let remainder = drawn.cast_unsigned() % bound.cast_unsigned();
            if (drawn.cast_unsigned() - remainder + (bound - 1).cast_unsigned()) >> 31 == 0 {
                return remainder.cast_signed();
            }
            drawn = self.next(31);
        }
    }

    /// Like `nextLong()`.
    pub fn next_long(&mut self) -> i64 {
        let high = i64::from(self.next(32)) << 32;
        high.wrapping_add(i64::from(self.next(32)))
    }

    /// Like `nextBoolean()`.
    pub fn next_boolean(&mut self) -> bool {
        self.next(1) != 0
    }

    /// Like `nextDouble()`: from 0 up to but not including 1.
    pub fn next_double(&mut self) -> f64 {
        let high = i64::from(self.next(26)) << 27;
        (high + i64::from(self.next(27))) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Like `Collections.shuffle(list, this)`.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for left in (2..=list.len()).rev() {
            let other = self.draw_of(left);
            list.swap(left - 1, other);
        }
    }

    /// Advances the generator as [`shuffle`](Self::shuffle) does for a list of `items` items, without a list.
    ///
    /// It is several times as fast: it does not divide, and the draws do not depend on each other.
    pub fn pass_shuffle(&mut self, items: usize) {
        let mut left = items;
        while left > LANES {
            let states =
                JUMPS.map(|(multiplier, increment)| self.state.wrapping_mul(multiplier).wrapping_add(increment) & MASK);
            // Below this limit no number has to be drawn again, so each draw is one step.
            let highest = (1_u64 << 31).saturating_sub(left as u64);
            if states.iter().all(|state| state >> 17 < highest) {
                self.state = states[LANES - 1];
            } else {
                (0..LANES).for_each(|drawn| _ = self.draw_of(left - drawn));
            }
            left -= LANES;
        }
        (2..=left).rev().for_each(|left| _ = self.draw_of(left));
    }

    /// Draws an index below `items`.
    fn draw_of(&mut self, items: usize) -> usize {
        let bound = i32::try_from(items).expect("a list has less than 2^31 items");
        self.next_below(bound) as usize
    }
}
