//! Limits of encoding.

use commlib::{EncodeError, Form, FromClient, LONGEST_FRAME, ToClient, encode, encode_from_client};
use serde_json::value::RawValue;

use crate::example::{Command, Event};

#[test]
fn at_most_a_mebibyte() {
    #[track_caller]
    fn check(form: Form, length: usize, around: usize) {
        let say = |words: usize| FromClient::Command(Command::Say { words: "x".repeat(words) });
        let mut out = b"before".to_vec();
        let long = encode_from_client(form, &say(length + 1), &mut out);
        assert_eq!(long, Err(EncodeError::TooLong { length: LONGEST_FRAME + 1 }));
        assert_eq!(out, b"before", "a failed message leaves nothing");
        assert_eq!(encode_from_client(form, &say(length), &mut out), Ok(()));
        assert_eq!(out.len(), "before".len() + LONGEST_FRAME + around);
    }
    check(Form::Binary, LONGEST_FRAME - 5, 4);
    check(Form::Json, LONGEST_FRAME - r#"{"command":{"Say":{"words":""}}}"#.len(), 1);
}

#[test]
fn a_line_has_one_end() {
    let pretty: Box<RawValue> = serde_json::from_str("{\n\"a\": \"\\n\"\r\n}").expect("JSON");
    let mut out = Vec::new();
    assert_eq!(encode_from_client(Form::Json, &FromClient::Command(pretty), &mut out), Ok(()));
    assert_eq!(String::from_utf8_lossy(&out), "{\"command\":{ \"a\": \"\\n\"\r }}\n");
}

#[test]
fn messages_are_appended() {
    let mut out = Vec::new();
    for number in [7, 8] {
        assert_eq!(encode(Form::Json, &ToClient::<Event>::Pong(number), &mut out), Ok(()));
    }
    assert_eq!(String::from_utf8_lossy(&out), "{\"pong\":7}\n{\"pong\":8}\n");
}
