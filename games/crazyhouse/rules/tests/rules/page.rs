//! Checks the examples of RULES.md, and that the page has every command, event and refusal.

use crazyhouse_rules::{Command, Event, Position, Refusal, perft};
use engine::{JavaRandom, Message};

const PAGE: &str = include_str!("../../../RULES.md");

#[track_caller]
fn has(text: &str) {
    assert!(PAGE.contains(text), "RULES.md lacks this:\n{text}");
}

#[test]
fn counts() {
    let line = |text: &str| {
        let position: Position = text.parse().expect("a position");
        let counts: Vec<String> = (1..=3).map(|depth| perft(&position, depth).to_string()).collect();
        format!("{text:<60}  {}", counts.join(" "))
    };
    let lines = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w",
        "r4rk1/ppp2pp1/2nq1n1p/2b1p3/8/2P1BN2/PP3PPP/R2Q1RK1/BNPPbp w",
        "4k3/8/8/8/8/8/4P3/4K3/Qq b",
    ]
    .map(line);
    has(&format!("```\n{}\n```\n", lines.join("\n")));
}

#[test]
fn lists_of_moves() {
    let line = |text: &str| {
        let position: Position = text.parse().expect("a position");
        format!("{text}\n{}", position.moves_text())
    };
    let lines = ["R5k1/5ppp/8/8/8/8/5PPP/6K1/Qrn b", "4k3/P7/8/8/8/8/8/4K3/ w", "7k/8/8/8/8/8/5q2/7K/ w"].map(line);
    has(&format!("```\n{}\n```\n", lines.join("\n")));
}

#[test]
fn sides_by_chance() {
    let side = |seed| if JavaRandom::new(seed).next_boolean() { "Black" } else { "White" };
    let lines = [42, -1, 1_000_000_000_000, 2_000_000_000_000].map(|seed| format!("{seed}: {}", side(seed)));
    has(&format!("```\n{}\n```\n", lines.join("\n")));
}

#[test]
fn every_message_is_explained() {
    for kind in Command::KINDS.iter().chain(Event::KINDS).chain(Refusal::KINDS) {
        assert!(PAGE.contains(&format!("`{}", kind.name)), "RULES.md does not name {}", kind.name);
    }
}
