//! Positions and lists of moves as text, and the errors of invalid texts.

use alloc::{string::String, vec::Vec};
use core::{fmt, str::FromStr};

use crate::{
    moves::{Move, MoveList},
    piece::{Kind, Piece, Side},
    position::Position,
    square::{ENDS, Square, Squares},
};

/// The most pieces in a text. Their number fits into the count of a pocket, so any captures are possible.
const LONGEST: usize = 60_000;

/// The pieces of a pocket in the order of their letters.
const BY_LETTER: [Kind; 5] = [Kind::Bishop, Kind::Knight, Kind::Pawn, Kind::Queen, Kind::Rook];

/// The reason why a text is not a position, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    /// The number of the wrong character, from 1. If something is missing at the end, the number after the last character.
    pub column: usize,
    /// The error.
    pub problem: Problem,
}

/// The errors of a position text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the line of a variant explains its fields")]
pub enum Problem {
    /// A letter that names no piece.
    NotAPiece { found: char },
    /// A king in a pocket.
    KingInPocket { found: char },
    /// A rank with more than eight squares.
    RankTooLong { rank: u8 },
    /// A rank with fewer than eight squares.
    RankTooShort { rank: u8, squares: u8 },
    /// Fewer than eight ranks and a pocket.
    MissingSections { found: usize },
    /// More than eight ranks and a pocket.
    TooManySections {},
    /// A pawn on the first or the last rank.
    PawnOnRank { rank: u8 },
    /// A side with no king, or with several.
    Kings { side: Side, found: u32 },
    /// A side to move that is neither `w` nor `b`.
    NoSide { found: String },
    /// A text above the limit.
    TooLong { most: usize },
}

impl Position {
    /// The position before the first move.
    pub fn start() -> Self {
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/";
        Self::read_board(board, Side::White).expect("the start is a position")
    }

    /// Parses a board text, with the side to move.
    ///
    /// # Errors
    /// The first wrong character.
    pub fn read_board(text: &str, turn: Side) -> Result<Self, PositionError> {
        if text.len() > LONGEST {
            return Err(PositionError { column: LONGEST + 1, problem: Problem::TooLong { most: LONGEST } });
        }
        let mut reader = Reader { text, at: 0, position: Self { turn, ..Self::EMPTY } };
        for rank in (0..8).rev() {
            reader.rank(rank)?;
        }
        reader.pockets()?;
        reader.position.check_kings(text)?;
        Ok(reader.position)
    }

    fn check_kings(&self, text: &str) -> Result<(), PositionError> {
        for side in Side::BOTH {
            let found = self.pieces(side, Kind::King).count_ones();
            let letter = Piece { side, kind: Kind::King }.letter();
            if found != 1 {
                let second = text.char_indices().filter(|(_, found)| *found == letter).nth(1);
                let column = second.map_or(text.chars().count(), |(at, _)| at) + 1;
                return Err(PositionError { column, problem: Problem::Kings { side, found } });
            }
        }
        Ok(())
    }

    /// The text of the board, without the side to move.
    pub fn board(&self) -> String {
        let mut letters = [None; 64];
        for piece in Side::BOTH.into_iter().flat_map(|side| Kind::ALL.map(|kind| Piece { side, kind })) {
            for square in Squares(self.pieces(piece.side, piece.kind)) {
                letters[usize::from(square.rank()) * 8 + usize::from(square.file())] = Some(piece.letter());
            }
        }
        let mut text = String::with_capacity(80);
        for rank in letters.chunks(8).rev() {
            write_rank(rank, &mut text);
            text.push('/');
        }
        for side in Side::BOTH {
            for kind in BY_LETTER {
                let letter = Piece { side, kind }.letter();
                text.extend((0..self.held(side, kind)).map(|_| letter));
            }
        }
        text
    }

    /// The text of the whole position.
    pub(crate) fn text(&self) -> String {
        let mut text = self.board();
        text.extend([' ', self.turn.letter()]);
        text
    }

    /// All legal moves as texts, sorted and separated by spaces.
    pub fn moves_text(&self) -> String {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        // One bit for each possible text, in alphabetical order, which is faster than sorting.
        let mut found = [0; Move::PLACES / 64];
        for legal in moves.as_slice() {
            found[legal.place() / 64] |= 1 << (legal.place() % 64);
        }
        let mut text = Vec::with_capacity(moves.as_slice().len() * 6);
        for (origin, targets) in found.iter().enumerate() {
            for target in Squares(*targets) {
                // Places number the squares file by file.
                let (file, rank) = (b'a' + target.rank(), b'1' + target.file());
                write_move(origin, [file, rank], &mut text);
            }
        }
        text.pop();
        String::from_utf8(text).expect("letters and figures")
    }
}

/// Writes a move and a space. The origin is given by its place in alphabetical order.
fn write_move(origin: usize, [file, rank]: [u8; 2], text: &mut Vec<u8>) {
    match Move::origin_at(origin) {
        [piece, 0] => text.extend_from_slice(&[piece, b'-', file, rank, b' ']),
        [from_file, from_rank] => text.extend_from_slice(&[from_file, from_rank, b'-', file, rank, b' ']),
    }
}

