//! Rows of bytes and the decoded messages.

use commlib::{
    Decoder, Form, FromClient, LONGEST_FRAME, TextDecoder, ToClient, ToClientDecoder, encode, encode_from_client,
    json_messages,
};

use crate::{
    decoded::{Decoded, End, decode, words},
    example::{self, Command, Event},
    notation::bytes,
};

/// The maximum length of inputs that are split at every place.
const SHORT: usize = 600;

#[track_caller]
fn check(notation: &str, expected: &str) {
    check_with(LONGEST_FRAME, notation, expected);
}

#[track_caller]
fn check_with(longest: usize, notation: &str, expected: &str) {
    let bytes = bytes(notation);
    let decode_line = |pieces: &mut dyn Iterator<Item = &[u8]>| words(&decode(Decoder::new(longest), longest, pieces));
    assert_eq!(decode_line(&mut [&bytes[..]].into_iter()), expected, "{notation}");
    if bytes.len() <= SHORT {
        assert_eq!(decode_line(&mut bytes.chunks(1)), expected, "byte by byte: {notation}");
        for cut in 0..bytes.len() {
            let (left, right) = bytes.split_at(cut);
            assert_eq!(decode_line(&mut [left, right].into_iter()), expected, "cut at {cut}: {notation}");
        }
    }
}

#[test]
fn frames() {
    check("", "");
    check("00 00 00 02 02 07", "Ping 7");
    check("00 00 00 02 02 07 00 00 00 02 02 08", "Ping 7; Ping 8");
    check("00 00 00 05 00 01 00 00 00", "List");
    check("00 00 00 03 01 01 02", "Roll { dice: 1 }");
    check("00", "cut");
    check("00 00 00 02", "cut");
    check("00 00 00 02 02", "cut");
    check("00 00 00 02 02 07 00", "Ping 7; cut");
}

#[test]
fn wrong_lengths() {
    let most = "a frame of 1048577 bytes; 1048576 are the most";
    check("00 00 00 00", "BadMessage: message 1: a frame of no bytes");
    check("00 00 00 01 02", "BadMessage: message 1, byte 1: the message is cut off here");
    check("00 10 00 00", "cut");
    check("00 10 00 00 02 07", "cut");
    check("00 10 00 01", &format!("TooLarge: message 1: {most}"));
    check("00 ff ff ff", "TooLarge: message 1: a frame of 16777215 bytes; 1048576 are the most");
    check(
        "00 00 00 02 02 07 ff ff ff ff",
        "Ping 7; TooLarge: message 2: a frame of 4294967295 bytes; 1048576 are the most",
    );
    check("00 00 00 03 02 07 00", "BadMessage: message 1, byte 2: the message is over and 1 more came");
    check("00 00 00 06 00 01 00 00 00 00", "BadMessage: message 1, byte 5: the message is over and 1 more came");
    check("00 00 00 04 01 01 02 00", "`01 02 00` (the command: byte 2: the message is over and 1 more came)");
    check("00 00 00 01 01", "`` (the command: byte 0: the message is cut off here)");
    check_with(5, "00 00 00 05 00 01 00 00 00", "List");
    check_with(4, "00 00 00 05 00 01 00 00 00", "TooLarge: message 1: a frame of 5 bytes; 4 are the most");
}

#[test]
fn the_longest_frame() {
    // A `Say` with n bytes of text has 2 bytes of numbers, 3 bytes for its length, and the text.
    let text = LONGEST_FRAME - 5;
    let mut longest = Vec::new();
    let words = "x".repeat(text);
    encode_from_client(Form::Binary, &FromClient::Command(Command::Say { words }), &mut longest).expect("it fits");
    assert_eq!(longest.len(), LONGEST_FRAME + 4);
    for size in [1 << 12, 1_000_003, usize::MAX] {
        let decoded = decode(Decoder::new(usize::MAX), LONGEST_FRAME, longest.chunks(size));
        assert_eq!((decoded.messages.len(), decoded.end), (1, End::Clean));
    }
}

