//! The only source of randomness in a game.

use alloc::vec::Vec;

use engine::JavaRandom;

/// Dice, coins and shuffles. Every number comes from the generator of the game, which begins with the game's seed.
///
/// In a game without secrets, an event tells the numbers that its move drew. A client that folds the event gets the same
/// numbers again.
///
/// ```
/// let mut chance = short::Chance::with_seed(42);
/// let die = chance.roll(6);
/// assert!((1..=6).contains(&die));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance {
    source: Source,
    drawn: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    Generator(JavaRandom),
    /// Draws the same numbers again; this many are used.
    Told(usize),
}

impl Chance {
    /// Draws from a new generator.
    pub fn with_seed(seed: i64) -> Self {
        Self::new(JavaRandom::new(seed))
    }

    pub(crate) fn new(random: JavaRandom) -> Self {
        Self { source: Source::Generator(random), drawn: Vec::new() }
    }

    /// Draws these numbers.
    pub(crate) fn told(drawn: &[u32]) -> Self {
        Self { source: Source::Told(0), drawn: drawn.into() }
    }

    /// The generator after the last draw, and all numbers that were drawn.
    pub(crate) fn into_parts(self) -> (Option<JavaRandom>, Vec<u32>) {
        match self.source {
            Source::Generator(random) => (Some(random), self.drawn),
            Source::Told(_) => (None, self.drawn),
        }
    }

    /// A number from 0 to `bound - 1`.
    ///
    /// # Panics
    /// If `bound` is 0, or 2^31 or more.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = i32::try_from(bound).ok().filter(|bound| *bound > 0).expect("a bound is 1 to 2^31 - 1");
        let number = match &mut self.source {
            Source::Generator(random) => {
                let number = random.next_below(bound).cast_unsigned();
                self.drawn.push(number);
                number
            }
            // A forged event may tell too few or too large numbers. A fold never fails, so they become valid ones.
            Source::Told(used) => {
                let number = self.drawn.get(*used).copied().unwrap_or(0);
                *used += 1;
                number.min(bound.cast_unsigned() - 1)
            }
        };
        number as usize
    }

    /// A die: 1 to `sides`.
    ///
    /// # Panics
    /// If it has no sides.
    pub fn roll(&mut self, sides: u8) -> u8 {
        let rolled = self.below(sides.into()) + 1;
        u8::try_from(rolled).unwrap_or(sides)
    }

    /// A coin.
    pub fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    /// One of the items; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for left in (2..=items.len()).rev() {
            let other = self.below(left);
            items.swap(left - 1, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_numbers_come_again() {
        let mut first = Chance::with_seed(7);
        let mut deck: Vec<u8> = (0..52).collect();
        first.shuffle(&mut deck);
        let rolls = [first.roll(6), first.roll(20), u8::from(first.flip())];
        let (_, drawn) = first.into_parts();

        let mut again = Chance::told(&drawn);
        let mut other: Vec<u8> = (0..52).collect();
        again.shuffle(&mut other);
        assert_eq!(other, deck);
        assert_eq!([again.roll(6), again.roll(20), u8::from(again.flip())], rolls);
    }

    #[test]
    fn forged_numbers_are_made_valid() {
        let mut chance = Chance::told(&[u32::MAX]);
        assert_eq!([chance.below(3), chance.below(3)], [2, 0]);
        assert_eq!(chance.pick::<u8>(&[]), None);
    }
}
