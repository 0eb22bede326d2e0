//! Messages to bytes, on both sides of a connection.

use std::fmt;

use serde::Serialize;

use crate::{Form, FromClient, LONGEST_FRAME, ToClient, frames::PREFIX};

/// Appends what a server says to `out`: a frame, or a line with its end. When it fails, `out` is as it was.
pub fn encode<E: Serialize>(form: Form, message: &ToClient<E>, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    append(form, message, out)
}

/// Appends what a client says, likewise.
pub fn encode_from_client<C: Serialize>(
    form: Form,
    message: &FromClient<C>,
    out: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    append(form, message, out)
}

fn append<M: Serialize>(form: Form, message: &M, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let start = out.len();
    let written = match form {
        Form::Binary => frame(message, out),
        Form::Json => line(message, out),
    };
    if written.is_err() {
        out.truncate(start);
    }
    written
}

fn frame<M: Serialize>(message: &M, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let start = out.len();
    out.extend_from_slice(&[0; PREFIX]);
    postcard::to_io(message, &mut *out).map_err(|error| EncodeError::Unwritable(error.to_string()))?;
    let length = short_enough(out.len() - start - PREFIX)?;
    out[start..start + PREFIX].copy_from_slice(&length.to_be_bytes());
    Ok(())
}

fn line<M: Serialize>(message: &M, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let start = out.len();
    serde_json::to_writer(&mut *out, message).map_err(|error| EncodeError::Unwritable(error.to_string()))?;
    short_enough(out.len() - start)?;
    // A command that is JSON already (`RawValue`) may have line ends, which in valid JSON are nothing but white space.
    out[start..].iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
    out.push(b'\n');
    Ok(())
}

fn short_enough(length: usize) -> Result<u32, EncodeError> {
    match u32::try_from(length) {
        Ok(short) if length <= LONGEST_FRAME => Ok(short),
        _ => Err(EncodeError::TooLong { length }),
    }
}

/// Why a message has no bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// It would be longer than [`LONGEST_FRAME`].
    TooLong { length: usize },
    /// Its own type would not be written.
    Unwritable(String),
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { length } => write!(f, "a message of {length} bytes; {LONGEST_FRAME} are the most"),
            Self::Unwritable(words) => write!(f, "a message that cannot be written: {words}"),
        }
    }
}

impl std::error::Error for EncodeError {}
