//! Reads one JSON value, with a limit on its depth.

use serde::Deserialize;

use crate::{DEEPEST_JSON, malformed::Malformed};

/// Reads a value that takes the whole text.
pub(crate) fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Malformed> {
    if let Some(at) = too_deep(text) {
        return Err(Malformed::TooDeep { column: at + 1 });
    }
    serde_json::from_str(text).map_err(Malformed::Json)
}

/// The index of the first array or object that is nested too deep. The parser does not limit the depth of a borrowed value
/// (`RawValue`), so check it here, before a later reader recurses into it.
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
