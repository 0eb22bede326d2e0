//! Random openings. The same seed gives the same openings.

use crazyhouse_rules::{MoveList, Position};
use engine::JavaRandom;

/// The number of attempts before the start position is used.
const TRIES: u32 = 1000;

/// An opening with this number of moves of both sides together. No piece is taken, and the side to move is not in check.
pub(crate) fn opening(seed: i64, number: u64, moves: u32) -> Position {
    // Spreads neighbouring numbers, because similar seeds give similar first random numbers.
    let mixed = seed ^ number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15).cast_signed();
    let mut random = JavaRandom::new(mixed);
    (0..TRIES).find_map(|_| line(&mut random, moves)).unwrap_or_else(Position::start)
}

fn line(random: &mut JavaRandom, moves: u32) -> Option<Position> {
    let (mut position, mut list) = (Position::start(), MoveList::new());
    for _ in 0..moves {
        position.legal_moves(&mut list);
        let all = list.as_slice();
        let at = random.next_below(i32::try_from(all.len()).ok().filter(|count| *count > 0)?);
        position = position.after(all[at as usize]);
    }
    let whole = position.occupied().count_ones() == 32;
    (whole && !position.in_check(position.turn())).then_some(position)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::opening;

    #[test]
    fn seeds_have_their_openings() {
        let all: HashSet<String> = (0..100).map(|number| opening(5, number, 6).to_string()).collect();
        assert!(all.len() > 95, "{} of 100 are different", all.len());
        assert_eq!(opening(5, 7, 6), opening(5, 7, 6));
        assert_ne!(opening(5, 7, 6), opening(6, 7, 6));
        assert_eq!(opening(5, 7, 0), crazyhouse_rules::Position::start());
        for number in 0..100 {
            let position = opening(5, number, 5);
            assert!(!position.is_mate() && position.turn() == crazyhouse_rules::Side::Black);
        }
    }
}