fn write_rank(letters: &[Option<char>], text: &mut String) {
    let mut empty = 0;
    for letter in letters {
        let Some(letter) = letter else {
            empty += 1;
            continue;
        };
        write_run(empty, text);
        empty = 0;
        text.push(*letter);
    }
    write_run(empty, text);
}

fn write_run(empty: u8, text: &mut String) {
    if empty > 0 {
        text.push(char::from(b'0' + empty));
    }
}

/// The parser of a board text.
struct Reader<'t> {
    text: &'t str,
    /// The offset of the next character, in bytes.
    at: usize,
    position: Position,
}

impl Reader<'_> {
    /// Parses one of the eight ranks, with the slash after it.
    fn rank(&mut self, rank: u8) -> Result<(), PositionError> {
        let mut file = 0;
        loop {
            let Some(next) = self.next() else { return Err(self.missing(rank, file)) };
            match next {
                b'/' if file < 8 => return Err(self.wrong(Problem::RankTooShort { rank: rank + 1, squares: file })),
                b'/' => return Ok(()),
                b'1'..=b'8' if next - b'0' <= 8 - file => file += next - b'0',
                b'1'..=b'8' => return Err(self.wrong(Problem::RankTooLong { rank: rank + 1 })),
                letter => {
                    let piece = self.piece(letter)?;
                    self.put(piece, file, rank)?;
                    file += 1;
                }
            }
        }
    }

    fn put(&mut self, piece: Piece, file: u8, rank: u8) -> Result<(), PositionError> {
        if file == 8 {
            return Err(self.wrong(Problem::RankTooLong { rank: rank + 1 }));
        }
        let square = Square::at(file, rank);
        if piece.kind == Kind::Pawn && square.bit() & ENDS != 0 {
            return Err(self.wrong(Problem::PawnOnRank { rank: rank + 1 }));
        }
        self.position.put(piece, square);
        Ok(())
    }

    fn pockets(&mut self) -> Result<(), PositionError> {
        while let Some(letter) = self.next() {
            if letter == b'/' {
                return Err(self.wrong(Problem::TooManySections {}));
            }
            let Piece { side, kind } = self.piece(letter)?;
            let Some(held) = self.position.pockets[side as usize].get_mut(kind as usize) else {
                return Err(self.wrong(Problem::KingInPocket { found: char::from(letter) }));
            };
            *held += 1;
        }
        Ok(())
    }

    fn piece(&self, letter: u8) -> Result<Piece, PositionError> {
        Piece::from_letter(letter).ok_or_else(|| {
            let found = self.text[self.at - 1..].chars().next().unwrap_or_default();
            self.wrong(Problem::NotAPiece { found })
        })
    }

    fn next(&mut self) -> Option<u8> {
        let next = self.text.as_bytes().get(self.at).copied()?;
        self.at += 1;
        Some(next)
    }

    /// An error at the last character that was read. All characters before it have one byte each.
    fn wrong(&self, problem: Problem) -> PositionError {
        PositionError { column: self.at, problem }
    }

    /// The error of a text that ends within a rank, after this number of squares.
    fn missing(&self, rank: u8, squares: u8) -> PositionError {
        let problem = match squares {
            1..8 => Problem::RankTooShort { rank: rank + 1, squares },
            _ => Problem::MissingSections { found: usize::from(7 - rank) + usize::from(squares > 0) },
        };
        PositionError { column: self.at + 1, problem }
    }
}

impl FromStr for Position {
    type Err = PositionError;

    /// Parses `BOARD w` or `BOARD b`.
    fn from_str(text: &str) -> Result<Self, PositionError> {
        let (board, letter) = text.split_once(' ').unwrap_or((text, ""));
        let position = Self::read_board(board, Side::White)?;
        let Some(turn) = Side::from_letter(letter) else {
            let found = letter.chars().take(20).collect();
            return Err(PositionError { column: board.len() + 2, problem: Problem::NoSide { found } });
        };
        Ok(Self { turn, ..position })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.problem)
    }
}

impl core::error::Error for PositionError {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAPiece { found } => write!(f, "{found:?} is no piece; pieces are KQBNRP and kqbnrp"),
            Self::KingInPocket { found } => write!(f, "a pocket holds no king, but here is {found:?}"),
            Self::RankTooLong { rank } => write!(f, "rank {rank} has more than 8 squares"),
            Self::RankTooShort { rank, squares } => write!(f, "rank {rank} has {squares} squares, not 8"),
            Self::MissingSections { found } => {
                write!(f, "a board is eight ranks and the pockets with / between, and here are {found} ranks")
            }
            Self::TooManySections {} => write!(f, "there is nothing behind the pockets"),
            Self::PawnOnRank { rank } => write!(f, "no pawn can be on rank {rank}"),
            Self::Kings { side, found } => write!(f, "{side} has {found} kings, not one"),
            Self::NoSide { found } if found.is_empty() => write!(f, "a space and w or b must follow: whose move it is"),
            Self::NoSide { found } => write!(f, "{found:?} is neither w nor b"),
            Self::TooLong { most } => write!(f, "a position has at most {most} characters"),
        }
    }
}
