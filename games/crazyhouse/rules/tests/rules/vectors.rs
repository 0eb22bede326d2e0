//! Positions with their moves and counts, and games with every board, from other sources.

use std::{fs, path::PathBuf};

use crazyhouse_rules::{Contest, Position, perft};
use serde_json::Value;

/// The largest count that the ordinary test checks in a position.
const SHORT: u64 = 3_000_000;

fn read(file: &str) -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/vectors/crazyhouse").join(file);
    let Ok(text) = fs::read_to_string(&path) else {
        eprintln!("skipped: there is no {}", path.display());
        return Vec::new();
    };
    serde_json::from_str(&text).expect("a list in JSON")
}

fn check_positions(most: u64) {
    for entry in read("positions.json") {
        let word = |name: &str| entry[name].as_str().unwrap_or_else(|| panic!("{name} of {entry}")).to_owned();
        let text = format!("{} {}", word("board"), word("side"));
        let position: Position = text.parse().expect("a position");
        assert_eq!(position.to_string(), text);
        let moves: Vec<&str> = entry["moves"].as_array().expect("moves").iter().filter_map(Value::as_str).collect();
        assert_eq!(position.moves_text(), moves.join(" "), "{text}");
        for (depth, count) in entry["perft"].as_object().expect("counts by depth") {
            let (depth, count) = (depth.parse().expect("a depth"), count.as_u64().expect("a count"));
            if count <= most {
                assert_eq!(perft(&position, depth), count, "{text} to depth {depth}");
            }
        }
        let in_check = position.in_check(position.turn());
        assert_eq!(in_check, entry["in_check"] == true, "{text}");
        assert_eq!(position.is_mate(), entry["checkmate"] == true, "{text}");
        assert_eq!(moves.is_empty() && !in_check, entry["stalemate"] == true, "{text}");
    }
}

#[test]
fn positions() {
    // All depths together have billions of moves.
    check_positions(if std::env::var_os("HOLDFAST_LONG").is_some() { u64::MAX } else { SHORT });
}

#[test]
fn games() {
    for game in read("games.json") {
        let mut contest = Contest::new(Position::start());
        let (moves, boards) = (game["moves"].as_array().expect("moves"), game["boards"].as_array().expect("boards"));
        assert_eq!(moves.len(), boards.len());
        for (text, board) in moves.iter().zip(boards) {
            let player = contest.position().turn();
            contest
                .try_move(player, text.as_str().expect("a text"))
                .unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
            assert_eq!(Some(&*contest.board()), board.as_str());
        }
        let outcome = contest.outcome();
        assert_eq!(outcome.is_some(), game["finished"] == true, "{game}");
        let winner = outcome.and_then(|outcome| outcome.winner).map(|winner| winner.letter().to_string());
        assert_eq!(winner.as_deref(), game["winner"].as_str(), "{game}");
    }
}
