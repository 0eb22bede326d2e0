//! Documents in other encodings than UTF-8.

use std::borrow::Cow;

use crate::error::{Place, XmlError};

/// The byte order marks of UTF-16.
const BIG_ENDIAN: [u8; 2] = [0xfe, 0xff];
const LITTLE_ENDIAN: [u8; 2] = [0xff, 0xfe];

/// The beginning of a document in which its encoding can be declared.
const DECLARATION: usize = 200;

/// The bytes of a document in UTF-8. UTF-16 is known by its byte order mark or its first character, and ISO-8859-1 by its declaration.
/// Everything else is returned as it is; [`crate::read`] finds what is wrong with it.
///
/// # Errors
/// If the bytes are UTF-16 with an odd length or half a character.
pub fn to_utf8(bytes: &[u8]) -> Result<Cow<'_, [u8]>, XmlError> {
    let text = match bytes {
        [first, second, rest @ ..] if [*first, *second] == BIG_ENDIAN => utf_16(rest, u16::from_be_bytes)?,
        [first, second, rest @ ..] if [*first, *second] == LITTLE_ENDIAN => utf_16(rest, u16::from_le_bytes)?,
        [0, b'<', ..] => utf_16(bytes, u16::from_be_bytes)?,
        [b'<', 0, ..] => utf_16(bytes, u16::from_le_bytes)?,
        _ if declared(&String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARATION)])).is_some_and(is_latin) => {
            bytes.iter().map(|byte| char::from(*byte)).collect()
        }
        _ => return Ok(Cow::Borrowed(bytes)),
    };
    Ok(Cow::Owned(declare_utf_8(text).into_bytes()))
}

fn utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, XmlError> {
    let wrong = |what| XmlError::new(Place::START, what);
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(wrong("the document is UTF-16 with half a character at its end"));
    }
    let units = pairs.iter().map(|pair| unit(*pair));
    char::decode_utf16(units).collect::<Result<_, _>>().map_err(|_| wrong("the document is not valid UTF-16"))
}

/// The encoding that a document declares.
fn declared(text: &str) -> Option<&str> {
    let inside = text.strip_prefix("<?xml")?.split_once("?>")?.0;
    let value = inside.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    Some(value[1..].split_once(quote)?.0)
}

fn is_latin(encoding: &str) -> bool {
    ["iso-8859-1", "latin1", "iso_8859-1"].iter().any(|name| encoding.eq_ignore_ascii_case(name))
}

/// The text with UTF-8 as its declared encoding. Its columns stay where they are if the name of the encoding is longer.
fn declare_utf_8(text: String) -> String {
    let Some(encoding) = declared(&text).filter(|encoding| !encoding.is_empty()) else { return text };
    // The name cannot come before the word `encoding`.
    let Some((at, _)) = text.find("encoding").and_then(|word| text[word + 8..].match_indices(encoding).next()) else {
        return text;
    };
    let at = at + text.find("encoding").unwrap_or_default() + 8;
    let (before, after) = (&text[..at], &text[at + encoding.len()..]);
    // The quote comes before the spaces.
    let (quote, after) = after.split_at(1);
    let spaces = " ".repeat(encoding.len().saturating_sub("utf-8".len()));
    format!("{before}utf-8{quote}{spaces}{after}")
}

#[cfg(test)]
mod tests {
    use super::to_utf8;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        let read = to_utf8(bytes).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert_eq!(read.unwrap_or_else(|error| error.to_string()), expected);
    }

    fn utf_16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn encodings() {
        check(b"<a>\xc3\xa4</a>", "<a>ä</a>");
        check(b"", "");
        check(b"<", "<");
        let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>ä𝄞</a>";
        let read = "<?xml version=\"1.0\" encoding=\"utf-8\" ?><a>ä𝄞</a>";
        for unit in [u16::to_be_bytes, u16::to_le_bytes] {
            check(&utf_16(text, unit), read);
            check(&utf_16(&format!("\u{feff}{text}"), unit), read);
        }
        check(&utf_16("<a/>", u16::to_le_bytes), "<a/>");
        check(
            b"<?xml version='1.0' encoding = 'ISO-8859-1'?><a>\xe4</a>",
            "<?xml version='1.0' encoding = 'utf-8'     ?><a>ä</a>",
        );
        check(b"<?xml version='1.0' encoding='koi8-r'?><a/>", "<?xml version='1.0' encoding='koi8-r'?><a/>");
        check(b"<\0a", "line 1, column 1: the document is UTF-16 with half a character at its end");
        check(b"<\0\x00\xd8a\0", "line 1, column 1: the document is not valid UTF-16");
    }
}
