//! Moves as chess players write them: `Nf3`, `exd5`, `a8=Q`, `N@c4`, `Qxf7#`.

use std::fmt;

use crazyhouse_rules::{Kind, Move, MoveList, Origin, Position, Square};

/// The reasons why a text is not a move of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the line of a variant explains its fields")]
pub enum SanError {
    /// The text does not have the form of a move.
    NotAMove { text: String },
    /// There is no castling in these rules.
    Castling {},
    /// A pawn becomes a queen, and nothing else.
    Promotion { to: char },
    /// No legal move is meant.
    Illegal { text: String },
    /// The text can mean several legal moves.
    Ambiguous { text: String, moves: Vec<Move> },
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAMove { text } => write!(f, "{text:?} is not a move; a move is like Nf3, exd5, a8=Q or N@c4"),
            Self::Castling {} => write!(f, "there is no castling in these rules"),
            Self::Promotion { to } => write!(f, "a pawn becomes a queen in these rules, not {to}"),
            Self::Illegal { text } => write!(f, "{text} is not a legal move"),
            Self::Ambiguous { text, moves } => {
                let moves: Vec<String> = moves.iter().take(4).map(ToString::to_string).collect();
                write!(f, "{text} can be {}", moves.join(" or "))
            }
        }
    }
}

impl std::error::Error for SanError {}

/// The legal moves of a position. A king is never taken.
fn legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let king = position.pieces(position.turn().other(), Kind::King);
    moves.as_slice().iter().copied().filter(|legal| king & legal.to().bit() == 0).collect()
}

/// A legal move as chess players write it, with `+` for a check and `#` for a mate.
pub fn write(position: &Position, legal: Move) -> String {
    let next = position.after(legal);
    let end = match (next.in_check(next.turn()), next.is_mate()) {
        (_, true) => "#",
        (true, false) => "+",
        (false, false) => "",
    };
    let to = legal.to();
    let from = match legal.origin() {
        Origin::Pocket(piece) => return format!("{}@{to}{end}", letter(piece.kind)),
        Origin::Board(from) => from,
    };
    let takes = if position.piece_at(to).is_some() { "x" } else { "" };
    let kind = position.kind_at(from);
    if kind == Kind::Pawn {
        let file = if takes.is_empty() { String::new() } else { file(from).to_string() };
        let queens = if matches!(to.rank(), 0 | 7) { "=Q" } else { "" };
        return format!("{file}{takes}{to}{queens}{end}");
    }
    format!("{}{}{takes}{to}{end}", letter(kind), which(position, legal, from, kind))
}

/// The part that tells a piece from others of its kind that can go to the same square.
fn which(position: &Position, legal: Move, from: Square, kind: Kind) -> String {
    let other = |other: &Move| match other.origin() {
        Origin::Board(square) if *other != legal && other.to() == legal.to() => {
            Some(square).filter(|square| position.kind_at(*square) == kind)
        }
        Origin::Board(_) | Origin::Pocket(_) => None,
    };
    let others: Vec<Square> = legal_moves(position).iter().filter_map(other).collect();
    let [same_file, same_rank] = [
        others.iter().any(|other| other.file() == from.file()),
        others.iter().any(|other| other.rank() == from.rank()),
    ];
    match (others.is_empty(), same_file, same_rank) {
        (true, _, _) => String::new(),
        (false, false, _) => file(from).to_string(),
        (false, true, false) => (from.rank() + 1).to_string(),
        (false, true, true) => from.to_string(),
    }
}

/// Reads a move that is legal in a position: as chess players write it, or in the notation of these rules. Marks such as `!` and
/// missing `x`, `+` and `=Q` do not matter.
///
/// # Errors
/// If the text means no legal move, or several.
pub fn read(position: &Position, text: &str) -> Result<Move, SanError> {
    let wanted = text.trim_end_matches(['+', '#', '!', '?']);
    let legal = legal_moves(position);
    if let Some(exact) = Move::read(wanted) {
        return Some(exact).filter(|exact| legal.contains(exact)).ok_or_else(|| illegal(text));
    }
    if matches!(wanted, "O-O" | "O-O-O" | "0-0" | "0-0-0") {
        return Err(SanError::Castling {});
    }
    let meant = Meant::read(wanted).ok_or_else(|| SanError::NotAMove { text: short(text) })?;
    if let Some(to) = meant.promotion.filter(|to| *to != 'Q') {
        return Err(SanError::Promotion { to });
    }
    let found: Vec<Move> = legal.into_iter().filter(|legal| meant.fits(position, *legal)).collect();
    match found[..] {
        [found] => Ok(found),
        [] => Err(illegal(text)),
        _ => Err(SanError::Ambiguous { text: short(text), moves: found }),
    }
}

fn illegal(text: &str) -> SanError {
    SanError::Illegal { text: short(text) }
}

/// The beginning of a text, for a message.
fn short(text: &str) -> String {
    text.chars().take(20).collect()
}

/// The parts of a written move.
struct Meant {
    is_drop: bool,
    kind: Kind,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
    promotion: Option<char>,
}

