//! Positions as chess programs write them: `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 1`.

use std::fmt;

use crazyhouse_rules::{Position, PositionError, Side};

/// The reasons why a text is not a position in FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the line of a variant explains its fields")]
pub enum FenError {
    /// There are too many or too few fields.
    Fields { found: usize },
    /// The side to move is neither `w` nor `b`.
    Side { found: String },
    /// The pocket has no end, or something follows it.
    Pocket {},
    /// The board cannot be read.
    Board(PositionError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fields { found } => write!(f, "a FEN has 2 to 6 fields, not {found}"),
            Self::Side { found } => write!(f, "the side to move is w or b, not {found:?}"),
            Self::Pocket {} => write!(f, "the pockets are in brackets behind the last rank, such as [QNp]"),
            Self::Board(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for FenError {}

/// Whether a text is meant as FEN, and not as a position of these rules.
pub fn is_fen(text: &str) -> bool {
    let mut fields = text.split_whitespace();
    let board = fields.next().unwrap_or_default();
    board.contains('[') || fields.count() > 1 || (text.contains(' ') && board.matches('/').count() == 7)
}

/// A position in FEN. `number` is the number of the move, from 1.
pub fn write(position: &Position, number: usize) -> String {
    let board = position.board();
    let (ranks, pockets) = board.rsplit_once('/').unwrap_or((&board, ""));
    format!("{ranks}[{pockets}] {} - - 0 {number}", position.turn().letter())
}

/// Reads a position in FEN. Pockets are in brackets or a ninth section. Marks of promoted pieces, castling rights, a square for en
/// passant and counters are ignored, because these rules have none of them.
///
/// # Errors
/// If the text is not a position.
pub fn read(text: &str) -> Result<Position, FenError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (board, side) = match fields[..] {
        [board, side, ..] if fields.len() <= 6 => (board, side),
        _ => return Err(FenError::Fields { found: fields.len() }),
    };
    let turn = match side {
        "w" => Side::White,
        "b" => Side::Black,
        _ => return Err(FenError::Side { found: side.chars().take(10).collect() }),
    };
    let board = board.replace('~', "");
    let board = match board.split_once('[') {
        Some((ranks, pockets)) => {
            let pockets = pockets.strip_suffix(']').ok_or(FenError::Pocket {})?;
            // Some programs write an empty pocket as a dash.
            format!("{ranks}/{}", if pockets == "-" { "" } else { pockets })
        }
        None if board.matches('/').count() == 7 => format!("{board}/"),
        None => board,
    };
    Position::read_board(&board, turn).map_err(FenError::Board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        for (fen, position) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w",
            ),
            ("4k3/8/8/8/8/8/8/4K3[NPPq] b - - 0 1", "4k3/8/8/8/8/8/8/4K3/NPPq b"),
        ] {
            let read_back = read(fen).expect("a FEN");
            assert_eq!((read_back.to_string().as_str(), write(&read_back, 1).as_str()), (position, fen));
        }
        let same =
            ["4k3/8/8/8/8/8/8/Q~3K3[qn] w KQkq e3 3 12", "4k3/8/8/8/8/8/8/Q3K3/nq w", "4k3/8/8/8/8/8/8/Q3K3[nq] w -"];
        for text in same {
            assert_eq!(read(text).expect("a FEN").to_string(), "4k3/8/8/8/8/8/8/Q3K3/nq w", "{text}");
        }
        assert_eq!(read("4k3/8/8/8/8/8/8/4K3 b").expect("a FEN").to_string(), "4k3/8/8/8/8/8/8/4K3/ b");
    }

    #[test]
    fn what_is_meant() {
        assert!(is_fen("4k3/8/8/8/8/8/8/4K3[] w"));
        assert!(is_fen("4k3/8/8/8/8/8/8/4K3/q w - - 0 1"));
        assert!(is_fen("4k3/8/8/8/8/8/8/4K3 w"));
        assert!(!is_fen("4k3/8/8/8/8/8/8/4K3/q w"));
        assert!(!is_fen("4k3/8/8/8/8/8/8/4K3"));
        assert!(!is_fen(""));
    }

    #[test]
    fn mistakes() {
        for (text, words) in [
            ("", "a FEN has 2 to 6 fields, not 0"),
            ("4k3/8/8/8/8/8/8/4K3[]", "a FEN has 2 to 6 fields, not 1"),
            ("4k3/8/8/8/8/8/8/4K3[] w - - 0 1 x", "a FEN has 2 to 6 fields, not 7"),
            ("4k3/8/8/8/8/8/8/4K3[] white", "the side to move is w or b, not \"white\""),
            ("4k3/8/8/8/8/8/8/4K3[Q w", "the pockets are in brackets behind the last rank, such as [QNp]"),
            ("4k3/8/8/8/8/8/8/4K3[]Q w", "the pockets are in brackets behind the last rank, such as [QNp]"),
        ] {
            assert_eq!(read(text).expect_err("not a FEN").to_string(), words);
        }
        assert!(matches!(read("4k3/8/8/8/8/8/8/8[] w"), Err(FenError::Board(_))), "White has no king");
        assert!(matches!(read("4k3/8/8/8/8/8/8/4K3[K] w"), Err(FenError::Board(_))), "no king is in a pocket");
    }
}
