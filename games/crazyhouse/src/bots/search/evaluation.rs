//! The static evaluation of a position: material, placement, and above all how safe each king is from pieces near it and from
//! pieces that can be dropped there.

use crazyhouse_rules::{Kind, Position, Side, Square, Squares, attacks};

use crate::bots::worth::{HELD, PLACED};

/// The bonus for the side to move.
const TEMPO: i32 = 25;
/// The limit of an evaluation. It is below every score of a mate.
const MOST: i32 = 15_000;

/// For each attack of a piece of the kind on a square around the king.
const PRESSURE: [i32; 6] = [2, 3, 3, 3, 5, 0];
/// For each square from which a dropped piece of the kind gives check and cannot be taken.
const SAFE_CHECK: [i32; 5] = [2, 7, 4, 6, 8];
/// For each piece of the kind in the attacker's pocket. The sum is multiplied by the number of holes beside the king.
const FORCE: [i32; 5] = [1, 2, 2, 2, 4];

/// The value for the side to move, in hundredths of a pawn.
pub(super) fn evaluate(position: &Position) -> i32 {
    let camps = Side::BOTH.map(|side| Camp::new(position, side));
    let [white, black] = &camps;
    let score = white.worth - black.worth + danger(position, black, white) - danger(position, white, black);
    let own = match position.turn() {
        Side::White => score,
        Side::Black => -score,
    };
    (own + TEMPO).clamp(-MOST, MOST)
}

/// The facts about one side.
struct Camp {
    side: Side,
    king: Square,
    worth: i32,
    /// The squares that the side's pieces attack, without those that only the king attacks.
    guarded: u64,
    /// The pressure on the opponent's king.
    pressure: i32,
}

impl Camp {
    fn new(position: &Position, side: Side) -> Self {
        // The search ends before it evaluates a position without a king.
        let king_of = |side| position.king(side).unwrap_or(Square::new(0));
        let other = king_of(side.other());
        let mut camp = Self { side, king: king_of(side), worth: 0, guarded: 0, pressure: 0 };
        let zone = attacks::king(other) | other.bit();
        for kind in Kind::HELD {
            for square in Squares(position.pieces(side, kind)) {
                let attacked = camp.attacks(kind, square, position.occupied());
                camp.guarded |= attacked;
                let near = (attacked & zone).count_ones().cast_signed();
                camp.pressure += PRESSURE[kind as usize] * near;
                camp.worth += PLACED[kind as usize] + placement(side, kind, square, attacked);
            }
            let held = i32::from(position.held(side, kind));
            camp.worth += held * HELD[kind as usize];
        }
        // This crazyhouse has no castling, so a king that leaves its rank seldom comes back.
        camp.worth -= 25 * i32::from(ranks_gone(side, camp.king));
        camp
    }

    #[inline]
    fn attacks(&self, kind: Kind, from: Square, occupied: u64) -> u64 {
        match kind {
            Kind::Pawn => attacks::pawn(self.side, from),
            Kind::Knight => attacks::knight(from),
            Kind::Bishop => attacks::bishop(from, occupied),
            Kind::Rook => attacks::rook(from, occupied),
            Kind::Queen => attacks::queen(from, occupied),
            Kind::King => attacks::king(from),
        }
    }
}

fn ranks_gone(side: Side, square: Square) -> u8 {
    match side {
        Side::White => square.rank(),
        Side::Black => 7 - square.rank(),
    }
}

/// The bonus of a piece for its square and for the squares that it attacks.
#[inline]
fn placement(side: Side, kind: Kind, square: Square, attacked: u64) -> i32 {
    /// An advanced pawn soon becomes a queen, and a captured promoted pawn stays a queen.
    const PAWN: [i32; 8] = [0, 0, 2, 8, 15, 45, 130, 0];
    let reach = attacked.count_ones().cast_signed();
    match kind {
        Kind::Pawn => PAWN[usize::from(ranks_gone(side, square))],
        Kind::Knight => 6 * reach,
        Kind::Bishop => 5 * reach,
        Kind::Rook => 3 * reach,
        Kind::Queen => 2 * reach,
        Kind::King => 0,
    }
}

/// The danger that the attacker poses to the king of `camp`.
fn danger(position: &Position, attacker: &Camp, camp: &Camp) -> i32 {
    let occupied = position.occupied();
    let beside = attacks::king(camp.king);
    let unguarded = beside & !camp.guarded;
    let count = |squares: u64| squares.count_ones().cast_signed();

    let weak = count(unguarded & attacker.guarded);
    let holes = count(unguarded & !position.all_of(camp.side));
    let mut force = 0;
    let mut units = attacker.pressure + 4 * weak;
    for kind in Kind::HELD {
        let held = i32::from(position.held(attacker.side, kind));
        if held == 0 {
            continue;
        }
        force += FORCE[kind as usize] * held.min(2);
        let checks = camp_checks(camp, kind, occupied) & !occupied;
        // The king can take a piece beside it, unless that piece is guarded.
        let taken = camp.guarded | beside & !attacker.guarded;
        units += SAFE_CHECK[kind as usize] * count(checks & !taken).min(3);
    }
    units += holes * force.min(16) / 4;
    // The danger grows with the square: a few threats mean little, many threats together mean mate.
    (units * units / 20).min(800)
}

/// The squares from which a piece of the kind gives check to the king of `camp`.
#[inline]
fn camp_checks(camp: &Camp, kind: Kind, occupied: u64) -> u64 {
    match kind {
        Kind::Pawn => attacks::pawn(camp.side, camp.king),
        Kind::Knight | Kind::Bishop | Kind::Rook | Kind::Queen | Kind::King => camp.attacks(kind, camp.king, occupied),
    }
}
