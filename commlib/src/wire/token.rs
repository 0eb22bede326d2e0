//! The forms of a token: 16 bytes in binary, 32 hex digits as text and in JSON.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::Token;

impl Token {
    /// A token with these bytes. The caller takes them from a secure source of randomness.
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes of the token.
    pub const fn bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The text is not a token. The error does not contain the text, which may be most of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoToken;

impl fmt::Display for NoToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a token is 32 hex digits")
    }
}

impl std::error::Error for NoToken {}

impl FromStr for Token {
    type Err = NoToken;

    fn from_str(text: &str) -> Result<Self, NoToken> {
        fn digit(byte: u8) -> Result<u8, NoToken> {
            match byte {
                b'0'..=b'9' => Ok(byte - b'0'),
                b'a'..=b'f' => Ok(byte - b'a' + 10),
                b'A'..=b'F' => Ok(byte - b'A' + 10),
                _ => Err(NoToken),
            }
        }
        let digits: &[u8; 32] = text.as_bytes().try_into().map_err(|_| NoToken)?;
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(digits.as_chunks::<2>().0) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Token {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { self.0.serialize(serializer) }
    }
}

impl<'de> Deserialize<'de> for Token {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(Digits)
        } else {
            <[u8; 16]>::deserialize(deserializer).map(Self)
        }
    }
}

struct Digits;

impl de::Visitor<'_> for Digits {
    type Value = Token;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a token of 32 hex digits")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Token, E> {
        text.parse().map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_and_read() {
        fn check(text: &str, expected: &str) {
            let came = text.parse::<Token>().map_or_else(|error| error.to_string(), |token| token.to_string());
            assert_eq!(came, expected, "{text:?}");
        }
        let none = "a token is 32 hex digits";
        check("000102030405060708090a0b0c0d0e0f", "000102030405060708090a0b0c0d0e0f");
        check("FFFEfdfcfbfaf9f8F7F6F5F4F3F2F1F0", "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0");
        check("", none);
        check("000102030405060708090a0b0c0d0e0", none);
        check("000102030405060708090a0b0c0d0e0f0", none);
        check("000102030405060708090a0b0c0d0e0g", none);
        check("é00102030405060708090a0b0c0d0e0", none);
    }

    #[test]
    fn debug_and_errors_hide_it() {
        assert_eq!(format!("{:?}", Some(Token::new([7; 16]))), "Some(Token(..))");
        let words = serde_json::from_str::<Token>("\"0123\"").map_err(|error| error.to_string());
        assert_eq!(words, Err("a token is 32 hex digits at line 1 column 6".to_string()));
    }
}
