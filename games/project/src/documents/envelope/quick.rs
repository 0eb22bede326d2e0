//! The fast path for envelopes, for documents in the usual form.
//!
//! The fast path skips contents: a message ends at the next `</Message>`. A content can contain this text only in something
//! unusual, such as a comment. The slow path reads unusual documents, and documents that must be split. A sender cannot hide a
//! message, because the fast path checks every place where a reader could see the start of a message.

use xml::number;

use super::{MAX_MESSAGES, Routed};

/// The number of bytes that are checked at once.
const BLOCK: usize = 64;

/// The number of bytes to look ahead after a block.
const BEHIND: usize = 3;

/// Reads the messages after the root's tag, which must all have the same receiver. Returns the offset of the root's closing
/// tag, or `None` if anything is unusual.
pub(super) fn messages(bytes: &[u8], head: usize, routed: &mut Vec<Routed>) -> Option<usize> {
    let mut at = head;
    loop {
        at = skip_spaces(bytes, at);
        if let Some(behind) = after(bytes, at, b"</Messages") {
            let end = skip_spaces(bytes, close(bytes, behind)?);
            return (end == bytes.len() && !routed.is_empty()).then_some(at);
        }
        let (begin, (id, behind)) = (at, message_tag(bytes, at)?);
        let (sender, behind) = participant(bytes, behind, b"<Sender", b"</Sender>")?;
        let (receiver, behind) = participant(bytes, behind, b"<Receiver", b"</Receiver>")?;
        let content = after(bytes, skip_spaces(bytes, behind), b"<Content>")?;
        if routed.len() == MAX_MESSAGES || routed.first().is_some_and(|first| first.receiver != receiver) {
            return None;
        }
        at = message_end(bytes, content)?;
        routed.push(Routed { sender, receiver, bytes: begin..at, id, content });
    }
}

/// Reads the tag of a message. Returns the place of its id and the end of the tag.
fn message_tag(bytes: &[u8], at: usize) -> Option<(std::ops::Range<usize>, usize)> {
    let mut at = after(bytes, at, b"<Message")?;
    let mut id = None;
    loop {
        let name = skip_spaces(bytes, at);
        if bytes.get(name) == Some(&b'>') {
            return Some((id?, name + 1));
        }
        let length = bytes.get(name..)?.iter().position(|byte| !byte.is_ascii_alphabetic())?;
        let value = after(bytes, name + length, b"=\"")?;
        let end = value + bytes.get(value..)?.iter().position(|byte| matches!(byte, b'"' | b'<' | b'&'))?;
        if name == at || length == 0 || bytes[end] != b'"' {
            return None;
        }
        match &bytes[name..name + length] {
            [b'i', b'd'] if id.is_none() => id = Some(value..end),
            [b'i', b'd'] | [b'x', b'm', b'l', ..] => return None,
            _ => {}
        }
        at = end + 1;
    }
}

/// Reads an element that has only an id. Returns the id and the end of the element.
fn participant(bytes: &[u8], at: usize, open: &[u8], close: &[u8]) -> Option<(i32, usize)> {
    let value = after(bytes, after(bytes, skip_spaces(bytes, at), open)?, b" id=\"")?;
    let length = bytes.get(value..)?.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b'-'))?;
    let id = number(std::str::from_utf8(&bytes[value..value + length]).ok()?)?;
    let at = skip_spaces(bytes, after(bytes, value + length, b"\"")?);
    let behind = after(bytes, at, b"/>").or_else(|| after(bytes, after(bytes, at, b">")?, close))?;
    Some((id, behind))
}

/// The end of the message whose content begins here.
fn message_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at = next_candidate(bytes, at)?;
        // Anything other than the end of a message is unusual: a comment, or a text that looks like one.
        let behind = after(bytes, at, b"</Message")?;
        if bytes.get(behind) != Some(&b's') {
            let is_ended = bytes[from..at].trim_ascii_end().ends_with(b"</Content>");
            return close(bytes, behind).filter(|_| is_ended);
        }
        at = behind;
    }
}

/// The next place of `</Me`, `<!` or `<?`. The inner loop has no exit, so that the compiler can check many bytes at once.
fn next_candidate(bytes: &[u8], from: usize) -> Option<usize> {
    let is_candidate = |a: u8, b: u8, c: u8, d: u8| {
        (a == b'<') & ((b == b'!') | (b == b'?') | ((b == b'/') & (c == b'M') & (d == b'e')))
    };
    let mut at = from;
    while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk::<{ BLOCK + BEHIND }>()) {
        let mut found = false;
        for place in 0..BLOCK {
            found |= is_candidate(block[place], block[place + 1], block[place + 2], block[place + 3]);
        }
        if found {
            break;
        }
        at += BLOCK;
    }
    let rest = bytes.get(at..)?.windows(BEHIND + 1);
    rest.enumerate().find(|(_, part)| is_candidate(part[0], part[1], part[2], part[3])).map(|(place, _)| at + place)
}

/// The end of a closing tag whose name ends here.
fn close(bytes: &[u8], at: usize) -> Option<usize> {
    after(bytes, skip_spaces(bytes, at), b">")
}

/// The offset after this text, if the bytes have the text here.
fn after(bytes: &[u8], at: usize, text: &[u8]) -> Option<usize> {
    let here = bytes.get(at..at + text.len())?;
    // For texts this short, this is faster than a call to memcmp.
    here.iter().zip(text).all(|(here, wanted)| here == wanted).then_some(at + text.len())
}

fn skip_spaces(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) {
        at += 1;
    }
    at
}
