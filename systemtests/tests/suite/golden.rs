//! What must never change by accident: whole games in words, and the bytes of every message.
//!
//! `cargo xtask bless` writes the files anew; the difference is then for a person to read.

use std::{env, fmt::Write as _, fs, path::PathBuf};

use clients::{strategy, table::Table};
use colony::{Command, Edition, Event, Game, Setup, Timer};
use engine::{Audience, Cause, Chain, Emission, Header, Input, Message, Rulebook};
use script::event_arguments;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// Compares a text with a golden file, or writes it.
#[track_caller]
fn check(name: &str, text: &str) {
    let path = file(name);
    if env::var_os("HOLDFAST_BLESS").is_some() {
        fs::write(&path, text).expect("the golden file can be written");
        return;
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    for (at, (now, then)) in text.lines().zip(golden.lines()).enumerate() {
        assert_eq!(now, then, "{name}, line {}; `cargo xtask bless` if it is meant", at + 1);
    }
    assert_eq!(text.lines().count(), golden.lines().count(), "{name} has as many lines as before");
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/suite/golden").join(name)
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

/// A whole game of bots: every command, and all that it causes, for whomever.
fn playthrough(scenario: &str, seed: i64, bot: &str) -> String {
    let text = resources::scenario(scenario).expect("a built-in scenario");
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
            Input { elapsed: 0, cause: Cause::Command { client, command: command.clone() } };
        table.play(client, command);
        chain.append(0, &input, table.outbox().emissions());
        for emission in table.outbox().emissions() {
            let line = match emission {
                Emission::Event { audience, event } => {
                    let to = match audience {
                        Audience::All => "all".into(),
                        Audience::Only(client) => client.to_string(),
                        Audience::Board => "board".into(),
                    };
                    format!("{to}: {}{}", event.kind().name, listed(&event_arguments(event, "$SCENARIO")))
                }
                Emission::Seated { client } => format!("{client} has a seat"),
                Emission::Unseated { client } => format!("{client} has no seat"),
            };
            writeln!(story, "  {line}").expect("a string");
        }
    }
    let outcome = table.game().outcome().expect("played to the end");
    writeln!(story, "{outcome}; {} entries, digest {}", chain.sequence(), chain.digest()).expect("a string");
    story
}

fn listed(arguments: &[Value]) -> String {
    arguments.iter().map(|argument| format!(" {argument}")).collect()
}

/// Each line of the file is a value in JSON and its bytes; both must lead to the other. Bytes that stand there are for ever:
/// blessing fills in only what is new.
#[test]
fn golden_bytes() {
    let golden = fs::read_to_string(file("bytes.txt")).expect("the golden file can be read");
    let (mut commands, mut events, mut refusals) = (Vec::new(), Vec::new(), Vec::new());
    let mut text = String::new();
    for line in golden.lines() {
        let (message, then) = line.rsplit_once(" = ").expect("MESSAGE = BYTES");
        let bytes = match message.split_once(' ').expect("KIND JSON") {
            ("command", json) => {
                let command: Command = serde_json::from_str(json).expect(json);
                commands.push(command.kind().name);
                bytes(json, &command)
            }
            ("event", json) => {
                let event: Event = serde_json::from_str(json).expect(json);
                events.push(event.kind().name);
                if let Event::CommandFailed { refusal } = &event {
                    refusals.push(refusal.kind().name);
                }
                bytes(json, &event)
            }
            ("timer", json) => bytes::<Timer>(json, &serde_json::from_str(json).expect(json)),
            ("edition", json) => bytes::<Edition>(json, &serde_json::from_str(json).expect(json)),
            other => panic!("unknown kind of message: {other:?}"),
        };
        assert!(then.is_empty() || then == bytes, "{message}: its bytes are {then} in every log, now {bytes}");
        writeln!(text, "{message} = {bytes}").expect("a string");
    }
    check("bytes.txt", &text);
    assert_all::<Command>(commands);
    assert_all::<Event>(events);
    assert_all::<colony::Refusal>(refusals);
}

fn bytes<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(json: &str, message: &T) -> String {
    let bytes = postcard::to_allocvec(message).expect("a message has a form in bytes");
    assert_eq!(postcard::from_bytes::<T>(&bytes).as_ref(), Ok(message));
    assert_eq!(serde_json::to_string(message).expect("a message has a form in JSON"), json);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Every kind stands in the file, in the order of the numbers.
fn assert_all<M: Message>(mut names: Vec<&'static str>) {
    names.dedup();
    assert_eq!(names, M::KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>());
}
