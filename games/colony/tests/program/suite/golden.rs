//! Whole games of bots, as text.

use std::fmt::Write as _;

use colony::{script::Colony, strategy, table::Table};
use colony_rules::{Command, Game, Setup, Timer};
use engine::{Cause, Chain, Header, Input, Message as _, Rulebook as _};
use script::event_arguments;

use crate::golden::{self, listed, told};

#[track_caller]
fn check(name: &str, text: &str) {
    golden::check("colony", name, text);
}

#[test]
fn golden_group() {
    check("group.txt", &playthrough("first-night", 7, "sensible"));
}

#[test]
fn golden_equipment() {
    check("equipment.txt", &playthrough("winter", -3, "sensible"));
}

#[test]
fn golden_fate() {
    check("fate.txt", &playthrough("crossroads", 2026, "sensible"));
}

#[test]
fn golden_refusals() {
    check("refusals.txt", &playthrough("first-night", 4, "random"));
}

/// A whole game of bots: every command and all its emissions, for every audience.
fn playthrough(scenario: &str, seed: i64, bot: &str) -> String {
    let text = colony::scenario(scenario).expect("a built-in scenario");
    let setup = Setup::new(text, None, None).expect("built-in scenarios are sound");
    let players = usize::from(setup.scenario.max_players);
    let mut table = Table::new(&setup, seed, &vec![strategy(bot).expect("a known bot").bot; players]);
    let header = Header::new::<Game>("golden", 0, setup.clone(), seed).encode();
    let mut chain = Chain::new(&header);
    let mut story = format!("{scenario}, {} edition, seed {seed}, {players} x {bot}\n", setup.edition);
    while let Some((client, command)) = table.next_command() {
        writeln!(story, "> {client} {}{}", command.kind().name, listed(&engine::arguments(&command)))
            .expect("a string");
        let input: Input<Command, Timer> =
            Input { elapsed_ms: 0, cause: Cause::Command { client, command: command.clone() } };
        table.play(client, command);
        chain.append(0, &input, table.outbox().emissions());
        story += &told(table.outbox().emissions(), |event| event_arguments::<Colony>(event, "$SCENARIO"));
    }
    let outcome = table.game().outcome().expect("played to the end");
    writeln!(story, "{outcome}; {} entries, digest {}", chain.sequence(), chain.digest()).expect("a string");
    story
}