#[test]
fn numbers_at_their_bounds() {
    let cut = "the message is cut off here";
    let large = "a number that is too large for its field";
    check("00 00 00 02 02 7f", "Ping 127");
    check("00 00 00 03 02 80 01", "Ping 128");
    check("00 00 00 0b 02 ff*9 01", "Ping 18446744073709551615");
    check("00 00 00 0b 02 ff*9 02", &format!("BadMessage: message 1, byte 11: {large}"));
    check("00 00 00 0c 02 ff*10 01", &format!("BadMessage: message 1, byte 11: {large}"));
    check("00 00 00 02 02 80", &format!("BadMessage: message 1, byte 2: {cut}"));
    check("00 00 00 03 02 80 00", "Ping 0");
    check("00 00 00 07 01 01 fe ff*3 0f", "Roll { dice: 2147483647 }");
    check("00 00 00 07 01 01 ff*4 0f", "Roll { dice: -2147483648 }");
    check("00 00 00 07 01 01 ff*4 10", &format!("`01 ff ff ff ff 10` (the command: byte 6: {large})"));
    let variant = "a number that no variant has, or a value that is not allowed";
    check("00 00 00 01 0a", &format!("BadMessage: message 1, byte 1: {variant}"));
    check("00 00 00 02 09 00", "Look");
    check("00 00 00 02 09 06", &format!("BadMessage: message 1, byte 2: {variant}"));
    check("00 00 00 02 03 07", "Offers 7");
    check("00 00 00 02 04 01", "Notices true");
    check("00 00 00 02 04 02", "BadMessage: message 1, byte 2: a bool that is neither 00 nor 01");
    check("00 00 00 04 05 02 67 6c", "Chat gl");
    check("00 00 00 05 ff*4 0f", &format!("BadMessage: message 1, byte 5: {variant}"));
    check("00 00 00 03 00 01 06", &format!("BadMessage: message 1, byte 3: {variant}"));
    check("00 00 00 05 00 01 00 02 00", "BadMessage: message 1, byte 4: an option that is neither 00 nor 01");
    check("00 00 00 05 00 01 00 00 02", "BadMessage: message 1, byte 5: a bool that is neither 00 nor 01");
    check("00 00 00 06 00 01 00 01 01 ff", "BadMessage: message 1, byte 6: a string that is not UTF-8");
    check("00 00 00 0e 00 01 00 01 ff*9 01", &format!("BadMessage: message 1, byte 14: {cut}"));
    check("00 00 00 06 00 ff ff 03 00 00", &format!("BadMessage: message 1, byte 6: {cut}"));
    check("00 00 00 07 00 ff ff 03 00 00 00", "List");
    check("00 00 00 07 00 ff ff 04 00 00 00", &format!("BadMessage: message 1, byte 4: {large}"));
}

#[test]
fn lines() {
    check("'{\"ping\":7}' 0a", "Ping 7");
    check("'{\"offers\":7}' 0a", "Offers 7");
    check("'{\"ping\":7}' 0d 0a", "Ping 7");
    check("0d 0a 20 09 0a '{ \"ping\" : 7 } ' 0d 0a 0a '{\"ping\":8}' 0a 0d 0a", "Ping 7; Ping 8");
    check("'{\"ping\":7}'", "cut");
    check("'  '", "");
    check("'{'", "cut");
    check("'{' 0a", "BadMessage: message 1, column 1: EOF while parsing an object");
    check("'{}' 0a", "BadMessage: message 1, column 2: expected value");
    check("'{\"hello\":{\"protocol\":1,\"want\":\"list\"}}' 0a", "List");
    check(
        "'{\"hello\":{\"protocol\":1,\"want\":{\"join\":{}},\"game\":\"g\",\"board\":true}}' 0a",
        "Join { seat: None }",
    );
    check("'{\"command\": {\"Roll\":{\"dice\":1}} }' 0a", "Roll { dice: 1 }");
    check(
        "'{\"command\":[1, 2]}' 0a '{\"command\":null}' 0a",
        concat!("`[1, 2]` (the command: column 1: expected value); ", "`null` (the command: column 1: expected value)",),
    );
}

