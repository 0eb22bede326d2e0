//! Encodes messages, on both sides of a connection.

use std::fmt;

use serde::Serialize;

use crate::{Form, FromClient, LONGEST_FRAME, ToClient, Token, Welcome, frames::PREFIX};

/// Appends a server's message to `out`: a frame, or a line with its end. On failure, `out` is unchanged.
///
/// ```
/// use commlib::{Form, ToClient, encode};
///
/// let mut out = Vec::new();
/// encode(Form::Json, &ToClient::<()>::Pong(7), &mut out)?;
/// encode(Form::Binary, &ToClient::<()>::Pong(7), &mut out)?;
/// assert_eq!(out, b"{\"pong\":7}\n\0\0\0\x02\x03\x07");
/// # Ok::<(), commlib::EncodeError>(())
/// ```
///
/// # Errors
/// If the message is too long, or cannot be serialized.
pub fn encode<E: Serialize>(form: Form, message: &ToClient<E>, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    append(form, message, out)
}

/// Splits the JSON lines that [`encode()`] wrote into messages, without line ends.
pub fn json_messages(encoded: &[u8]) -> impl Iterator<Item = &[u8]> {
    encoded.split_inclusive(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}

/// Appends a welcome, in the form of the protocol version that it names.
///
/// # Errors
/// If the message is too long.
pub fn encode_welcome(form: Form, welcome: Welcome, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let Welcome { protocol, game, client, token, next, .. } = welcome;
    if protocol == 1 {
        append(form, &ToClient1::Welcome { protocol, game, client, token, next }, out)
    } else {
        append(form, &ToClient::<()>::Welcome(Welcome { protocol, game, client, token, next, ..welcome }), out)
    }
}

/// The messages of protocol 1 that differ from [`ToClient`].
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ToClient1 {
    Welcome { protocol: u16, game: String, client: Option<u32>, token: Option<Token>, next: u64 },
}

/// Appends a client's message, like [`encode()`].
///
/// # Errors
/// If the message is too long, or its type cannot be written.
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
    // A command that is already JSON (`RawValue`) may contain line ends. In valid JSON they are white space.
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

/// Why a message cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// The message is longer than [`LONGEST_FRAME`].
    TooLong {
        /// The length of the message in bytes.
        length: usize,
    },
    /// The `Serialize` implementation failed, with this message.
    Unwritable(String),
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { length } => write!(f, "a message of {length} bytes; {LONGEST_FRAME} are the most"),
            Self::Unwritable(error) => write!(f, "a message that cannot be written: {error}"),
        }
    }
}

impl std::error::Error for EncodeError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact bytes that the first version sent.
    #[test]
    fn the_welcome_of_protocol_1() {
        let welcome = Welcome {
            protocol: 1,
            game: "tea".into(),
            client: Some(0),
            token: Some(Token::new(std::array::from_fn(|at| at as u8))),
            next: 1,
            rulebook: "table".into(),
            edition: "loud".into(),
            commands: 7,
            scenario: Some("two dice".into()),
        };
        let mut line = Vec::new();
        encode_welcome(Form::Json, welcome.clone(), &mut line).expect("it fits");
        let expected = concat!(
            r#"{"welcome":{"protocol":1,"game":"tea","client":0,"#,
            r#""token":"000102030405060708090a0b0c0d0e0f","next":1}}"#,
            "\n"
        );
        assert_eq!(String::from_utf8(line).as_deref(), Ok(expected));
        let mut frame = Vec::new();
        encode_welcome(Form::Binary, welcome, &mut frame).expect("it fits");
        let mut expected = vec![0, 0, 0, 0x1a, 0, 1, 3, b't', b'e', b'a', 1, 0, 1];
        expected.extend(0..16);
        expected.push(1);
        assert_eq!(frame, expected);
    }
}
