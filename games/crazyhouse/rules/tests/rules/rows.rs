//! Each row is a position, a player, a move, and the result: the board, the next player, and whether and how the game is over.

use crazyhouse_rules::{Contest, Position, Side};

/// `expected` is `BOARD w` and the state of the game, or `refused: WORDS`. A refused move must change nothing.
#[track_caller]
fn check(position: &str, player: Side, text: &str, expected: &str) {
    let start: Position = position.parse().expect("a position");
    let mut contest = Contest::new(start);
    let came = match contest.try_move(player, text) {
        Ok(_) => {
            let played = contest.history().last().expect("the history grows by one");
            assert_eq!((contest.history().len(), played.before), (1, start));
            assert_eq!(played.played.to_string(), text);
            stands(&contest)
        }
        Err(refusal) => {
            assert_eq!(contest, Contest::new(start), "a refused move changes nothing");
            format!("refused: {refusal}")
        }
    };
    assert_eq!(came, expected, "{player} {text} in {position}");
}

/// The position, and the state of the game: finished, drawn, and the winner.
fn stands(contest: &Contest) -> String {
    let stands = match contest.outcome() {
        None => "goes on".into(),
        Some(outcome) => match outcome.winner {
            Some(winner) => format!("finished, {winner} wins"),
            None => "finished, a draw".into(),
        },
    };
    format!("{}: {stands}", contest.position())
}

use Side::{Black, White};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w";

#[test]
fn pawns() {
    check(START, White, "e2-e3", "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR/ b: goes on");
    check(START, White, "e2-e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR/ b: goes on");
    check(START, White, "e2-e5", "refused: The pawn cannot go to e5.");
    check(START, White, "e2-d3", "refused: The pawn cannot go to d3.");
    check(START, White, "e2-e1", "refused: Your own piece is on e1.");
    let two = "4k3/8/8/3p4/4P3/8/8/4K3/ w";
    check(two, White, "e4-d5", "4k3/8/8/3P4/8/8/8/4K3/P b: goes on");
    check(two, White, "e4-f5", "refused: The pawn cannot go to f5.");
    check(two, White, "e4-e6", "refused: The pawn cannot go to e6.");
    let black = "4k3/3p4/8/8/4p3/3P4/8/4K3/ b";
    check(black, Black, "d7-d5", "4k3/8/8/3p4/4p3/3P4/8/4K3/ w: goes on");
    check(black, Black, "e4-d3", "4k3/3p4/8/8/8/3p4/8/4K3/p w: goes on");
    check(black, Black, "e4-e5", "refused: The pawn cannot go to e5.");
    let blocked = "4k3/8/8/8/4p3/3p4/3PP3/4K3/ w";
    check(blocked, White, "e2-e3", "4k3/8/8/8/4p3/3pP3/3P4/4K3/ b: goes on");
    check(blocked, White, "e2-e4", "refused: The pawn cannot go to e4.");
    check(blocked, White, "d2-d4", "refused: The pawn cannot go to d4.");
}

#[test]
fn pawns_become_queens_and_stay_queens() {
    let last = "1n2k3/P7/8/8/8/8/p7/1N2K3/ w";
    check(last, White, "a7-a8", "Qn2k3/8/8/8/8/8/p7/1N2K3/ b: goes on");
    check(last, White, "a7-b8", "1Q2k3/8/8/8/8/8/p7/1N2K3/N b: goes on");
    check("1n2k3/P7/8/8/8/8/p7/1N2K3/ b", Black, "a2-b1", "1n2k3/P7/8/8/8/8/8/1q2K3/n w: goes on");
    let promoted = "Qn2k3/8/8/8/8/b7/8/4K3/ w";
    check(promoted, White, "a8-a3", "1n2k3/8/8/8/8/Q7/8/4K3/B b: goes on");
    check("Q3k3/1b6/8/8/8/8/8/4K3/ b", Black, "b7-a8", "b3k3/8/8/8/8/8/8/4K3/q w: goes on");
}