#[test]
fn lines_that_are_not_messages() {
    check(
        "'{\"ping\":7}' 0a '{\"pong\":7}' 0a",
        "Ping 7; BadMessage: message 2, column 7: unknown variant `pong`, expected one of `hello`, `command`, `ping`, `offers`, `notices`, `chat`, `account`, `mute`, `report`, `manage`",
    );
    check(
        "'{\"hello\":{\"protocol\":1,\"want\":\"list\",\"bord\":true}}' 0a",
        "BadMessage: message 1, column 43: unknown field `bord`, expected one of `protocol`, `want`, `game`, `board`",
    );
    check(
        "'{\"hello\":{\"protocol\":1,\"want\":{\"join\":{\"sead\":1}}}}' 0a",
        "BadMessage: message 1, column 45: unknown field `sead`, expected `seat`",
    );
    let alone = "a name alone is not enough here, its fields are needed: {\"name\":{..}}";
    for want in ["create", "join", "watch", "resume", "private"] {
        let column = 33 + want.len();
        check(
            &format!("'{{\"hello\":{{\"protocol\":1,\"want\":\"{want}\"}}}}' 0a"),
            &format!("BadMessage: message 1, column {column}: {alone}"),
        );
    }
    check(
        "'{\"hello\":{\"protocol\":1,\"want\":{\"list\":{}}}}' 0a",
        "BadMessage: message 1, column 38: this has no fields and is only its name: \"name\"",
    );
    check("'{\"hello\":{\"want\":\"list\"}}' 0a", "BadMessage: message 1, column 24: missing field `protocol`");
    check("'{\"ping\":7} {' 0a", "BadMessage: message 1, column 12: trailing characters");
    check("'{\"ping\":7,\"ping\":8}' 0a", "BadMessage: message 1, column 9: expected value");
    check("'{\"ping\":-1}' 0a", "BadMessage: message 1, column 10: invalid value: integer `-1`, expected u64");
    check("'{\"ping\":18446744073709551615}' 0a", "Ping 18446744073709551615");
    check(
        "'{\"ping\":18446744073709551616}' 0a",
        "BadMessage: message 1, column 28: invalid type: floating point `1.8446744073709552e+19`, expected u64",
    );
    check("'{\"command\":\"' ff '\"}' 0a", "BadMessage: message 1, column 13: not UTF-8");
    check(
        "'{\"command\":\"' 00 '\"}' 0a",
        concat!(
            "BadMessage: message 1, column 12: ",
            "control character (\\u0000-\\u001F) found while parsing a string",
        ),
    );
    let token = "'{\"hello\":{\"protocol\":1,\"want\":{\"resume\":{\"token\":\"0123\"}}}}' 0a";
    check(token, "BadMessage: message 1, column 55: a token is 32 hex digits");
    let quoted = "x".repeat(300 - "unknown variant `".len());
    let long = format!("BadMessage: message 1, column 100003: unknown variant `{quoted}..");
    check("'{\"' 'x'*100000 '\":1}' 0a", &long);
}

#[test]
fn nesting() {
    let deep = "column 43: nested deeper than 32 levels";
    let open = "'{\"command\":'";
    let none = "column 1: expected value";
    let nest = "[".repeat(31) + &"]".repeat(31);
    check(&format!("{open} '['*31 ']'*31 '}}' 0a"), &format!("`{nest}` (the command: {none})"));
    check(&format!("{open} '['*32 ']'*32 '}}' 0a"), &format!("BadMessage: message 1, {deep}"));
    check(&format!("{open} '['*900000 0a"), &format!("BadMessage: message 1, {deep}"));
    check(&format!("{open} '{{\"a\":'*100000 0a"), "BadMessage: message 1, column 167: nested deeper than 32 levels");
    check(
        &format!("{open} '\"' '['*100 '\"}}' 0a"),
        &format!(
            "`\"{}\"` (the command: column 102: unknown variant `{}`, expected `Say` or `Roll`)",
            "[".repeat(100),
            "[".repeat(100),
        ),
    );
}

#[test]
fn long_lines() {
    let long = "TooLarge: message 1: a line of more than 1048576 bytes";
    // `{"ping":7}` is ten bytes.
    check("'{\"ping\":7}' ' '*1048566 0a", "Ping 7");
    check("'{\"ping\":7}' ' '*1048566 0d 0a", "Ping 7");
    check("'{\"ping\":7}' ' '*1048567 0a", long);
    check("'{\"ping\":7}' ' '*1048567", long);
    check("'{' 'x'*3000000", long);
    check("' '*1048577", long);
    check("0a*3000000", "");
    check_with(10, "'{\"ping\":7}' 0d 0a", "Ping 7");
    check_with(10, "'{\"ping\":7}' 0d", "cut");
    check_with(10, "'{\"ping\":7}' 0d 0d 0a", "TooLarge: message 1: a line of more than 10 bytes");
    check_with(9, "'{\"ping\":7}' 0a", "TooLarge: message 1: a line of more than 9 bytes");
}

