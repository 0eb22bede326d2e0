//! Reading one JSON value, with words that say what is wrong and where.

use serde::Deserialize;

use crate::DEEPEST_JSON;

/// Long enough for every text of ours; what a client sent may be quoted in one and be as long as a message.
const LONGEST_WORDS: usize = 300;

/// The value of a text that has nothing else.
pub(crate) fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    if let Some(at) = too_deep(text) {
        return Err(format!("column {}: nested deeper than {DEEPEST_JSON} levels", at + 1));
    }
    serde_json::from_str(text).map_err(|error| words(&error))
}

/// Where the first array or object is that is nested too deep. A borrowed value (`RawValue`) is not limited by its
/// parser, and who reads it later should not have to care.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'[' | b'{' if depth == DEEPEST_JSON => return Some(at),
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' => {
                while let Some((_, byte)) = bytes.next().filter(|(_, byte)| *byte != b'"') {
                    if byte == b'\\' {
                        bytes.next();
                    }
                }
            }
            _ => {}
        }
    }
    None
}

fn words(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let said = match said.strip_suffix(&place).unwrap_or(&said) {
        "invalid type: unit variant, expected newtype variant"
        | "invalid type: unit variant, expected struct variant" => {
            "a name alone is not enough here, its fields are needed: {\"name\":{..}}"
        }
        "invalid type: map, expected unit" => "this has no fields and is only its name: \"name\"",
        said => said,
    };
    let end = said.floor_char_boundary(LONGEST_WORDS);
    let dots = if end < said.len() { ".." } else { "" };
    format!("column {}: {}{dots}", error.column(), &said[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth() {
        fn check(text: &str, expected: Option<usize>) {
            assert_eq!(too_deep(text), expected, "{text}");
        }
        let nest = |levels| "[".repeat(levels) + &"]".repeat(levels);
        check(&nest(DEEPEST_JSON), None);
        check(&nest(DEEPEST_JSON + 1), Some(DEEPEST_JSON));
        check(&"[]".repeat(100), None);
        check(&"{\"a\":".repeat(33), Some(32 * 5));
        check(&format!("\"{}\"", "[".repeat(100)), None);
        check(&format!("\"\\\"{}\"", "[".repeat(100)), None);
        check(&format!("\"\\\\\"{}", "[".repeat(33)), Some(36));
        check(&"]".repeat(100), None);
        check("\"\\", None);
    }
}
