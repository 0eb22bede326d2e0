//! UUIDs of version 4.

use std::fmt;

const LENGTH: usize = 36;

/// A UUID of version 4. It keeps the case of its letters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid([u8; LENGTH]);

impl Guid {
    /// Parses a UUID.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes: [u8; LENGTH] = text.as_bytes().try_into().ok()?;
        let fits = |(index, byte): (usize, &u8)| match index {
            8 | 13 | 18 | 23 => *byte == b'-',
            14 => *byte == b'4',
            19 => matches!(byte, b'8' | b'9' | b'a' | b'b' | b'A' | b'B'),
            _ => byte.is_ascii_hexdigit(),
        };
        bytes.iter().enumerate().all(fits).then_some(Self(bytes))
    }

    /// Makes a UUID from random bytes.
    pub fn of_random(mut bytes: [u8; 16]) -> Self {
        bytes[6] = 0x40 | (bytes[6] & 0x0f);
        bytes[8] = 0x80 | (bytes[8] & 0x3f);
        let mut text = [b'-'; LENGTH];
        let places = (0..LENGTH).filter(|place| ![8, 13, 18, 23].contains(place));
        let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0x0f]);
        for (place, digit) in places.zip(digits) {
            text[place] = b"0123456789abcdef"[usize::from(digit)];
        }
        Self(text)
    }

    /// The text of the UUID.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Whether a text is the same UUID, in upper or lower case.
    pub fn is_same(&self, other: &str) -> bool {
        self.as_str().eq_ignore_ascii_case(other)
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
