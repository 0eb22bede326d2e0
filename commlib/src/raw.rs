//! A command whose game is not known yet.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use crate::{Reason, Refused, binary, json};

/// The two ways to write a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Frames: a length and postcard.
    Binary,
    /// Lines of JSON.
    Json,
}

/// A command as it came, without the message around it; whoever knows the game decodes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Raw<'a> {
    Binary(Cow<'a, [u8]>),
    Json(Cow<'a, str>),
}

impl Raw<'_> {
    pub const fn form(&self) -> Form {
        match self {
            Self::Binary(_) => Form::Binary,
            Self::Json(_) => Form::Json,
        }
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Binary(bytes) => bytes,
            Self::Json(text) => text.as_bytes(),
        }
    }

    /// The text of a JSON command: one value of valid JSON without white space around it.
    pub fn json(&self) -> Option<&str> {
        match self {
            Self::Binary(_) => None,
            Self::Json(text) => Some(text),
        }
    }

    /// The command of a game, with nothing left over.
    pub fn decode<C: DeserializeOwned>(&self) -> Result<C, Refused> {
        let decoded = match self {
            Self::Binary(bytes) => binary::whole(bytes),
            Self::Json(text) => json::read(text),
        };
        decoded.map_err(|words| Refused::new(Reason::BadMessage, format!("the command: {words}")))
    }

    /// The same, kept beyond the decoder's next message.
    pub fn into_owned(self) -> Raw<'static> {
        match self {
            Self::Binary(bytes) => Raw::Binary(Cow::Owned(bytes.into_owned())),
            Self::Json(text) => Raw::Json(Cow::Owned(text.into_owned())),
        }
    }
}
