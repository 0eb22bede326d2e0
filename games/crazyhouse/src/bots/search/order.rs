//! Which moves are looked at first. The sooner a good one comes, the more of the others can be left out.

use crazyhouse_rules::{Kind, Move, MoveList, Origin, Position, Side, Square, attacks};

use super::tree::DEEPEST;
use crate::bots::worth::PLACED;

/// A move and how early it is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rated {
    pub(super) rate: i32,
    pub(super) legal: Move,
    /// Takes nothing and promotes nothing.
    pub(super) is_quiet: bool,
}

const HASHED: i32 = 1_000_000;
const CAPTURE: i32 = 200_000;
const KILLER: i32 = 150_000;
const CHECK: i32 = 110_000;
const NEAR_KING: i32 = 4_000;
/// Loses more than it takes.
const POOR: i32 = 10_000;
const MOST_HISTORY: i32 = 100_000;

/// What turned out good elsewhere.
pub(super) struct Order {
    /// Two quiet moves by the distance from the root.
    killers: Vec<[Move; 2]>,
    /// By side and code.
    history: Vec<i32>,
}

impl Order {
    pub(super) fn new() -> Self {
        let killers = vec![[Move::default(); 2]; DEEPEST as usize + 2];
        Self { killers, history: vec![0; 2 * Move::CODES] }
    }

    /// A new move of the game: what was good two moves before is good for less.
    pub(super) fn age(&mut self) {
        self.killers.fill([Move::default(); 2]);
        self.history.iter_mut().for_each(|good| *good /= 4);
    }

    /// A quiet move was too good for the other side to allow it, after these that were not.
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

    /// Slower the nearer it is to the most.
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

    /// Rates captures and promotions, and leaves out those that lose material.
    pub(super) fn rate_loud(position: &Position, moves: &MoveList, rated: &mut Vec<Rated>) {
        let sight = Sight::new(position);
        rated.clear();
        rated.extend(moves.as_slice().iter().filter_map(|&legal| {
            let (rate, is_quiet) = sight.gain(legal);
            (!is_quiet && rate > POOR + 1_000).then_some(Rated { rate, legal, is_quiet })
        }));
    }
}

/// Brings the best of those from `at` on there. A few are found one by one; if more are needed, the rest is sorted.
pub(super) fn bring(rated: &mut [Rated], at: usize) {
    const ONE_BY_ONE: usize = 4;
    let rest = &mut rated[at..];
    if at < ONE_BY_ONE {
        // The first of the best, so that those that are equal keep their order.
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

/// What the rates of a position's moves have in common.
struct Sight<'a> {
    position: &'a Position,
    others: u64,
    /// The squares from which a piece of a kind attacks the other's king.
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

    /// What a capture or promotion is good for, and whether it is neither.
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
        // Taken from us, it also goes to the other's pocket, as what we take goes to ours.
        if gained < price && self.is_defended(to) {
            return (POOR + gained - price / 8, false);
        }
        (CAPTURE + 8 * gained - price / 8, false)
    }

    fn is_defended(&self, square: Square) -> bool {
        let other = self.position.turn().other();
        self.position.attackers(square, other, self.position.occupied()) != 0
    }

    /// How a quiet move looks to the other's king.
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
