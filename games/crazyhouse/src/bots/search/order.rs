//! The order in which moves are searched. The earlier a good move comes, the more of the other moves can be skipped.

use crazyhouse_rules::{Kind, Move, MoveList, Origin, Position, Side, Square, attacks};

use super::tree::DEEPEST;
use crate::bots::worth::PLACED;

/// A move and its priority in the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rated {
    pub(super) rate: i32,
    pub(super) legal: Move,
    /// True for a move that neither captures nor promotes.
    pub(super) is_quiet: bool,
}

const HASHED: i32 = 1_000_000;
const CAPTURE: i32 = 200_000;
const KILLER: i32 = 150_000;
const CHECK: i32 = 110_000;
const NEAR_KING: i32 = 4_000;
/// The priority of a capture that loses more than it gains.
const POOR: i32 = 10_000;
const MOST_HISTORY: i32 = 100_000;

/// Statistics of moves that were good in other positions.
pub(super) struct Order {
    /// Two quiet moves for each distance from the root.
    killers: Vec<[Move; 2]>,
    /// A score for each side and move code.
    history: Vec<i32>,
}

impl Order {
    pub(super) fn new() -> Self {
        let killers = vec![[Move::default(); 2]; DEEPEST as usize + 2];
        Self { killers, history: vec![0; 2 * Move::CODES] }
    }

    /// Starts a new move of the game. The killers are cleared, and old history scores count less.
    pub(super) fn age(&mut self) {
        self.killers.fill([Move::default(); 2]);
        self.history.iter_mut().for_each(|good| *good /= 4);
    }

    /// Rewards a quiet move that caused a cutoff, and penalizes the quiet moves that were searched before it.
    pub(super) fn praise(&mut self, side: Side, legal: Move, depth: i32, ply: usize, before: &[Rated]) {
        let killers = &mut self.killers[ply];
        if killers[0] != legal {
            *killers = [legal, killers[0]];
        }
        let bonus = (depth * depth * 16).min(4_000);
        self.learn(side, legal, bonus);
        for other in before.iter().filter(|rated| rated.is_quiet) {
            self.learn(side, other.legal, -bonus / 2);
        }
    }

    /// Adjusts a history score. The change is smaller the closer the score is to its limit.
    fn learn(&mut self, side: Side, legal: Move, bonus: i32) {
        let good = &mut self.history[side as usize * Move::CODES + usize::from(legal.code())];
        *good += bonus - *good / 64 * bonus.abs() / (MOST_HISTORY / 64);
    }

    /// Rates all moves of a list.
    pub(super) fn rate(&self, position: &Position, moves: &MoveList, hashed: u16, ply: usize, rated: &mut Vec<Rated>) {
        let sight = Sight::new(position);
        let history = &self.history[position.turn() as usize * Move::CODES..];
        rated.clear();
        rated.extend(moves.as_slice().iter().map(|&legal| {
            let (gain, is_quiet) = sight.gain(legal);
            let mut rate = gain;
            if is_quiet {
                rate = history[usize::from(legal.code())] + sight.threat(legal);
                if self.killers[ply].contains(&legal) {
                    rate += KILLER;
                }
            }
            if legal.code() == hashed {
                rate = HASHED;
            }
            Rated { rate, legal, is_quiet }
        }));
    }

    /// Rates captures and promotions, and skips moves that lose material.
    pub(super) fn rate_loud(position: &Position, moves: &MoveList, rated: &mut Vec<Rated>) {
        let sight = Sight::new(position);
        rated.clear();
        rated.extend(moves.as_slice().iter().filter_map(|&legal| {
            let (rate, is_quiet) = sight.gain(legal);
            (!is_quiet && rate > POOR + 1_000).then_some(Rated { rate, legal, is_quiet })
        }));
    }
}

/// Moves the best of the moves from `at` on to `at`. The first few moves are selected one by one; then the rest is sorted.
pub(super) fn bring(rated: &mut [Rated], at: usize) {
    const ONE_BY_ONE: usize = 4;
    let rest = &mut rated[at..];
    if at < ONE_BY_ONE {
        // Takes the first of equal moves, so that they keep their order.
        let mut best = 0;
        for other in 1..rest.len() {
            if rest[other].rate > rest[best].rate {
                best = other;
            }
        }
        rest[..=best].rotate_right(1);
    } else if at == ONE_BY_ONE {
        rest.sort_by_key(|rated| -rated.rate);
    }
}

/// The facts about a position that the ratings of all its moves need.
struct Sight<'a> {
    position: &'a Position,
    others: u64,
    /// For each kind, the squares from which a piece attacks the opponent's king.
    checks: [u64; 6],
    around_king: u64,
}

impl<'a> Sight<'a> {
    fn new(position: &'a Position) -> Self {
        let other = position.turn().other();
        let occupied = position.occupied();
        let mut sight = Self { position, others: position.all_of(other), checks: [0; 6], around_king: 0 };
        if let Some(king) = position.king(other) {
            let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
            sight.checks = [attacks::pawn(other, king), attacks::knight(king), bishop, rook, bishop | rook, 0];
            sight.around_king = attacks::king(king);
        }
        sight
    }

    /// The rating of a capture or promotion, and whether the move is quiet.
    #[inline]
    fn gain(&self, legal: Move) -> (i32, bool) {
        let to = legal.to();
        let Origin::Board(from) = legal.origin() else { return (0, true) };
        let takes = self.others & to.bit() != 0;
        let mover = self.position.kind_at(from);
        let promotes = mover == Kind::Pawn && matches!(to.rank(), 0 | 7);
        if !takes && !promotes {
            return (0, true);
        }
        let victim = if takes { PLACED[self.position.kind_at(to) as usize] } else { 0 };
        let gained = victim + if promotes { PLACED[Kind::Queen as usize] - PLACED[0] } else { 0 };
        let price = PLACED[mover as usize];
        // If the opponent recaptures, our piece goes to its pocket, just as the captured piece goes to ours.
        if gained < price && self.is_defended(to) {
            return (POOR + gained - price / 8, false);
        }
        (CAPTURE + 8 * gained - price / 8, false)
    }

    fn is_defended(&self, square: Square) -> bool {
        let other = self.position.turn().other();
        self.position.attackers(square, other, self.position.occupied()) != 0
    }

    /// The rating of a quiet move as a threat to the opponent's king.
    #[inline]
    fn threat(&self, legal: Move) -> i32 {
        let to = legal.to().bit();
        let kind = match legal.origin() {
            Origin::Board(from) => self.position.kind_at(from),
            Origin::Pocket(piece) => piece.kind,
        };
        if self.checks[kind as usize] & to != 0 {
            return if self.is_defended(legal.to()) { CHECK / 4 } else { CHECK };
        }
        if self.around_king & to != 0 { NEAR_KING } else { 0 }
    }
}
