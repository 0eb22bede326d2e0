//! Checks the example of RULES.md, and that the page has every command, event and refusal.

use engine::Message;
use project_rules::{Command, Event, Refusal, SCENARIOS};

use crate::table::Table;

const PAGE: &str = include_str!("../../../RULES.md");
const SEED: i64 = 42;

#[track_caller]
fn has(text: &str) {
    assert!(PAGE.contains(text), "RULES.md lacks this:\n{text}");
}

#[test]
fn draws() {
    let scenario = SCENARIOS.iter().find(|(name, _)| *name == "small").map(|(_, text)| *text).expect("it is built in");
    let table = Table::begun_seeded(scenario, SEED);
    let piece = |(at, piece): (project_rules::Position, project_rules::Piece)| {
        format!("{at}{}", if piece.sham { " sham" } else { "" })
    };
    let pieces: Vec<String> = Table::seeded(scenario, SEED).game.ground().pieces().map(piece).collect();
    let [blue, red] = [1, 2].map(|player| table.position(player));
    has(&format!("```\npieces: {}\nBlue starts at {blue}, Red at {red}\n```\n", pieces.join(", ")));
}

#[test]
fn every_message_is_explained() {
    for kind in Command::KINDS.iter().chain(Event::KINDS).chain(Refusal::KINDS) {
        assert!(PAGE.contains(&format!("`{}", kind.name)), "RULES.md does not name {}", kind.name);
    }
}
