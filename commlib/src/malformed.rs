//! Why bytes are not a message.

use std::fmt;

use crate::{DEEPEST_JSON, Reason, Refused};

/// The maximum size of an error's text in bytes. It may quote a client's message.
const LONGEST_TEXT: usize = 300;

/// Bytes that are not a message. `Display` begins with the position of the mistake.
#[derive(Debug)]
pub(crate) enum Malformed {
    Binary {
        /// How many bytes were read before the mistake.
        byte: usize,
        mistake: Mistake,
    },
    Json(serde_json::Error),
    /// JSON that is nested deeper than [`DEEPEST_JSON`].
    TooDeep {
        /// The column, from 1.
        column: usize,
    },
    NotUtf8 {
        /// The column, from 1.
        column: usize,
    },
}

#[derive(Debug)]
pub(crate) enum Mistake {
    Value(postcard::Error),
    /// Bytes follow the message.
    TooLong {
        extra: usize,
    },
}

impl Malformed {
    /// The refusal of the message with this number.
    pub(crate) fn numbered(&self, number: u64) -> Refused {
        Refused::new(Reason::BadMessage, format!("message {number}, {self}"))
    }
}

impl From<Malformed> for Refused {
    fn from(malformed: Malformed) -> Self {
        Self::new(Reason::BadMessage, malformed.to_string())
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Binary { byte, mistake } => write!(f, "byte {byte}: {mistake}"),
            Self::Json(error) => {
                let text = describe(error);
                let end = text.floor_char_boundary(LONGEST_TEXT);
                let dots = if end < text.len() { ".." } else { "" };
                write!(f, "column {}: {}{dots}", error.column(), &text[..end])
            }
            Self::TooDeep { column } => write!(f, "column {column}: nested deeper than {DEEPEST_JSON} levels"),
            Self::NotUtf8 { column } => write!(f, "column {column}: not UTF-8"),
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const TEXTS: &[(postcard::Error, &str)] = &[
            (postcard::Error::DeserializeUnexpectedEnd, "the message is cut off here"),
            (postcard::Error::DeserializeBadVarint, "a number that is too large for its field"),
            (postcard::Error::DeserializeBadBool, "a bool that is neither 00 nor 01"),
            (postcard::Error::DeserializeBadOption, "an option that is neither 00 nor 01"),
            (postcard::Error::DeserializeBadUtf8, "a string that is not UTF-8"),
            (postcard::Error::SerdeDeCustom, "a number that no variant has, or a value that is not allowed"),
        ];
        match self {
            Self::Value(error) => match TEXTS.iter().find(|(known, _)| known == error) {
                Some((_, text)) => f.write_str(text),
                None => error.fmt(f),
            },
            Self::TooLong { extra } => write!(f, "the message is over and {extra} more came"),
        }
    }
}

/// The text of an error without its position, with clearer words for two cases that serde reports only as text.
fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place).unwrap_or(&text) {
        "invalid type: unit variant, expected newtype variant"
        | "invalid type: unit variant, expected struct variant" => {
            "a name alone is not enough here, its fields are needed: {\"name\":{..}}".into()
        }
        "invalid type: map, expected unit" => "this has no fields and is only its name: \"name\"".into(),
        text => text.into(),
    }
}