#[test]
fn pieces() {
    let all = "4k3/8/8/3pp3/8/2N1BR2/8/Q3K3/ w";
    check(all, White, "c3-d5", "4k3/8/8/3Np3/8/4BR2/8/Q3K3/P b: goes on");
    check(all, White, "c3-c4", "refused: The knight cannot go to c4.");
    check(all, White, "e3-h6", "4k3/8/7B/3pp3/8/2N2R2/8/Q3K3/ b: goes on");
    check(all, White, "e3-e4", "refused: The bishop cannot go to e4.");
    check(all, White, "f3-f8", "4kR2/8/8/3pp3/8/2N1B3/8/Q3K3/ b: goes on");
    check(all, White, "f3-d3", "refused: The rook cannot go to d3.");
    check(all, White, "a1-c1", "4k3/8/8/3pp3/8/2N1BR2/8/2Q1K3/ b: goes on");
    check(all, White, "a1-d4", "refused: The queen cannot go to d4.");
    check(all, White, "a1-c3", "refused: Your own piece is on c3.");
    check(all, White, "e1-d2", "4k3/8/8/3pp3/8/2N1BR2/3K4/Q7/ b: goes on");
    check(all, White, "e1-e2", "4k3/8/8/3pp3/8/2N1BR2/4K3/Q7/ b: goes on");
    check(all, White, "e1-c1", "refused: The king cannot go to c1.");
}

#[test]
fn castling_and_en_passant_are_no_moves() {
    check("r3k2r/8/8/8/8/8/8/R3K2R/ w", White, "e1-g1", "refused: The king cannot go to g1.");
    check("r3k2r/8/8/8/8/8/8/R3K2R/ b", Black, "e8-c8", "refused: The king cannot go to c8.");
    check("4k3/8/8/3pP3/8/8/8/4K3/ w", White, "e5-d6", "refused: The pawn cannot go to d6.");
}

#[test]
fn drops() {
    let pockets = "4k3/8/8/8/8/8/8/4K3/NPPbr w";
    check(pockets, White, "N-f6", "4k3/8/5N2/8/8/8/8/4K3/PPbr b: goes on");
    check(pockets, White, "P-a2", "4k3/8/8/8/8/8/P7/4K3/NPbr b: goes on");
    check(pockets, White, "P-a7", "4k3/P7/8/8/8/8/8/4K3/NPbr b: goes on");
    check(pockets, White, "P-a1", "refused: a1 is on an end rank, where no pawn is dropped.");
    check(pockets, White, "P-a8", "refused: a8 is on an end rank, where no pawn is dropped.");
    check(pockets, White, "N-a1", "4k3/8/8/8/8/8/8/N3K3/PPbr b: goes on");
    check(pockets, White, "N-e8", "refused: e8 is not empty; a piece is dropped on an empty square.");
    check(pockets, White, "N-e1", "refused: e1 is not empty; a piece is dropped on an empty square.");
    check(pockets, White, "R-a4", "refused: You have no rook in your pocket.");
    check(pockets, White, "b-a4", "refused: b is not yours; drop B.");
    let black = "4k3/8/8/8/8/8/8/4K3/NPPbr b";
    check(black, Black, "b-a4", "4k3/8/8/8/b7/8/8/4K3/NPPr w: goes on");
    check(black, Black, "N-a4", "refused: N is not yours; drop n.");
    check(black, Black, "p-a4", "refused: You have no pawn in your pocket.");
    // A dropped pawn may move two squares from its home rank like any other pawn.
    check("4k3/8/8/8/8/8/P7/4K3/ w", White, "a2-a4", "4k3/8/8/8/P7/8/8/4K3/ b: goes on");
}

