//! What must never change by accident: whole games in words, and the bytes of every message.
//!
//! `cargo xtask bless` writes the files anew; the difference is then for a person to read.

use std::{env, fmt::Write as _, fs, path::PathBuf};

use clients::{strategy, table::Table};
use colony::{Command, Edition, Event, Game, Setup, Timer};
use engine::{Audience, Cause, Chain, CommId, Emission, Header, Input, Message, Outbox, Rulebook, Waiting};
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
        story += &told(table.outbox().emissions(), |event| event_arguments(event, "$SCENARIO"));
    }
    let outcome = table.game().outcome().expect("played to the end");
    writeln!(story, "{outcome}; {} entries, digest {}", chain.sequence(), chain.digest()).expect("a string");
    story
}

/// What a fold said, a line for each.
fn told<E: Message>(emissions: &[Emission<E>], arguments: impl Fn(&E) -> Vec<Value>) -> String {
    let line = |emission: &Emission<E>| match emission {
        Emission::Event { audience, event } => {
            let to = match audience {
                Audience::All => "all".into(),
                Audience::Only(client) => client.to_string(),
                Audience::Board => "board".into(),
            };
            format!("  {to}: {}{}\n", event.kind().name, listed(&arguments(event)))
        }
        Emission::Seated { client } => format!("  {client} has a seat\n"),
        Emission::Unseated { client } => format!("  {client} has no seat\n"),
    };
    emissions.iter().map(line).collect()
}

fn listed(arguments: &[Value]) -> String {
    arguments.iter().map(|argument| format!(" {argument}")).collect()
}

/// Two bots at a board, from the first seat to the mate.
#[test]
fn golden_crazyhouse() {
    use crazyhouse::{Command, Event, Game, Setup, Timer};
    let setup = Setup::new("blitz", None).expect("a built-in scenario");
    let mut outbox = Outbox::<Event, Timer>::new();
    let mut game = Game::start(&setup, 5, &mut outbox);
    let mut chain = Chain::new(&Header::new::<Game>("golden", 0, setup, 5).encode());
    let bots = ["greedy", "random"].map(|name| clients::crazyhouse::bot(name).expect("a known bot"));
    let mut bots = bots.map(|bot| (bot.make)(clients::crazyhouse::Budget::nodes(1), 5));
    let mut story = "blitz, seed 5, greedy against random\n".to_owned();
    for step in 0.. {
        let (client, command) = match (step, game.waiting_for()) {
            (0 | 1, _) => {
                (CommId(step + 1), Command::Join { name: ["greedy", "random"][step as usize].into(), side: None })
            }
            (_, Waiting::One(client)) => {
                let bot = &mut bots[client.0 as usize - 1];
                let chosen = bot.choose(game.public().contest().position()).expect("our bots never fail");
                let text = chosen.expect("there is a move").to_string();
                (client, Command::Move { text: text.into() })
            }
            (_, Waiting::Nobody | Waiting::Anybody) => break,
        };
        writeln!(story, "> {client} {}{}", command.kind().name, listed(&engine::arguments(&command)))
            .expect("a string");
        let input: Input<Command, Timer> =
            Input { elapsed: u64::from(step) * 250, cause: Cause::Command { client, command } };
        outbox.clear();
        game.fold(&input, &mut outbox);
        chain.append(0, &input, outbox.emissions());
        story += &told(outbox.emissions(), engine::arguments);
    }
    let outcome = game.outcome().expect("played to the end");
    writeln!(story, "{outcome}; {} entries, digest {}", chain.sequence(), chain.digest()).expect("a string");
    check("crazyhouse.txt", &story);
}

/// Each line of a file is a value in JSON and its bytes; both must lead to the other. Bytes that stand there are for ever:
/// blessing fills in only what is new.
#[track_caller]
fn check_bytes(name: &str, mut read: impl FnMut(&str, &str) -> String) {
    let golden = fs::read_to_string(file(name)).expect("the golden file can be read");
    let mut text = String::new();
    for line in golden.lines() {
        let (message, then) = line.rsplit_once(" = ").expect("MESSAGE = BYTES");
        let (kind, json) = message.split_once(' ').expect("KIND JSON");
        let bytes = read(kind, json);
        assert!(then.is_empty() || then == bytes, "{message}: its bytes are {then} in every log, now {bytes}");
        writeln!(text, "{message} = {bytes}").expect("a string");
    }
    check(name, &text);
}

#[test]
fn golden_bytes() {
    let (mut commands, mut events, mut refusals) = (Vec::new(), Vec::new(), Vec::new());
    check_bytes("bytes.txt", |kind, json| match kind {
        "command" => {
            let command: Command = serde_json::from_str(json).expect(json);
            commands.push(command.kind().name);
            bytes(json, &command)
        }
        "event" => {
            let event: Event = serde_json::from_str(json).expect(json);
            events.push(event.kind().name);
            if let Event::CommandFailed { refusal } = &event {
                refusals.push(refusal.kind().name);
            }
            bytes(json, &event)
        }
        "timer" => bytes::<Timer>(json, &serde_json::from_str(json).expect(json)),
        "edition" => bytes::<Edition>(json, &serde_json::from_str(json).expect(json)),
        other => panic!("unknown kind of message: {other:?}"),
    });
    assert_all::<Command>(commands);
    assert_all::<Event>(events);
    assert_all::<colony::Refusal>(refusals);
}

#[test]
fn golden_bytes_of_crazyhouse() {
    use crazyhouse::{Command, Event, Refusal, Setup, Timer};
    let (mut commands, mut events, mut refusals) = (Vec::new(), Vec::new(), Vec::new());
    check_bytes("crazyhouse-bytes.txt", |kind, json| match kind {
        "command" => {
            let command: Command = serde_json::from_str(json).expect(json);
            commands.push(command.kind().name);
            bytes(json, &command)
        }
        "event" => {
            let event: Event = serde_json::from_str(json).expect(json);
            events.push(event.kind().name);
            if let Event::Refused { refusal } = &event {
                refusals.push(refusal.kind().name);
            }
            bytes(json, &event)
        }
        "timer" => bytes::<Timer>(json, &serde_json::from_str(json).expect(json)),
        "setup" => bytes::<Setup>(json, &serde_json::from_str(json).expect(json)),
        other => panic!("unknown kind of message: {other:?}"),
    });
    assert_all::<Command>(commands);
    assert_all::<Event>(events);
    assert_all::<Refusal>(refusals);
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
