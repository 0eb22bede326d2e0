//! A readable notation for bytes: `00 0a` are bytes, `'text'` is its UTF-8, and `*3` after either repeats it.

/// Reads the notation.
///
/// # Panics
/// If the notation is wrong.
pub(crate) fn bytes(notation: &str) -> Vec<u8> {
    let mut all = Vec::new();
    let mut rest = notation.trim_start();
    while !rest.is_empty() {
        let (part, behind) = match rest.strip_prefix('\'') {
            Some(quoted) => {
                let (text, behind) = quoted.split_once('\'').expect("a quote is closed");
                (text.as_bytes().to_vec(), behind)
            }
            None => {
                let byte = rest.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
                (vec![byte.unwrap_or_else(|| panic!("no byte: {rest}"))], &rest[2..])
            }
        };
        let (count, behind) = match behind.strip_prefix('*') {
            Some(times) => {
                let end = times.find(' ').unwrap_or(times.len());
                (times[..end].parse().expect("a number of times"), &times[end..])
            }
            None => (1, behind),
        };
        all.extend(part.repeat(count));
        rest = behind.trim_start();
    }
    all
}

/// Writes plain bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn notation_of_bytes() {
    fn check(notation: &str, expected: &[u8]) {
        assert_eq!(bytes(notation), expected, "{notation}");
        assert_eq!(bytes(&hex(expected)), expected);
    }
    check("", &[]);
    check("00 0A ff", &[0, 10, 255]);
    check("'{ }' 0a", b"{ }\n");
    check("07*3 'ab'*2 00", b"\x07\x07\x07abab\0");
    check("'a'*0", &[]);
}