#[test]
fn kings_in_check() {
    let pinned = "4r1k1/8/8/8/8/8/4N3/4K3/P w";
    check(pinned, White, "e2-c3", "refused: Your king would be in check.");
    check(pinned, White, "P-d2", "4r1k1/8/8/8/8/8/3PN3/4K3/ b: goes on");
    let rook = "4r1k1/8/8/8/8/8/4R3/4K3/ w";
    check(rook, White, "e2-e5", "4r1k1/8/8/4R3/8/8/8/4K3/ b: goes on");
    check(rook, White, "e2-e8", "4R1k1/8/8/8/8/8/8/4K3/R b: goes on");
    check(rook, White, "e2-d2", "refused: Your king would be in check.");
    let check_on_file = "4r1k1/8/8/8/8/8/8/4K3/B w";
    check(check_on_file, White, "B-e4", "4r1k1/8/8/8/4B3/8/8/4K3/ b: goes on");
    check(check_on_file, White, "B-d4", "refused: Your king would be in check.");
    check(check_on_file, White, "e1-e2", "refused: Your king would be in check.");
    check(check_on_file, White, "e1-d1", "4r1k1/8/8/8/8/8/8/3K4/B b: goes on");
    check("8/8/8/3k4/8/3K4/8/8/ w", White, "d3-d4", "refused: Your king would be in check.");
    // A king cannot step back on the line of a check.
    check("4k3/8/8/8/4r3/4K3/8/8/ w", White, "e3-e2", "refused: Your king would be in check.");
    check("4k3/8/8/8/4r3/4K3/8/8/ w", White, "e3-e4", "4k3/8/8/8/4K3/8/8/8/R b: goes on");
}

