//! The generator of `java.util.Random`, bit for bit, so that a game with a seed is the same game everywhere.

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

impl JavaRandom {
    /// As `new Random(seed)`. Only the low 48 bits of a seed matter.
    pub fn new(seed: i64) -> Self {
        Self { state: (seed.cast_unsigned() ^ MULTIPLIER) & MASK }
    }

    /// As `next(bits)`, for 1 to 32 bits.
    #[inline]
    pub fn next(&mut self, bits: u32) -> i32 {
        debug_assert!((1..=32).contains(&bits));
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT) & MASK;
        (self.state >> (48 - bits)) as i32
    }

    /// As `nextInt()`.
    pub fn next_int(&mut self) -> i32 {
        self.next(32)
    }

    /// As `nextInt(bound)`: 0 to `bound - 1`.
    ///
    /// # Panics
    /// When `bound` is not positive, as Java throws.
    #[inline]
    pub fn next_below(&mut self, bound: i32) -> i32 {
        assert!(bound > 0, "the bound of a random number must be positive, not {bound}");
        let drawn = self.next(31);
        if bound & (bound - 1) == 0 {
            return ((i64::from(bound) * i64::from(drawn)) >> 31) as i32;
        }
        // What lies above the largest multiple of `bound` would favour small numbers, and is drawn again. Java finds it by
        // an overflow of its ints.
        let mut drawn = drawn;
        loop {
            let remainder = drawn.cast_unsigned() % bound.cast_unsigned();
            if (drawn.cast_unsigned() - remainder + (bound - 1).cast_unsigned()) >> 31 == 0 {
                return remainder.cast_signed();
            }
            drawn = self.next(31);
        }
    }

    /// As `nextLong()`.
    pub fn next_long(&mut self) -> i64 {
        let high = i64::from(self.next(32)) << 32;
        high.wrapping_add(i64::from(self.next(32)))
    }

    /// As `nextBoolean()`.
    pub fn next_boolean(&mut self) -> bool {
        self.next(1) != 0
    }

    /// As `nextDouble()`: 0 up to but not including 1.
    pub fn next_double(&mut self) -> f64 {
        let high = i64::from(self.next(26)) << 27;
        (high + i64::from(self.next(27))) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// As `Collections.shuffle(list, this)`.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for left in (2..=list.len()).rev() {
            let bound = i32::try_from(left).expect("no list of ours has more than 2^31 items");
            let other = self.next_below(bound);
            list.swap(left - 1, other as usize);
        }
    }
}
