//! Games in PGN, SAN and FEN, compared with python-chess: what it reads and writes again is the same game.

use std::{
    fmt::Write as _,
    io::Write as _,
    process::{Command, Output, Stdio},
};

use crazyhouse::chess::{fen, pgn::Pgn, san};
use crazyhouse_rules::{Kind, MoveList, Origin, Position};
use engine::JavaRandom;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/chess/round_trip.py");
const GAMES: i64 = 60;
const LONGEST: usize = 160;

/// Whether python-chess is there. Without it, the test says that it is skipped, or fails if `HOLDFAST_CI` is set.
fn has_python_chess() -> bool {
    let mut python = Command::new("python3");
    python.args(["-c", "import chess.variant"]).stdout(Stdio::null()).stderr(Stdio::null());
    let found = python.status().is_ok_and(|status| status.success());
    assert!(found || std::env::var_os("HOLDFAST_CI").is_none(), "no python-chess here, and HOLDFAST_CI asks for it");
    if !found {
        let _closed = writeln!(std::io::stderr(), "skipped: there is no python-chess");
    }
    found
}

/// A random game that prefers captures, drops and promotions, so that pockets are full.
fn random_game(seed: i64, start: Position) -> Pgn {
    let mut random = JavaRandom::new(seed);
    let (mut position, mut moves, mut list) = (start, Vec::new(), MoveList::new());
    while moves.len() < LONGEST {
        position.legal_moves(&mut list);
        let is_lively = |legal: &&crazyhouse_rules::Move| match legal.origin() {
            Origin::Pocket(_) => legal.to().rank().is_multiple_of(3),
            Origin::Board(from) => {
                position.piece_at(legal.to()).is_some()
                    || position.kind_at(from) == Kind::Pawn && matches!(legal.to().rank(), 0 | 7)
            }
        };
        let lively: Vec<_> = list.as_slice().iter().filter(is_lively).copied().collect();
        let choices = if lively.is_empty() || random.next_below(3) == 0 { list.as_slice() } else { &lively };
        let Ok(count @ 1..) = i32::try_from(choices.len()) else { break };
        let made = choices[random.next_below(count) as usize];
        moves.push(made);
        position = position.after(made);
    }
    let tags = [("Event", "a \"random\" game \\ test"), ("White", "Ana"), ("Black", "Bo"), ("Result", "*")];
    let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    Pgn { tags, start, moves, result: "*" }
}

fn python(text: &str) -> Output {
    let mut python = Command::new("python3");
    python.arg(SCRIPT).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = python.spawn().expect("python3 starts");
    let (mut input, text) = (child.stdin.take().expect("a pipe"), text.to_owned());
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("python3 ends");
    writer.join().expect("the writer ends").expect("python3 reads everything");
    output
}

#[test]
fn python_chess_reads_and_writes_the_same_games() {
    if !has_python_chess() {
        return;
    }
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w",
        "r4rk1/ppp2pp1/2nq1n1p/2b1p3/8/2P1BN2/PP3PPP/R2Q1RK1/BNPPbp w",
        "4k3/P6P/8/8/8/8/p6p/4K3/BNPQRbnpqr b",
    ];
    let game = |seed: i64| random_game(seed, starts[seed as usize % 3].parse().expect("a position"));
    let games: Vec<Pgn> = (0..GAMES).map(game).collect();
    let text: String = games.iter().map(|game| format!("{game}\n")).collect();
    let Output { status, stdout, stderr } = python(&text);
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    let written = String::from_utf8(stdout).expect("text");

    let (mut seen, mut expected) = (String::new(), String::new());
    for line in written.lines().filter(|line| line.starts_with("# ")) {
        writeln!(seen, "{}", line.replace("# @", "# P@")).expect("a string");
    }
    let [mut mates, mut drops, mut promotions] = [0; 3];
    for game in &games {
        let mut position = game.start;
        for made in &game.moves {
            let text = san::write(&position, *made);
            position = position.after(*made);
            let fen = fen::write(&position, 1);
            let fields: Vec<&str> = fen.split(' ').collect();
            let mate = if position.is_mate() { "True" } else { "False" };
            writeln!(expected, "# {text} {} {} {mate}", in_its_order(fields[0]), fields[1]).expect("a string");
            mates += usize::from(text.ends_with('#'));
            drops += usize::from(text.contains('@'));
            promotions += usize::from(text.contains("=Q"));
        }
    }
    for (number, (seen, expected)) in seen.lines().zip(expected.lines()).enumerate() {
        assert_eq!(seen, expected, "move {number}");
    }
    assert_eq!(seen.lines().count(), expected.lines().count());
    assert!(mates > 3 && drops > 500 && promotions > 20, "{mates} mates, {drops} drops, {promotions} promotions");

    let text: String = written.lines().filter(|line| !line.starts_with("# ")).map(|line| format!("{line}\n")).collect();
    let again = Pgn::read_all(&text).expect("what python-chess writes is read");
    assert_eq!(again.len(), games.len());
    for (again, game) in again.iter().zip(&games) {
        assert_eq!((again.start, &again.moves, again.result), (game.start, &game.moves, game.result));
        assert_eq!((again.tag("White"), again.tag("Event")), (game.tag("White"), game.tag("Event")));
    }
}

/// A board in FEN with the pockets in the order of python-chess: White first, the most valuable piece first.
fn in_its_order(board: &str) -> String {
    let (ranks, pockets) = board.split_once('[').expect("pockets");
    let mut pockets: Vec<char> = pockets.trim_end_matches(']').chars().collect();
    let place = |letter: &char| "QRBNPqrbnp".find(*letter);
    pockets.sort_by_key(place);
    format!("{ranks}[{}]", pockets.iter().collect::<String>())
}