#[test]
fn forms() {
    let first = "a connection starts with 00 (binary frames) or { (lines of JSON), not with";
    check("'GET / HTTP/1.1'", &format!("BadMessage: message 1: {first} 47"));
    check("'HTTP/1.1 400'", &format!("BadMessage: message 1: {first} 48; if this is HTTP, it is the port of a page"));
    check("16 03 01", &format!("BadMessage: message 1: {first} 16"));
    check("01", &format!("BadMessage: message 1: {first} 01"));
    check("ef bb bf '{}'", &format!("BadMessage: message 1: {first} ef"));
    check("'[]' 0a", &format!("BadMessage: message 1: {first} 5b"));
    check(
        "00 00 00 02 02 07 '{\"ping\":8}' 0a",
        concat!("Ping 7; ", "TooLarge: message 2: a frame of 2065854569 bytes; 1048576 are the most",),
    );
    check("'{\"ping\":7}' 0a 00 00 00 02 02 07 0a", "Ping 7; BadMessage: message 2, column 1: expected value");
    check("'{\"ping\":7}' 0a 00 00 00 02 02 07", "Ping 7; cut");
}

#[test]
fn every_message_comes_back() {
    for form in [Form::Binary, Form::Json] {
        let mut said = Vec::new();
        for message in example::from_client() {
            encode_from_client(form, &message, &mut said).expect("an example fits");
        }
        for size in 1..64 {
            let decoded = decode(Decoder::new(LONGEST_FRAME), LONGEST_FRAME, said.chunks(size));
            let back: Vec<_> = decoded.messages.into_iter().map(typed).collect();
            assert_eq!((back, decoded.end), (example::from_client(), End::Clean));
        }

        let mut told = Vec::new();
        for message in example::to_client() {
            encode(form, &message, &mut told).expect("an example fits");
        }
        for size in 1..64 {
            let decoder = ToClientDecoder::<Event>::new(LONGEST_FRAME);
            let decoded = decode(decoder, LONGEST_FRAME, told.chunks(size));
            assert_eq!((decoded.messages, decoded.end), (example::to_client(), End::Clean));
        }
    }
}

#[test]
fn a_client_ignores_unknown_fields() {
    let mut decoder = ToClientDecoder::<Event>::new(LONGEST_FRAME);
    decoder.feed(b"{\"pong\":7}\n{\"welcome\":{\"protocol\":2,\"game\":\"g\",\"next\":1,\"rulebook\":\"r\",\"edition\":\"e\",\"commands\":0,\"later\":[1]}}\n");
    assert_eq!(decoder.message(), Ok(Some(ToClient::Pong(7))));
    assert!(matches!(decoder.message(), Ok(Some(ToClient::Welcome(_)))));
}

#[test]
fn memory_is_freed() {
    let mut decoder = Decoder::new(LONGEST_FRAME);
    assert_eq!(decoder.capacity(), 0);
    let large = bytes("'{\"command\":\"' 'x'*1000000 '\"}' 0a");
    let mut fed = 0;
    while fed < large.len() {
        fed += decoder.feed(&large[fed..]);
        assert!(decoder.capacity() <= (2 * fed).max(4096), "it grows with the received bytes");
        assert!(decoder.message().is_ok());
    }
    assert!(decoder.capacity() > 1_000_000);
    decoder.feed(b"{");
    assert_eq!(decoder.capacity(), 4096);
}

#[test]
fn debug_hides_the_bytes() {
    let mut decoder = Decoder::new(LONGEST_FRAME);
    decoder.feed(b"\0\0\0\x1a\0\x01\x04secret");
    let shown = "Decoder(Messages { frames: Frames { form: None, unread: 13, .. }, count: 0, failed: None })";
    assert_eq!(format!("{decoder:?}"), shown);
}

#[test]
fn cases_of_the_mutants() {
    for row in include_str!("cases.txt").lines().filter(|row| !row.is_empty() && !row.starts_with('#')) {
        let mut parts = row.splitn(3, " | ");
        let (Some(longest), Some(notation), Some(expected)) = (parts.next(), parts.next(), parts.next()) else {
            panic!("not `longest | bytes | decoded`: {row}");
        };
        check_with(longest.trim().parse().expect("a number"), notation, expected.trim());
    }
}

