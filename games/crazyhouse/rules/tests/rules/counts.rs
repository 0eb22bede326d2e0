//! Perft: counts of move sequences.

use crazyhouse_rules::{Move, MoveList, Position, divide, perft};

/// Counts of ordinary chess that also hold here, and counts of positions with pockets that can be checked by hand.
#[test]
fn known_counts() {
    for (text, depth, count) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w", 4, 197_281),
        // A king in the corner has three moves. A pawn can be dropped on 48 squares; the other king stands on none of them.
        ("7k/8/8/8/8/8/8/K7/ w", 1, 3),
        ("7k/8/8/8/8/8/8/K7/P w", 1, 3 + 48),
        ("7k/8/8/8/8/8/8/K7/PPP w", 1, 3 + 48),
        ("7k/8/8/8/8/8/8/K7/NPp w", 1, 3 + 48 + 62),
        ("7k/8/8/8/8/8/8/K7/ w", 0, 1),
    ] {
        let position: Position = text.parse().expect("a position");
        assert_eq!(perft(&position, depth), count, "{text} to depth {depth}");
        if depth > 0 {
            assert_eq!(divide(&position, depth).iter().map(|(_, count)| count).sum::<u64>(), count);
        }
    }
}

/// Parses every move from its text, and makes it on a position that is parsed from its text.
fn through_texts(text: &str, depth: u32) -> u64 {
    let position: Position = text.parse().expect("a position");
    let moves = position.moves_text();
    let after = |legal: &str| position.after(Move::read(legal).expect("a move")).to_string();
    match depth {
        1 => moves.split_whitespace().count() as u64,
        _ => moves.split_whitespace().map(|legal| through_texts(&after(legal), depth - 1)).sum(),
    }
}

const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w",
    "r2qk2r/1P1b1ppp/2n1pn2/1B6/3P4/2N2N2/PPP2pPP/R1BQ1K1R/NPb w",
    "r1b1kr2/pp3ppp/2n5/3qp3/1b1P4/2N2N2/PPP2PPP/R1BQ1RK1/BPnp b",
    "4k3/P6P/8/8/8/8/p6p/4K3/BNPQRbnpqr w",
];

#[test]
fn texts_lose_nothing() {
    for text in POSITIONS {
        let position: Position = text.parse().expect("a position");
        let depth = if position.moves_text().len() > 400 { 2 } else { 3 };
        assert_eq!(through_texts(text, depth), perft(&position, depth), "{text}");
    }
}

/// No legal move leaves the own king in check, or adds or loses a piece.
#[test]
fn what_legal_moves_leave() {
    for text in POSITIONS {
        let position: Position = text.parse().expect("a position");
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        for legal in moves.as_slice() {
            let next = position.after(*legal);
            assert!(!next.in_check(position.turn()), "{legal} in {text}");
            assert_eq!(next.turn(), position.turn().other());
            let total = |position: &Position| position.board().chars().filter(char::is_ascii_alphabetic).count();
            assert_eq!(total(&next), total(&position), "no piece is made or lost: {legal} in {text}");
        }
    }
}

/// A state that no game reaches must not crash anything.
#[test]
fn without_a_king() {
    let position: Position = "rnbQ2Q1/pppp3p/6k1/8/1P6/8/Pn1pPKPP/RNB2BNR/BPQRppq w".parse().expect("a position");
    let taken = position.after(Move::read("g8-g6").expect("a move"));
    assert_eq!(taken.moves_text(), "", "a side without a king has no moves");
    assert!(!taken.in_check(taken.turn()) && !taken.is_mate());
    assert!(perft(&position, 3) > 0);
}
