//! Frames that end with a certain byte.

use commlib::{Delimited, Frame};

const END: u8 = 0x17;

/// The frames of bytes that arrive in pieces of this size. `!` is a frame that is too long.
fn frames(bytes: &[u8], longest: usize, piece: usize) -> Vec<String> {
    let mut delimited = Delimited::new(END, longest);
    let mut found = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let space = delimited.space();
        assert!(!space.is_empty(), "there is always space once all frames are read");
        let count = piece.min(space.len()).min(rest.len());
        space[..count].copy_from_slice(&rest[..count]);
        delimited.filled(count);
        rest = &rest[count..];
        while let Some(frame) = delimited.next_frame() {
            found.push(match frame {
                Frame::Whole(at) => {
                    assert_eq!(delimited.bytes(at.end..at.end + 1), [END]);
                    String::from_utf8_lossy(delimited.bytes(at)).into_owned()
                }
                Frame::TooLong => "!".to_owned(),
            });
        }
    }
    found
}

#[test]
fn frames_in_pieces() {
    let check = |text: &str, expected: &[&str]| {
        let bytes: Vec<u8> = text.bytes().map(|byte| if byte == b'|' { END } else { byte }).collect();
        for piece in 1..=bytes.len() {
            assert_eq!(frames(&bytes, 5, piece), expected, "{text} in pieces of {piece}");
        }
    };
    check("a|b|", &["a", "b"]);
    check("|", &[""]);
    check("||a||", &["", "", "a", ""]);
    check("abcde|", &["abcde"]);
    check("abcdef|g|", &["!", "g"]);
    check("abcdefghijklmnopqrstuvwxyz||g|", &["!", "", "g"]);
    check("abc", &[]);
    check("abcdefghij|abcde|abcdefghijkl|", &["!", "abcde", "!"]);
}

/// A frame of the maximum length arrives complete after any other frame.
#[test]
fn long_frames() {
    let longest = 300_000;
    let mut bytes = vec![b'a'; longest];
    bytes.push(END);
    bytes.extend_from_slice(b"short\x17");
    bytes.extend(vec![b'b'; longest + 1]);
    bytes.extend_from_slice(b"\x17last\x17");
    for piece in [1000, 4096, 65_536, 1 << 20] {
        let found = frames(&bytes, longest, piece);
        assert_eq!(found.iter().map(String::len).collect::<Vec<_>>(), [longest, 5, 1, 4]);
        assert_eq!(found[1..], ["short", "!", "last"]);
    }
}
