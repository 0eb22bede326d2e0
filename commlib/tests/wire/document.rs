//! Checks the examples of docs/protocol.md.
//!
//! The heading of a fenced block is `json` or `hex`, and then `from-client`, `to-client` or `session`. In a session, `>` or `<`
//! is the direction of each message. A JSON block has one message per line. The hex block after it has the same messages, with
//! an empty line between them.

use commlib::{Form, FromClient, Reason, ToClient, encode, encode_from_client};

use crate::example::{Command, Event};

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");

#[test]
fn every_example_in_both_forms() {
    let blocks = blocks(DOCUMENT);
    let mut checked = 0;
    for pair in blocks.chunks(2) {
        let [json, hex] = pair else { panic!("a block without its other form: {pair:?}") };
        assert_eq!((json.form, hex.form), ("json", "hex"), "{json:?}");
        assert_eq!(json.direction, hex.direction, "{json:?}");
        let lines: Vec<_> = json.text.lines().map(|line| directed(json.direction, line)).collect();
        let frames: Vec<_> = hex.text.split("\n\n").map(|frame| directed(hex.direction, frame)).collect();
        assert_eq!(lines.len(), frames.len(), "as many lines as frames: {json:?}");
        for ((direction, line), (same, frame)) in lines.into_iter().zip(frames) {
            assert_eq!(direction, same, "{line}");
            match direction {
                Direction::FromClient => said(line, &bytes(frame)),
                Direction::ToClient => told(line, &bytes(frame)),
            }
            checked += 1;
        }
    }
    assert!(checked > 30, "the blocks were found: {checked}");
}

/// Checks a message from a client, which may omit optional fields.
#[track_caller]
fn said(line: &str, frame: &[u8]) {
    let message: FromClient<Command> = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let mut out = Vec::new();
    encode_from_client(Form::Binary, &message, &mut out).expect("an example fits");
    assert_eq!(out, frame, "{line}");
}

/// Checks a message from a server, which writes exactly this line.
#[track_caller]
fn told(line: &str, frame: &[u8]) {
    let message: ToClient<Event> = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let mut out = Vec::new();
    encode(Form::Binary, &message, &mut out).expect("an example fits");
    assert_eq!(out, frame, "{line}");
    out.clear();
    encode(Form::Json, &message, &mut out).expect("an example fits");
    assert_eq!(String::from_utf8_lossy(&out), format!("{line}\n"));
}

#[test]
fn every_number_of_the_table() {
    let rows = rows("| number | varint | as `i64` | |");
    assert!(rows.len() > 10, "the rows were found");
    for row in rows {
        let [number, varint, zigzag, _] = row[..] else { panic!("four columns: {row:?}") };
        if let Some(varint) = code(varint) {
            let number: u64 = number.parse().expect("a number");
            assert_eq!(postcard::to_stdvec(&number).expect("bytes"), bytes(varint), "{number}");
        }
        if let Some(zigzag) = code(zigzag) {
            let number: i64 = number.parse().expect("a number");
            assert_eq!(postcard::to_stdvec(&number).expect("bytes"), bytes(zigzag), "{number}");
        }
    }
}

#[test]
fn every_reason() {
    let rows = rows("| number | reason | when |");
    assert_eq!(rows.len(), Reason::ALL.len());
    for (number, (row, reason)) in rows.into_iter().zip(Reason::ALL).enumerate() {
        assert_eq!(postcard::to_stdvec(&reason).expect("bytes"), [number as u8]);
        assert_eq!(row[0], number.to_string());
        assert_eq!(code(row[1]), serde_json::to_value(reason).expect("JSON").as_str(), "{row:?}");
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    FromClient,
    ToClient,
}

#[derive(Debug)]
struct Block {
    form: &'static str,
    direction: &'static str,
    text: &'static str,
}

/// The fenced blocks with examples. Other blocks have no second word in their heading.
fn blocks(document: &'static str) -> Vec<Block> {
    let fenced = document.split("\n```").skip(1).step_by(2);
    let block = |fenced: &'static str| {
        let (heading, text) = fenced.split_once('\n')?;
        let (form, direction) = heading.split_once(' ')?;
        Some(Block { form, direction, text })
    };
    fenced.filter_map(block).collect()
}

fn directed(block: &str, text: &'static str) -> (Direction, &'static str) {
    match (block, text.as_bytes().first()) {
        ("from-client", _) => (Direction::FromClient, text),
        ("to-client", _) => (Direction::ToClient, text),
        ("session", Some(b'>')) => (Direction::FromClient, &text[2..]),
        ("session", Some(b'<')) => (Direction::ToClient, &text[2..]),
        _ => panic!("no direction: {block}: {text}"),
    }
}

/// Bytes in hex; `#` starts a comment.
fn bytes(text: &str) -> Vec<u8> {
    let lines = text.lines().map(|line| line.split_once('#').map_or(line, |(bytes, _)| bytes));
    crate::notation::bytes(&lines.collect::<Vec<_>>().join(" "))
}

/// The cells of the rows under this heading.
fn rows(heading: &str) -> Vec<Vec<&'static str>> {
    let (_, table) = DOCUMENT.split_once(heading).unwrap_or_else(|| panic!("no table {heading}"));
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

fn code(cell: &'static str) -> Option<&'static str> {
    cell.strip_prefix('`')?.strip_suffix('`')
}