fn typed(message: commlib::Incoming<'_>) -> FromClient<Command> {
    match message {
        commlib::Incoming::Hello(hello) => FromClient::Hello(hello),
        commlib::Incoming::Command(raw) => FromClient::Command(raw.decode().expect("a command of the example")),
        commlib::Incoming::Ping(number) => FromClient::Ping(number),
        commlib::Incoming::Offers(number) => FromClient::Offers(number),
        commlib::Incoming::Notices(wanted) => FromClient::Notices(wanted),
        commlib::Incoming::Chat(text) => FromClient::Chat(text),
        commlib::Incoming::Account(token) => FromClient::Account(token),
        commlib::Incoming::Mute(mute) => FromClient::Mute(mute),
        commlib::Incoming::Report(number) => FromClient::Report(number),
        commlib::Incoming::Manage(change) => FromClient::Manage(change),
    }
}

/// Checks the message that a text decodes to, and that a line decodes to the same message.
#[track_caller]
fn check_text(longest: usize, text: &str, expected: &str) {
    let mut decoder = TextDecoder::new(longest);
    let ignored = decoder.ignores(text);
    let decoded = match decoder.message(text) {
        _ if ignored => Decoded { messages: Vec::new(), end: End::Clean },
        Ok(message) => Decoded { messages: vec![message.into_owned()], end: End::Clean },
        Err(refused) => Decoded { messages: Vec::new(), end: End::Refused(refused) },
    };
    assert_eq!(words(&decoded), expected, "{text}");
    // In a text, line ends are white space. A line must begin with white space, to be recognised as JSON.
    let line = text.replace(['\n', '\r'], " ") + "\n";
    let mut decoder = Decoder::new(longest);
    assert_eq!(decoder.feed(b"\n"), 1);
    assert!(matches!(decoder.message(), Ok(None)));
    assert_eq!(decode(decoder, LONGEST_FRAME, [line.as_bytes()]), decoded, "{text}");
}

#[test]
fn texts() {
    check_text(100, "{\"ping\":7}", "Ping 7");
    check_text(100, "\r\n{\n\t\"ping\":\r7 }\n\n", "Ping 7");
    check_text(100, "", "");
    check_text(100, " \t\r\n", "");
    check_text(100, "{\"command\":{\"Roll\":\n{\"dice\":1}}}", "Roll { dice: 1 }");
    check_text(100, "{\"hello\":{\"protocol\":1,\"want\":\"list\"}}", "List");
    check_text(100, "{\n\n!", "BadMessage: message 1, column 4: key must be a string");
    check_text(100, "{\"ping\":7}{\"ping\":8}", "BadMessage: message 1, column 11: trailing characters");
    check_text(100, "{\"ping\":7}\n{\"ping\":8}", "BadMessage: message 1, column 12: trailing characters");
    check_text(100, "\0\0\0\x02\x02\x07", "BadMessage: message 1, column 1: expected value");
    check_text(10, "{\"ping\":7}", "Ping 7");
    check_text(9, "{\"ping\":7}", "TooLarge: message 1: a line of more than 9 bytes");
    check_text(9, "         ", "");
    check_text(9, "          ", "TooLarge: message 1: a line of more than 9 bytes");
    let deep = format!("{{\"command\":{}{}}}", "[".repeat(32), "]".repeat(32));
    check_text(100, &deep, "BadMessage: message 1, column 43: nested deeper than 32 levels");

    let mut decoder = TextDecoder::new(10);
    assert!(decoder.message("{\"ping\":7}").is_ok());
    decoder.set_longest(usize::MAX);
    let long = " ".repeat(LONGEST_FRAME + 1);
    let refused = decoder.message(&long).expect_err("never more than a frame");
    assert_eq!(refused.message, format!("message 2: a line of more than {LONGEST_FRAME} bytes"));
}

#[test]
fn json_messages_are_split() {
    let mut encoded = Vec::new();
    for number in 0..3 {
        encode(Form::Json, &ToClient::<Event>::Pong(number), &mut encoded).expect("it fits");
    }
    let expected: Vec<&[u8]> = vec![b"{\"pong\":0}", b"{\"pong\":1}", b"{\"pong\":2}"];
    assert_eq!(json_messages(&encoded).collect::<Vec<_>>(), expected);
    assert_eq!(json_messages(b"").count(), 0);
}
