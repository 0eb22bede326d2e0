//! The bytes of every message. Logs contain them, so they must never change.

use std::{fmt::Write as _, fs};

use engine::Message;
use serde::{Serialize, de::DeserializeOwned};

use super::{check, file};
use crate::rulebooks::RULEBOOKS;

const NAME: &str = "bytes.txt";

#[test]
fn golden_bytes() {
    RULEBOOKS.iter().for_each(|rulebook| (rulebook.check_bytes)());
}

/// Checks that a file has every command, event and refusal of a rulebook, and checks their bytes and those of timers and
/// setups.
#[track_caller]
pub(crate) fn check_all<C: Message, E: Message, R: Message, T: Value, S: Value>(
    game: &str,
    refusal: fn(&E) -> Option<&R>,
) {
    let (mut commands, mut events, mut refusals) = (Vec::new(), Vec::new(), Vec::new());
    check_bytes(game, |kind, json| match kind {
        "command" => {
            let command: C = read(json);
            commands.push(command.kind().name);
            bytes(json, &command)
        }
        "event" => {
            let event: E = read(json);
            events.push(event.kind().name);
            refusals.extend(refusal(&event).map(|refusal| refusal.kind().name));
            bytes(json, &event)
        }
        "timer" => bytes::<T>(json, &read(json)),
        "edition" | "setup" => bytes::<S>(json, &read(json)),
        other => panic!("unknown kind of message: {other:?}"),
    });
    assert_all::<C>(commands);
    assert_all::<E>(events);
    assert_all::<R>(refusals);
}

/// Each line of a file is a value in JSON and its bytes. Each form must convert to the other. Blessing never changes bytes in
/// the file; it only adds missing ones.
#[track_caller]
fn check_bytes(game: &str, mut read: impl FnMut(&str, &str) -> String) {
    let golden = fs::read_to_string(file(game, NAME)).expect("the golden file can be read");
    let mut text = String::new();
    for line in golden.lines() {
        let (message, then) = line.rsplit_once(" = ").expect("MESSAGE = BYTES");
        let (kind, json) = message.split_once(' ').expect("KIND JSON");
        let bytes = read(kind, json);
        assert!(then.is_empty() || then == bytes, "{message}: its bytes are {then} in every log, now {bytes}");
        writeln!(text, "{message} = {bytes}").expect("a string");
    }
    check(game, NAME, &text);
}

/// A value with a JSON form and a binary form.
pub(crate) trait Value: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug {}

impl<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug> Value for T {}

fn read<T: Value>(json: &str) -> T {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

fn bytes<T: Value>(json: &str, message: &T) -> String {
    let bytes = postcard::to_allocvec(message).expect("a message has a form in bytes");
    assert_eq!(postcard::from_bytes::<T>(&bytes).as_ref(), Ok(message));
    assert_eq!(serde_json::to_string(message).expect("a message has a form in JSON"), json);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Checks that the file has every kind, in the order of their numbers.
#[track_caller]
fn assert_all<M: Message>(mut names: Vec<&'static str>) {
    names.dedup();
    assert_eq!(names, M::KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>());
}
