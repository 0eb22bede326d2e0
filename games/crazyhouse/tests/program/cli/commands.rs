//! `holdfast crazyhouse` as people and programs call it.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

use crazyhouse::bots::{Bot, foreign::Foreign};
use crazyhouse_rules::Position;

use crate::{holdfast, stdout};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w";
const FROM_START: &str = "a2-a3 a2-a4 b1-a3 b1-c3 b2-b3 b2-b4 c2-c3 c2-c4 d2-d3 d2-d4 e2-e3 e2-e4 f2-f3 f2-f4 \
                          g1-f3 g1-h3 g2-g3 g2-g4 h2-h3 h2-h4\n";
const MATED: &str = "R5k1/5ppp/8/8/8/8/5PPP/6K1/ b";
const DROPS: &str = "7k/8/8/8/8/8/r7/7K/Pp w";

/// Runs a command that must succeed.
#[track_caller]
fn crazyhouse(arguments: &[&str]) -> String {
    let output = holdfast(&[&["crazyhouse"], arguments].concat());
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    stdout(&output)
}

/// `moves` with positions from a pipe.
fn piped() -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    command.args(["crazyhouse", "moves"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let input = child.stdin.take().expect("a pipe");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    (child, input, output)
}

#[test]
fn moves_of_arguments() {
    assert_eq!(crazyhouse(&["moves", "start"]), FROM_START);
    assert_eq!(crazyhouse(&["moves", MATED, START]), format!("\n{FROM_START}"), "an empty line where there is no move");
    let in_brackets = format!("[]\n[{}]\n", FROM_START.trim_end().replace(' ', ","));
    assert_eq!(crazyhouse(&["moves", "--brackets", MATED, START]), in_brackets);
    let drops = crazyhouse(&["moves", DROPS]);
    assert!(drops.starts_with("P-a3 P-a4 ") && drops.ends_with(" P-h7 h1-g1\n"), "{drops}");
}

/// A process that reads each answer before it sends the next position.
#[test]
fn moves_of_a_conversation() {
    let (mut child, mut input, mut output) = piped();
    let mut answer = String::new();
    for position in [START, MATED, "start"] {
        // Sent in two parts. The second part contains the start of the next line.
        input.write_all(format!("{position}\nrn").as_bytes()).expect("it listens");
        answer.clear();
        output.read_line(&mut answer).expect("it answers");
        assert_eq!(answer, if position == MATED { "\n" } else { FROM_START }, "{position}");
        input.write_all(b"bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w\r\n").expect("it listens");
        answer.clear();
        output.read_line(&mut answer).expect("it answers");
        assert_eq!(answer, FROM_START);
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

/// Lines before an invalid line are answered; lines after it are not.
#[track_caller]
fn check_line(lines: &[u8], answers: usize, complaint: &str) {
    let (child, mut input, mut output) = piped();
    // The command stops reading at an invalid line.
    let _read_enough = input.write_all(lines);
    drop(input);
    for _ in 0..answers {
        let mut answer = String::new();
        output.read_line(&mut answer).expect("it answers");
        assert_eq!(answer, FROM_START);
    }
    let mut rest = String::new();
    output.read_line(&mut rest).expect("it ends");
    let ended = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!((rest.as_str(), said.as_ref()), ("", complaint));
    assert_eq!(ended.status.code(), Some(i32::from(!complaint.is_empty())));
}

#[test]
fn lines_that_are_no_position() {
    check_line(b"", 0, "");
    check_line(b"start", 1, "");
    check_line(b"start\nstart\n", 2, "");
    check_line(
        b"start\n8/8\nstart\n",
        1,
        "holdfast: line 2, column 4: a board is eight ranks and the pockets with / between, and here are 2 ranks\n",
    );
    check_line(
        b"start\nstart\n\nstart\n",
        2,
        "holdfast: line 3, column 1: a board is eight ranks and the pockets with / between, and here are 0 ranks\n",
    );
    let no_side = "holdfast: line 1, column 46: a space and w or b must follow: whose move it is\n";
    check_line(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/\n", 0, no_side);
    check_line(b"start\nrn\xff\n", 1, "holdfast: line 2, column 3: this is not UTF-8 text\n");
    check_line(&[b'8'; 200_000], 0, "holdfast: line 1, column 60001: a position has at most 60000 characters\n");
}

#[test]
fn arguments_that_are_no_position() {
    let one = ["moves", "best", "show"].map(|task| vec!["crazyhouse", task, "start w"]);
    for call in one.into_iter().chain([vec!["crazyhouse", "perft", "start w", "1"]]) {
        let output = holdfast(&call);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(output.stdout.is_empty() && said.contains("column 1: 's' is no piece"), "{said}");
    }
}

/// A closed pipe ends the command, and is not an error.
#[test]
fn a_reader_that_goes_away() {
    let (mut child, mut input, output) = piped();
    drop(output);
    while input.write_all(b"start\n").is_ok() {}
    let status = child.wait().expect("it ends");
    assert!(status.success(), "{status}");
    let ended = child.wait_with_output().expect("it ends");
    assert!(ended.stderr.is_empty(), "{ended:?}");
}

#[test]
fn ways_to_go_on() {
    let counts = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split(" nodes").next().unwrap_or(line).to_owned()).collect()
    };
    let text = crazyhouse(&["perft", "start", "4"]);
    assert_eq!(counts(&text), ["depth 1: 20", "depth 2: 400", "depth 3: 8902", "depth 4: 197281"]);
    assert!(text.lines().all(|line| line.contains(" s, ") && line.ends_with(" M nodes/s")), "{text}");
    assert_eq!(counts(&crazyhouse(&["perft", "start", "0"])), ["depth 0: 1"]);
    assert_eq!(counts(&crazyhouse(&["perft", MATED, "2"])), ["depth 1: 0", "depth 2: 0"]);
    let divided = counts(&crazyhouse(&["perft", "start", "3", "--divide"]));
    assert_eq!(divided.len(), 2 + 20 + 1, "{divided:?}");
    assert_eq!(divided[..4], ["depth 1: 20", "depth 2: 400", "a2-a3: 380", "a2-a4: 420"]);
    assert_eq!(divided.last().map(String::as_str), Some("depth 3: 8902"));
}

#[test]
fn the_best_move() {
    let mate = "6k1/5ppp/8/8/8/8/5PPP/R5K1/ w";
    assert_eq!(crazyhouse(&["best", mate]), "a1-a8\n");
    assert_eq!(crazyhouse(&["best", mate, "--nodes", "500"]), "a1-a8\n");
    assert_eq!(crazyhouse(&["best", mate, "--time", "20"]), "a1-a8\n");
    assert_eq!(crazyhouse(&["best", MATED]), "", "nothing where there is no move");
    let nodes = ["best", "start", "--nodes", "5000", "--seed", "3"];
    assert_eq!(crazyhouse(&nodes), crazyhouse(&nodes));
    let text = crazyhouse(&["best", mate, "--verbose"]);
    assert!(text.starts_with("a1-a8\nscore  mates in 1\ndepth  1\nnodes  "), "{text}");
    assert!(text.ends_with("\nline   a1-a8\n"), "{text}");
}

/// `holdfast crazyhouse best` works as a foreign bot.
#[test]
fn best_as_a_bot_of_others() {
    let command = format!("'{}' crazyhouse best --nodes 300", env!("CARGO_BIN_EXE_holdfast"));
    let mut bot = Foreign::new(&command, Duration::from_secs(60)).expect("a command line");
    let mut position = Position::start();
    for _ in 0..6 {
        let chosen = bot.choose(&position).expect("it answers").expect("it does not resign");
        position = position.after(chosen);
    }
    let mated: Position = MATED.parse().expect("a position");
    assert_eq!(bot.choose(&mated), Ok(None));
}

#[test]
fn a_board_for_people() {
    let expected = "\
Black holds bx1 px1

8  r . . . . r k .
7  p p p . . p p .
6  . . n q . n . p
5  . . b . p . . .
4  . . . . . . . .
3  . . P . B N . .
2  P P . . . P P P
1  R . . Q . R K .

   a b c d e f g h

White holds Bx1 Nx1 Px2

White moves. 143 moves.
";
    let position = "r4rk1/ppp2pp1/2nq1n1p/2b1p3/8/2P1BN2/PP3PPP/R2Q1RK1/BNPPbp w";
    assert_eq!(crazyhouse(&["show", position]), expected);
    for (position, last) in [
        ("start", "White moves. 20 moves."),
        (MATED, "Black is mated. White wins."),
        ("7k/5Q2/6K1/8/8/8/8/8/ b", "Black has no move and is not in check: it can resign or offer a draw."),
        ("R5k1/6pp/8/8/8/8/5PPP/6K1/ b", "Black moves and is in check. 1 move."),
        ("4k3/8/8/8/8/8/4R3/4K3/ w", "White can take the king: no game reaches this position. 17 moves."),
    ] {
        let text = crazyhouse(&["show", position]);
        assert_eq!(text.lines().last(), Some(last), "{position}");
    }
}

#[test]
fn positions_in_fen() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1";
    assert_eq!(crazyhouse(&["moves", fen]), FROM_START);
    let output = holdfast(&["crazyhouse", "moves", "8/8/8/8/8/8/8/8[Q w"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("the pockets are in brackets behind the last rank"), "{said}");
}

#[test]
fn best_of_a_level() {
    assert_eq!(crazyhouse(&["best", "6k1/5ppp/8/8/8/8/5PPP/R5K1/ w", "--level", "4"]), "a1-a8\n");
    assert_eq!(crazyhouse(&["best", "start", "--level", "2"]), crazyhouse(&["best", "start", "--nodes", "40"]));
    for wrong in [["--level", "0"], ["--level", "9"], ["--level", "x"]] {
        assert_eq!(holdfast(&[&["crazyhouse", "best", "start"], &wrong[..]].concat()).status.code(), Some(2));
    }
}

#[test]
fn games_in_pgn() {
    let file = std::env::temp_dir().join(format!("holdfast-games-{}.pgn", std::process::id()));
    let path = file.to_str().expect("a path");
    std::fs::write(path, "[White \"Ana\"]\n\n1. e4 d5 2. exd5 {takes} Qxd5 1-0\n\n1. d4 *\n").expect("written");
    assert_eq!(crazyhouse(&["pgn", path, "--moves"]), "e2-e4 d7-d5 e4-d5 d8-d5\nd2-d4\n");
    let text = crazyhouse(&["pgn", path]);
    assert!(text.starts_with("[White \"Ana\"]\n[Variant \"Crazyhouse\"]\n"), "{text}");
    assert!(text.contains("\n\n1. e4 d5 2. exd5 Qxd5 1-0\n\n"), "{text}");
    assert!(crazyhouse(&["pgn", path, "--json"]).contains(r#""san":"Qxd5""#));

    std::fs::write(path, "1. e4 e5\n2. O-O\n").expect("written");
    let output = holdfast(&["crazyhouse", "pgn", path]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("line 2: move 2: there is no castling in these rules"), "{said}");
    std::fs::remove_file(path).expect("removed");
    assert_eq!(holdfast(&["crazyhouse", "pgn", path]).status.code(), Some(1), "there is no file");
}
