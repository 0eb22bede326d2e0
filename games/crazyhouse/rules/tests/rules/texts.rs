//! Positions and moves as text.

use crazyhouse_rules::{Move, MoveList, Position};

#[track_caller]
fn check(text: &str, expected: &str) {
    let came = match text.parse::<Position>() {
        Ok(position) => position.to_string(),
        Err(error) => error.to_string(),
    };
    assert_eq!(came, expected);
}

#[test]
fn the_one_form() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w";
    check(start, start);
    assert_eq!(Position::start().to_string(), start);
    check("4k3/8/8/8/8/8/8/4K3/qPrBpQpR b", "4k3/8/8/8/8/8/8/4K3/BPQRppqr b");
    check("1111k111/44/161/8/8/8/8/211K12/ w", "4k3/8/8/8/8/8/8/4K3/ w");
    let many = format!("4k3/8/8/8/8/8/8/4K3/{} w", "p".repeat(500));
    check(&many, &many);
}

#[test]
fn what_is_no_position() {
    check("", "column 1: a board is eight ranks and the pockets with / between, and here are 0 ranks");
    check("start", "column 1: 's' is no piece; pieces are KQBNRP and kqbnrp");
    check(
        "4k3/8/8/8/8/8/8/4K3",
        "column 20: a board is eight ranks and the pockets with / between, and here are 8 ranks",
    );
    check(
        "4k3/8/8/8/8/8/8/4K3 w",
        "column 20: a board is eight ranks and the pockets with / between, and here are 8 ranks",
    );
    check("4k3/8/8/", "column 9: a board is eight ranks and the pockets with / between, and here are 3 ranks");
    check("4k3/8/7/8/8/8/8/4K3/ w", "column 8: rank 6 has 7 squares, not 8");
    check("4k3/8/71p/8/8/8/8/4K3/ w", "column 9: rank 6 has more than 8 squares");
    check("4k3/8/72/8/8/8/8/4K3/ w", "column 8: rank 6 has more than 8 squares");
    check("4k3/8/9/8/8/8/8/4K3/ w", "column 7: '9' is no piece; pieces are KQBNRP and kqbnrp");
    check("4k3/8/0/8/8/8/8/4K3/ w", "column 7: '0' is no piece; pieces are KQBNRP and kqbnrp");
    check("4k3/8/8/3ü4/8/8/8/4K3/ w", "column 10: 'ü' is no piece; pieces are KQBNRP and kqbnrp");
    check("4k2p/8/8/8/8/8/8/4K3/ w", "column 4: no pawn can be on rank 8");
    check("4k3/8/8/8/8/8/8/P3K3/ w", "column 17: no pawn can be on rank 1");
    check("4k3/8/8/8/8/8/8/4K3/k w", "column 21: a pocket holds no king, but here is 'k'");
    check("4k3/8/8/8/8/8/8/4K3/2 w", "column 21: '2' is no piece; pieces are KQBNRP and kqbnrp");
    check("4k3/8/8/8/8/8/8/4K3/p/ w", "column 22: there is nothing behind the pockets");
    check("4k3/8/8/8/8/8/8/8/ w", "column 19: White has 0 kings, not one");
    check("4k2k/8/8/8/8/8/8/4K3/ w", "column 4: Black has 2 kings, not one");
    check("4k3/8/8/8/8/8/8/4K3/", "column 22: a space and w or b must follow: whose move it is");
    check("4k3/8/8/8/8/8/8/4K3/ x", "column 22: \"x\" is neither w nor b");
    check("4k3/8/8/8/8/8/8/4K3/ w ", "column 22: \"w \" is neither w nor b");
    check("4k3/8/8/8/8/8/8/4K3/  w", "column 22: \" w\" is neither w nor b");
    let endless = format!("4k3/8/8/8/8/8/8/4K3/{} w", "p".repeat(70_000));
    check(&endless, "column 60001: a position has at most 60000 characters");
}

/// Both pockets are full, and a piece of each kind is on the board, so that every kind of text occurs for both sides.
#[test]
fn moves_are_sorted_as_texts() {
    for side in ["w", "b"] {
        let text = format!("rnbqk3/p6p/8/8/8/8/P6P/RNBQK3/BNPQRbnpqr {side}");
        let position: Position = text.parse().expect("a position");
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let mut texts: Vec<String> = moves.as_slice().iter().map(Move::to_string).collect();
        texts.sort();
        assert_eq!(position.moves_text(), texts.join(" "));
        texts.dedup();
        assert_eq!(texts.len(), moves.as_slice().len(), "each move once");
        for (text, legal) in texts.iter().map(|text| (text, Move::read(text))) {
            assert_eq!(legal.map(|legal| legal.to_string()).as_ref(), Some(text));
        }
    }
    let stale: Position = "7k/5Q2/6K1/8/8/8/8/8/ b".parse().expect("a position");
    assert_eq!(stale.moves_text(), "");
}
