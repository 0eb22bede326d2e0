//! Random openings that both sides can play. The same seed gives the same openings.

use crazyhouse_rules::{Move, MoveList, Position};
use engine::JavaRandom;

use crate::bots::{
    Budget,
    search::{Score, Search},
};

/// The number of random lines that are tried.
const TRIES: u32 = 1000;
/// The number of lines without a mate whose balance is examined, and the positions that are searched for each.
const EXAMINED: usize = 40;
const NODES: u64 = 1_000;
/// The greatest advantage of a side, in hundredths of a pawn.
const BALANCED: u32 = 100;

/// An opening with this number of moves of both sides together. No piece is taken, the side to move is not in check and cannot mate with
/// its first move, and a short search gives neither side an advantage of more than a pawn. If there is no such opening among the random
/// lines, it is the most balanced of them.
pub(crate) fn opening(seed: i64, number: u64, moves: u32) -> Position {
    // Spreads neighbouring numbers, because similar seeds give similar first random numbers.
    let mixed = seed ^ number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15).cast_signed();
    let mut random = JavaRandom::new(mixed);
    let mut search = Search::new(Budget::nodes(NODES), 0);
    let mut best: Option<(u32, Position)> = None;
    for position in (0..TRIES).filter_map(|_| line(&mut random, moves)).take(EXAMINED) {
        let Some(advantage) = advantage(&mut search, &position) else { continue };
        if best.as_ref().is_none_or(|(least, _)| advantage < *least) {
            best = Some((advantage, position));
        }
        if advantage <= BALANCED {
            break;
        }
    }
    best.map_or_else(Position::start, |(_, position)| position)
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
    (whole && !position.in_check(position.turn()) && !has_mate(&position)).then_some(position)
}

/// Whether the side to move can mate with its next move.
fn has_mate(position: &Position) -> bool {
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    list.as_slice().iter().any(|made: &Move| position.after(*made).is_mate())
}

/// The advantage of either side; `None` if one of them mates by force, or cannot move.
fn advantage(search: &mut Search, position: &Position) -> Option<u32> {
    match search.examine(position)?.score {
        Score::Centipawns(hundredths) => Some(hundredths.unsigned_abs()),
        Score::Mates(_) | Score::Mated(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn seeds_have_their_openings() {
        let all: HashSet<String> = (0..40).map(|number| opening(5, number, 6).to_string()).collect();
        assert!(all.len() > 37, "{} of 40 are different", all.len());
        assert_eq!(opening(5, 7, 6), opening(5, 7, 6));
        assert_ne!(opening(5, 7, 6), opening(6, 7, 6));
        assert_eq!(opening(5, 7, 0), Position::start());
        for number in 0..40 {
            let position = opening(5, number, 5);
            assert!(!position.is_mate() && position.turn() == crazyhouse_rules::Side::Black);
        }
    }

    #[test]
    fn openings_are_balanced() {
        for number in 0..40 {
            let position = opening(1, number, 8);
            assert!(!has_mate(&position), "{position}");
            let advantage = advantage(&mut Search::new(Budget::nodes(NODES), 0), &position);
            assert!(advantage.is_some_and(|advantage| advantage <= 2 * BALANCED), "{position}: {advantage:?}");
        }
        // 1 f2-f3 e7-e5 2 g2-g4: Black mates.
        let fools: Position = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR/ b".parse().expect("a position");
        assert!(has_mate(&fools));
        assert_eq!(advantage(&mut Search::new(Budget::nodes(NODES), 0), &fools), None);
        assert!(!has_mate(&Position::start()));
    }
}
