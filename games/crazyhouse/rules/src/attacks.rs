//! The squares that a piece attacks. Knights, kings and pawns use tables. Sliding pieces use the difference of two
//! subtractions, which ends at the first piece on a line: this needs little memory and no precomputed magic numbers.

use crate::{piece::Side, square::Square};

const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

static KNIGHT: [u64; 64] = steps(&KNIGHT_STEPS);
static KING: [u64; 64] = steps(&KING_STEPS);
static PAWN: [[u64; 64]; 2] = [steps(&[(-1, 1), (1, 1)]), steps(&[(-1, -1), (1, -1)])];
static BETWEEN: [[u64; 64]; 64] = between_all();
/// The file, the two diagonals and the rank through a square, without it.
static LINES: [[u64; 4]; 64] = lines_all();
/// The squares that a rook attacks on its rank, by its file and the six inner squares.
static ON_RANK: [[u8; 64]; 8] = on_rank_all();

/// The squares that a knight attacks.
#[inline]
pub fn knight(from: Square) -> u64 {
    KNIGHT[from.index()]
}

/// The squares that a king attacks.
#[inline]
pub fn king(from: Square) -> u64 {
    KING[from.index()]
}

/// The squares on which a pawn of the side captures.
#[inline]
pub fn pawn(side: Side, from: Square) -> u64 {
    PAWN[side as usize][from.index()]
}

/// The squares between two squares of one line. Empty if they are not on one line.
#[inline]
pub fn between(one: Square, other: Square) -> u64 {
    BETWEEN[one.index()][other.index()]
}

/// The squares that a bishop attacks, up to the first piece on each line.
#[inline]
pub fn bishop(from: Square, occupied: u64) -> u64 {
    let [_, diagonal, antidiagonal, _] = LINES[from.index()];
    slide(from, occupied, diagonal) | slide(from, occupied, antidiagonal)
}

/// The squares that a rook attacks, up to the first piece on each line.
#[inline]
pub fn rook(from: Square, occupied: u64) -> u64 {
    let [file, ..] = LINES[from.index()];
    slide(from, occupied, file) | on_rank(from, occupied)
}

/// The squares that a queen attacks, up to the first piece on each line.
#[inline]
pub fn queen(from: Square, occupied: u64) -> u64 {
    bishop(from, occupied) | rook(from, occupied)
}

/// The squares that a bishop attacks on an empty board.
#[inline]
pub fn bishop_lines(from: Square) -> u64 {
    let [_, diagonal, antidiagonal, _] = LINES[from.index()];
    diagonal | antidiagonal
}

/// The squares that a rook attacks on an empty board.
#[inline]
pub fn rook_lines(from: Square) -> u64 {
    let [file, _, _, rank] = LINES[from.index()];
    file | rank
}

/// Subtracting a slider from the pieces on its line borrows up to the nearest piece above it. With the bytes swapped, it finds
/// the nearest piece below. This works for every line except a rank, because swapping bytes does not reverse a rank.
#[inline]
fn slide(from: Square, occupied: u64, line: u64) -> u64 {
    let pieces = occupied & line;
    let up = pieces.wrapping_sub(from.bit());
    let down = pieces.swap_bytes().wrapping_sub(from.bit().swap_bytes());
    (up ^ down.swap_bytes()) & line
}

#[inline]
fn on_rank(from: Square, occupied: u64) -> u64 {
    let base = u32::from(from.rank()) * 8;
    let inner = (occupied >> (base + 1)) & 63;
    u64::from(ON_RANK[usize::from(from.file())][inner as usize]) << base
}

const fn stepped(from: usize, step: (i8, i8)) -> Option<usize> {
    let file = (from % 8) as i8 + step.0;
    let rank = (from / 8) as i8 + step.1;
    if file < 0 || file > 7 || rank < 0 || rank > 7 { None } else { Some((rank * 8 + file) as usize) }
}

const fn steps(steps: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut from = 0;
    while from < 64 {
        let mut step = 0;
        while step < steps.len() {
            if let Some(to) = stepped(from, steps[step]) {
                table[from] |= 1 << to;
            }
            step += 1;
        }
        from += 1;
    }
    table
}

const fn between_all() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut step = 0;
        while step < KING_STEPS.len() {
            table[from] = between_in(table[from], from, KING_STEPS[step]);
            step += 1;
        }
        from += 1;
    }
    table
}

const fn between_in(mut row: [u64; 64], from: usize, step: (i8, i8)) -> [u64; 64] {
    let mut passed = 0;
    let mut at = stepped(from, step);
    while let Some(to) = at {
        row[to] = passed;
        passed |= 1 << to;
        at = stepped(to, step);
    }
    row
}

const fn ray(from: usize, step: (i8, i8)) -> u64 {
    let mut squares = 0;
    let mut at = stepped(from, step);
    while let Some(to) = at {
        squares |= 1 << to;
        at = stepped(to, step);
    }
    squares
}

const fn lines_all() -> [[u64; 4]; 64] {
    let mut table = [[0; 4]; 64];
    let mut from = 0;
    while from < 64 {
        let file = ray(from, (0, 1)) | ray(from, (0, -1));
        let diagonal = ray(from, (1, 1)) | ray(from, (-1, -1));
        let antidiagonal = ray(from, (1, -1)) | ray(from, (-1, 1));
        let rank = ray(from, (1, 0)) | ray(from, (-1, 0));
        table[from] = [file, diagonal, antidiagonal, rank];
        from += 1;
    }
    table
}

const fn on_rank_all() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            table[file][inner] = on_one_rank(file, (inner << 1) as u8);
            inner += 1;
        }
        file += 1;
    }
    table
}

const fn on_one_rank(file: usize, occupied: u8) -> u8 {
    let mut attacked = 0;
    let mut to = file + 1;
    while to < 8 {
        attacked |= 1 << to;
        to = if occupied & 1 << to != 0 { 8 } else { to + 1 };
    }
    to = file;
    while to > 0 {
        to -= 1;
        attacked |= 1 << to;
        to = if occupied & 1 << to != 0 { 0 } else { to };
    }
    attacked
}