impl Meant {
    fn read(text: &str) -> Option<Self> {
        if let Some((piece, to)) = text.split_once('@') {
            let kind = match piece.as_bytes() {
                [] => Kind::Pawn,
                [letter] => kind_of(*letter).filter(|kind| *kind != Kind::King)?,
                _ => return None,
            };
            let to = Square::read(to.as_bytes())?;
            return Some(Self { is_drop: true, kind, file: None, rank: None, to, promotion: None });
        }
        let (text, promotion) = match text.as_bytes() {
            [.., b'=', b'A'..=b'Z'] => (&text[..text.len() - 2], text.chars().last()),
            [_, .., b'1' | b'8', b'A'..=b'Z'] => (&text[..text.len() - 1], text.chars().last()),
            _ => (text, None),
        };
        let (kind, rest) = match text.as_bytes() {
            [first @ b'A'..=b'Z', rest @ ..] => (kind_of(*first)?, rest),
            rest => (Kind::Pawn, rest),
        };
        let (before, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let to = Square::read(to)?;
        let (file, rank) = match *before.strip_suffix(b"x").unwrap_or(before) {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
            _ => return None,
        };
        Some(Self { is_drop: false, kind, file, rank, to, promotion })
    }

    fn fits(&self, position: &Position, legal: Move) -> bool {
        let fits = match legal.origin() {
            Origin::Pocket(piece) => self.is_drop && piece.kind == self.kind,
            Origin::Board(from) => {
                !self.is_drop
                    && position.kind_at(from) == self.kind
                    && self.file.is_none_or(|file| from.file() == file)
                    && self.rank.is_none_or(|rank| from.rank() == rank)
            }
        };
        fits && legal.to() == self.to
    }
}

/// The letter of a kind of piece; also a pawn's, which only drops have.
fn letter(kind: Kind) -> char {
    match kind {
        Kind::Pawn => 'P',
        Kind::Knight => 'N',
        Kind::Bishop => 'B',
        Kind::Rook => 'R',
        Kind::Queen => 'Q',
        Kind::King => 'K',
    }
}

fn kind_of(written: u8) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| letter(*kind) as u8 == written)
}

fn file(square: Square) -> char {
    (b'a' + square.file()) as char
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position {
        text.parse().expect("a position")
    }

    /// A move is written like this, and read from it and from its other forms.
    #[track_caller]
    fn check(at: &str, legal: &str, san: &str, others: &[&str]) {
        let (position, legal) = (position(at), Move::read(legal).expect("a move"));
        assert_eq!(write(&position, legal), san);
        for text in others.iter().copied().chain([san, &legal.to_string()]) {
            assert_eq!(read(&position, text), Ok(legal), "{text}");
        }
    }

    #[test]
    fn moves() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w";
        check(start, "e2-e4", "e4", &["e4!", "e2e4", "e4?!"]);
        check(start, "g1-f3", "Nf3", &["Ngf3", "N1f3", "Ng1f3", "Nf3+"]);
        let drops = "4k3/8/8/8/8/8/8/4K3/NPq w";
        check(drops, "N-c4", "N@c4", &[]);
        check(drops, "N-d6", "N@d6+", &["N@d6"]);
        check(drops, "P-e6", "P@e6", &["@e6"]);
        check("4k3/P7/8/8/8/8/8/4K3/ w", "a7-a8", "a8=Q+", &["a8", "a8=Q", "a8Q"]);
        check("1n2k3/P7/8/8/8/8/8/4K3/ w", "a7-b8", "axb8=Q+", &["ab8", "axb8"]);
        check("6k1/5ppp/8/8/8/8/8/R5K1/ w", "a1-a8", "Ra8#", &["Ra8", "Ra8+"]);
    }

    #[test]
    fn pieces_that_could_go_to_the_same_square() {
        let rooks = "4k3/8/8/R6R/8/8/8/R3K3/ w";
        check(rooks, "a5-d5", "Rad5", &[]);
        check(rooks, "a5-a3", "R5a3", &[]);
        let queens = "2k5/8/8/8/4Q2Q/8/8/K6Q/ w";
        check(queens, "h4-e1", "Qh4e1", &[]);
        // The knight on c3 is pinned, so there is no doubt which one moves.
        check("4k3/8/8/8/1b6/2N5/8/4K1N1/ w", "g1-e2", "Ne2", &["Nge2"]);
        let knights = position("4k3/8/8/8/8/2N5/8/4K1N1/ w");
        let error = read(&knights, "Ne2").expect_err("two knights can go there");
        assert_eq!(error.to_string(), "Ne2 can be g1-e2 or c3-e2");
    }

    #[test]
    fn what_is_not_a_move() {
        let start = Position::start();
        for (text, words) in [
            ("", "\"\" is not a move; a move is like Nf3, exd5, a8=Q or N@c4"),
            ("e", "\"e\" is not a move; a move is like Nf3, exd5, a8=Q or N@c4"),
            ("Xf3", "\"Xf3\" is not a move; a move is like Nf3, exd5, a8=Q or N@c4"),
            ("ä4", "\"ä4\" is not a move; a move is like Nf3, exd5, a8=Q or N@c4"),
            ("K@e4", "\"K@e4\" is not a move; a move is like Nf3, exd5, a8=Q or N@c4"),
            ("NN@e4", "\"NN@e4\" is not a move; a move is like Nf3, exd5, a8=Q or N@c4"),
            ("O-O", "there is no castling in these rules"),
            ("e8=N", "a pawn becomes a queen in these rules, not N"),
            ("e5", "e5 is not a legal move"),
            ("Nd4", "Nd4 is not a legal move"),
            ("N@e4", "N@e4 is not a legal move"),
            ("e2-e5", "e2-e5 is not a legal move"),
        ] {
            assert_eq!(read(&start, text).expect_err("not a move").to_string(), words);
        }
    }
}
