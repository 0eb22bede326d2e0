//! A command that is not decoded yet.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use crate::{Reason, Refused, binary, json};

/// The two forms of a message on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Frames: a length, followed by postcard bytes.
    Binary,
    /// Lines of JSON.
    Json,
}

/// The bytes of a command, without the message around it. The code that knows the game decodes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Raw<'a> {
    /// The postcard bytes.
    Binary(Cow<'a, [u8]>),
    /// The JSON text.
    Json(Cow<'a, str>),
}

impl Raw<'_> {
    /// The form of the command.
    pub const fn form(&self) -> Form {
        match self {
            Self::Binary(_) => Form::Binary,
            Self::Json(_) => Form::Json,
        }
    }

    /// The bytes, in either form.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Binary(bytes) => bytes,
            Self::Json(text) => text.as_bytes(),
        }
    }

    /// The text of a JSON command: one valid JSON value without white space around it.
    pub fn json(&self) -> Option<&str> {
        match self {
            Self::Binary(_) => None,
            Self::Json(text) => Some(text),
        }
    }

    /// Decodes the command of a game.
    ///
    /// # Errors
    /// If the bytes are not a command of this type.
    pub fn decode<C: DeserializeOwned>(&self) -> Result<C, Refused> {
        let decoded = match self {
            Self::Binary(bytes) => binary::read_all(bytes),
            Self::Json(text) => json::read(text),
        };
        decoded.map_err(|malformed| Refused::new(Reason::BadMessage, format!("the command: {malformed}")))
    }

    /// Copies the bytes, so that they outlive the decoder's buffer.
    pub fn into_owned(self) -> Raw<'static> {
        match self {
            Self::Binary(bytes) => Raw::Binary(Cow::Owned(bytes.into_owned())),
            Self::Json(text) => Raw::Json(Cow::Owned(text.into_owned())),
        }
    }
}