#[test]
fn mates() {
    let fools = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR/ b";
    check(fools, Black, "d8-h4", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR/ w: finished, Black wins");
    // A side that can block the check with a drop is not mated.
    let back_rank = "6k1/5ppp/8/8/8/8/8/R5K1/n w";
    check(back_rank, White, "a1-a8", "R5k1/5ppp/8/8/8/8/8/6K1/n b: goes on");
    check("6k1/5ppp/8/8/8/8/8/R5K1/ w", White, "a1-a8", "R5k1/5ppp/8/8/8/8/8/6K1/ b: finished, White wins");
    check("6k1/5ppp/8/8/8/8/8/R5K1/p w", White, "a1-a8", "R5k1/5ppp/8/8/8/8/8/6K1/p b: finished, White wins");
    check("6k1/5ppp/8/8/8/8/8/6K1/R w", White, "R-a8", "R5k1/5ppp/8/8/8/8/8/6K1/ b: finished, White wins");
    // A side that has no move and is not in check: the game does not end.
    check("7k/8/6K1/8/8/8/8/5Q2/ w", White, "f1-f7", "7k/5Q2/6K1/8/8/8/8/8/ b: goes on");
}

#[test]
fn what_is_no_move() {
    let forms = "is not a move; a move is like b3-c4, a drop like r-c4 (black) or P-e6 (white).";
    for text in [
        "", "e2", "e2e4", "e2-e9", "i2-e4", "E2-e4", "e2-E4", "e2-e4 ", " e2-e4", "e2–e4", "e2-e4q", "K-e4", "x-e4",
        "P-e", "-e4",
    ] {
        check(START, White, text, &format!("refused: {text:?} {forms}"));
    }
    let long = "e2-e4".repeat(1000);
    check(START, White, &long, &format!("refused: \"e2-e4e2-e4e2-e4e2-e4\" {forms}"));
    check(START, White, "e4-e5", "refused: There is no piece on e4.");
    check(START, White, "e7-e5", "refused: On e7 is a black pawn, which is not yours.");
    check(START, Black, "e7-e5", "refused: It is White's move.");
    check(START, Black, "e2-e4", "refused: It is White's move.");
    check(START, Black, "nonsense", "refused: It is White's move.");
}

#[test]
fn a_king_is_never_taken() {
    let position = "rnbQ2Q1/pppp3p/6k1/8/1P6/8/Pn1pPKPP/RNB2BNR/BPQRppq w";
    check(position, White, "g8-g6", "refused: The king on g6 cannot be taken.");
    check(position, White, "b4-b5", "rnbQ2Q1/pppp3p/6k1/1P6/8/8/Pn1pPKPP/RNB2BNR/BPQRppq b: goes on");
}

#[test]
fn after_the_end() {
    let mut contest = Contest::new("6k1/5ppp/8/8/8/8/8/R5K1/ w".parse().expect("a position"));
    contest.try_move(White, "a1-a8").expect("it mates");
    for player in Side::BOTH {
        assert_eq!(contest.try_move(player, "g1-f1").expect_err("it is over").to_string(), "The game is over.");
        assert_eq!(contest.resign(player).expect_err("it is over").to_string(), "The game is over.");
        assert_eq!(contest.offer_draw(player).expect_err("it is over").to_string(), "The game is over.");
    }
    assert_eq!(stands(&contest), "R5k1/5ppp/8/8/8/8/8/6K1/ b: finished, White wins");
}

#[test]
fn draws_and_resigning() {
    let fresh = || Contest::new(Position::start());
    let mut contest = fresh();
    assert_eq!(contest.accept_draw(Black).expect_err("there is no offer").to_string(), "There is no draw offer.");
    contest.offer_draw(White).expect("a player may offer");
    assert_eq!(
        contest.offer_draw(White).expect_err("it is offered").to_string(),
        "You have offered a draw; wait for the answer."
    );
    assert_eq!(contest.accept_draw(White).expect_err("it is the other's").to_string(), "There is no draw offer.");
    contest.decline_draw(Black).expect("it was offered");
    contest.offer_draw(Black).expect("also out of turn");
    contest.accept_draw(White).expect("it was offered");
    assert_eq!(stands(&contest), format!("{START}: finished, a draw"));

    let mut contest = fresh();
    contest.offer_draw(White).expect("a player may offer");
    contest.try_move(White, "e2-e4").expect("a move");
    assert_eq!(contest.offer(), Some(White), "an offer stands while the one who made it moves");
    contest.try_move(Black, "e7-e5").expect("a move");
    assert_eq!(contest.offer(), None, "a move declines the offer");

    let mut contest = fresh();
    contest.resign(White).expect("a player may resign");
    assert_eq!(stands(&contest), format!("{START}: finished, Black wins"));
}

#[test]
fn takebacks() {
    let mut contest = Contest::new(Position::start());
    assert!(contest.ask_takeback(White).is_err(), "White has not moved");
    contest.try_move(White, "e2-e4").expect("a move");
    contest.try_move(Black, "d7-d5").expect("a move");
    let after_two = stands(&contest);
    contest.try_move(White, "e4-d5").expect("a move");
    assert!(contest.allow_takeback(Black).is_err(), "there is no question");
    contest.ask_takeback(White).expect("White has moved");
    contest.refuse_takeback(Black).expect("White has asked");
    contest.ask_takeback(White).expect("White may ask again");
    assert_eq!(contest.allow_takeback(Black), Ok(1));
    assert_eq!(stands(&contest), after_two, "the pawn is back, and not in the pocket");
    contest.ask_takeback(White).expect("White has moved before");
    assert_eq!(contest.allow_takeback(Black), Ok(2));
    assert_eq!(stands(&contest), format!("{START}: goes on"));
}

#[test]
fn starting_anywhere() {
    let mut contest = Contest::new(Position::start());
    contest.try_move(White, "e2-e4").expect("a move");
    contest.set_board("4k3/8/8/8/8/8/8/4K3/q").expect("a board");
    assert_eq!(stands(&contest), "4k3/8/8/8/8/8/8/4K3/q b: goes on", "the same side is to move");
    contest.set_next_player(White);
    assert_eq!(stands(&contest), "4k3/8/8/8/8/8/8/4K3/q w: goes on");
    assert_eq!(contest.history(), []);
    assert!(contest.set_board("4k3/8/8/8/8/8/8/4K3").is_err());
    assert_eq!(stands(&contest), "4k3/8/8/8/8/8/8/4K3/q w: goes on", "what is no board changes nothing");
}
