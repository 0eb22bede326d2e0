//! Decodes messages, on both sides of a connection.

use std::{borrow::Cow, marker::PhantomData, ops::Range};

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{
    AccessChange, Form, FromClient, Hello, Mute, Raw, Reason, Refused, ToClient, binary, frames::Frames, json,
    malformed::Malformed,
};

/// A message that a server receives. The command is not decoded yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming<'a> {
    /// [`FromClient::Hello`].
    Hello(Hello),
    /// [`FromClient::Command`].
    Command(Raw<'a>),
    /// [`FromClient::Ping`].
    Ping(u64),
    /// [`FromClient::Offers`].
    Offers(u64),
    /// [`FromClient::Notices`].
    Notices(bool),
    /// [`FromClient::Chat`].
    Chat(String),
    /// [`FromClient::Account`].
    Account(String),
    /// [`FromClient::Mute`].
    Mute(Mute),
    /// [`FromClient::Report`].
    Report(u64),
    /// [`FromClient::Manage`].
    Manage(AccessChange),
}

/// A message before a client is in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Greeting {
    /// [`FromClient::Hello`].
    Hello(Hello),
    /// [`FromClient::Account`].
    Account(String),
}

impl<'a> Incoming<'a> {
    /// Reads a message from the body of a frame.
    ///
    /// # Errors
    /// If the bytes are not a message.
    pub fn from_binary(body: &'a [u8]) -> Result<Self, Refused> {
        Ok(read_binary(body)?)
    }

    /// Reads a message from JSON that does not come as a line.
    ///
    /// # Errors
    /// If the text is not a message.
    pub fn from_json(text: &'a str) -> Result<Self, Refused> {
        Ok(read_json(text)?)
    }

    /// The hello, which must be the first message; a token of an account may come before it.
    ///
    /// # Errors
    /// If it is another message.
    pub fn into_greeting(self) -> Result<Greeting, Refused> {
        match self {
            Self::Hello(hello) => Ok(Greeting::Hello(hello)),
            Self::Account(token) => Ok(Greeting::Account(token)),
            Self::Command(_)
            | Self::Ping(_)
            | Self::Offers(_)
            | Self::Notices(_)
            | Self::Chat(_)
            | Self::Mute(_)
            | Self::Report(_)
            | Self::Manage(_) => Err(Refused::new(Reason::BadMessage, "a hello comes before everything else")),
        }
    }

    /// Copies the bytes of the command, so that the message outlives the decoder's buffer.
    pub fn into_owned(self) -> Incoming<'static> {
        match self {
            Self::Hello(hello) => Incoming::Hello(hello),
            Self::Command(raw) => Incoming::Command(raw.into_owned()),
            Self::Ping(number) => Incoming::Ping(number),
            Self::Offers(number) => Incoming::Offers(number),
            Self::Notices(wanted) => Incoming::Notices(wanted),
            Self::Chat(text) => Incoming::Chat(text),
            Self::Account(token) => Incoming::Account(token),
            Self::Mute(mute) => Incoming::Mute(mute),
            Self::Report(number) => Incoming::Report(number),
            Self::Manage(change) => Incoming::Manage(change),
        }
    }
}

fn read_binary(body: &[u8]) -> Result<Incoming<'_>, Malformed> {
    // The command `()` takes no bytes, so the remaining bytes are those of the real command.
    let (message, rest) = binary::read_start::<FromClient<()>>(body)?;
    let incoming = match message {
        FromClient::Hello(hello) => Incoming::Hello(hello),
        FromClient::Command(()) => return Ok(Incoming::Command(Raw::Binary(Cow::Borrowed(rest)))),
        FromClient::Ping(number) => Incoming::Ping(number),
        FromClient::Offers(number) => Incoming::Offers(number),
        FromClient::Notices(wanted) => Incoming::Notices(wanted),
        FromClient::Chat(text) => Incoming::Chat(text),
        FromClient::Account(token) => Incoming::Account(token),
        FromClient::Mute(mute) => Incoming::Mute(mute),
        FromClient::Report(number) => Incoming::Report(number),
        FromClient::Manage(change) => Incoming::Manage(change),
    };
    binary::check_end(body, rest).map(|()| incoming)
}

pub(crate) fn read_json(text: &str) -> Result<Incoming<'_>, Malformed> {
    Ok(match json::read::<FromClient<&RawValue>>(text)? {
        FromClient::Hello(hello) => Incoming::Hello(hello),
        FromClient::Command(raw) => Incoming::Command(Raw::Json(Cow::Borrowed(raw.get()))),
        FromClient::Ping(number) => Incoming::Ping(number),
        FromClient::Offers(number) => Incoming::Offers(number),
        FromClient::Notices(wanted) => Incoming::Notices(wanted),
        FromClient::Chat(text) => Incoming::Chat(text),
        FromClient::Account(token) => Incoming::Account(token),
        FromClient::Mute(mute) => Incoming::Mute(mute),
        FromClient::Report(number) => Incoming::Report(number),
        FromClient::Manage(change) => Incoming::Manage(change),
    })
}

/// Decodes the messages of a client. It works on bytes and uses no socket.
///
/// After a refusal, every call returns the same refusal, because the start of the next message is unknown.
///
/// ```
/// use commlib::{Decoder, Incoming, LONGEST_FRAME};
///
/// let mut decoder = Decoder::new(LONGEST_FRAME);
/// // Bytes arrive in pieces of any size.
/// decoder.feed(b"{\"pi");
/// assert_eq!(decoder.message(), Ok(None));
/// decoder.feed(b"ng\":7}\n");
/// assert_eq!(decoder.message(), Ok(Some(Incoming::Ping(7))));
///
/// // The first byte decides between JSON lines and binary frames.
/// let mut decoder = Decoder::new(LONGEST_FRAME);
/// decoder.feed(&[0, 0, 0, 2, 2, 7]);
/// assert_eq!(decoder.message(), Ok(Some(Incoming::Ping(7))));
/// ```
#[derive(Debug)]
pub struct Decoder(Messages);

impl Decoder {
    /// A decoder for messages of up to `longest` bytes, and never more than [`crate::LONGEST_FRAME`].
    pub fn new(longest: usize) -> Self {
        Self(Messages::new(longest))
    }

    /// Changes the limit, starting with the next message.
    pub fn set_longest(&mut self, longest: usize) {
        self.0.frames.set_longest(longest);
    }

    /// The client's form; `None` before the first byte.
    pub fn form(&self) -> Option<Form> {
        self.0.frames.form()
    }

    /// Copies bytes into the buffer, and returns how many. It copies all of them, unless a complete message waits to be read.
    pub fn feed(&mut self, bytes: &[u8]) -> usize {
        self.0.frames.feed(bytes)
    }

    /// The free part of the buffer, to write bytes to directly. Then call [`Self::filled`].
    pub fn space(&mut self) -> &mut [u8] {
        self.0.frames.space()
    }

    /// Adds `count` bytes that were written to the start of [`Self::space`].
    pub fn filled(&mut self, count: usize) {
        self.0.frames.filled(count);
    }

    /// The next message; `None` until it is complete.
    ///
    /// # Errors
    /// If the bytes are not a message, or the message is too long.
    pub fn message(&mut self) -> Result<Option<Incoming<'_>>, Refused> {
        match self.locate()? {
            Some(found) => self.read(found).map(Some),
            None => Ok(None),
        }
    }

    /// Whether the buffer contains no part of a message. Only then may the stream end here.
    pub fn is_between_messages(&self) -> bool {
        self.0.frames.is_between_messages()
    }

    /// The size of the buffer.
    pub fn capacity(&self) -> usize {
        self.0.frames.capacity()
    }

    /// The first half of [`Self::message`]. The borrow checker does not accept a loop that returns a borrowed message.
    pub(crate) fn locate(&mut self) -> Result<Option<Located>, Refused> {
        self.0.locate()
    }

    /// The second half of [`Self::message`].
    pub(crate) fn read(&mut self, found: Located) -> Result<Incoming<'_>, Refused> {
        let Messages { frames, count, failed } = &mut self.0;
        let bytes = frames.bytes(found.at);
        let read = match found.form {
            Form::Binary => read_binary(bytes),
            Form::Json => text(bytes).and_then(read_json),
        };
        read.map_err(|malformed| failed.insert(malformed.numbered(*count)).clone())
    }
}

/// Decodes the messages of a server; `E` are the events of the game. Works like [`Decoder`].
#[derive(Debug)]
pub struct ToClientDecoder<E> {
    messages: Messages,
    events: PhantomData<fn() -> E>,
}

impl<E: DeserializeOwned> ToClientDecoder<E> {
    /// A decoder for messages of up to `longest` bytes, and never more than [`crate::LONGEST_FRAME`].
    pub fn new(longest: usize) -> Self {
        Self { messages: Messages::new(longest), events: PhantomData }
    }

    /// The server's form. It is the client's form, or JSON if the server closes the connection before the client's first
    /// message.
    pub fn form(&self) -> Option<Form> {
        self.messages.frames.form()
    }

    /// Copies bytes into the buffer, and returns how many. It copies all of them, unless a complete message waits to be read.
    pub fn feed(&mut self, bytes: &[u8]) -> usize {
        self.messages.frames.feed(bytes)
    }

    /// The free part of the buffer, to write bytes to directly. Then call [`Self::filled`].
    pub fn space(&mut self) -> &mut [u8] {
        self.messages.frames.space()
    }

    /// Adds `count` bytes that were written to the start of [`Self::space`].
    pub fn filled(&mut self, count: usize) {
        self.messages.frames.filled(count);
    }

    /// The next message; `None` until it is complete.
    ///
    /// # Errors
    /// If the bytes are not a message, or the message is too long.
    pub fn message(&mut self) -> Result<Option<ToClient<E>>, Refused> {
        let Some(found) = self.messages.locate()? else { return Ok(None) };
        let Messages { frames, count, failed } = &mut self.messages;
        let bytes = frames.bytes(found.at);
        let read = match found.form {
            Form::Binary => binary::read_all(bytes),
            Form::Json => text(bytes).and_then(json::read),
        };
        read.map(Some).map_err(|malformed| failed.insert(malformed.numbered(*count)).clone())
    }

    /// Whether the buffer contains no part of a message. Only then may the stream end here.
    pub fn is_between_messages(&self) -> bool {
        self.messages.frames.is_between_messages()
    }

    /// The size of the buffer.
    pub fn capacity(&self) -> usize {
        self.messages.frames.capacity()
    }
}

/// Counts the messages, and remembers the first refusal.
#[derive(Debug)]
struct Messages {
    frames: Frames,
    count: u64,
    failed: Option<Refused>,
}

/// The place of a complete message in the buffer.
#[derive(Debug)]
pub(crate) struct Located {
    form: Form,
    at: Range<usize>,
}

impl Messages {
    fn new(longest: usize) -> Self {
        Self { frames: Frames::new(longest), count: 0, failed: None }
    }

    fn locate(&mut self) -> Result<Option<Located>, Refused> {
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        match self.frames.locate() {
            Ok(found) => Ok(found.zip(self.frames.form()).map(|(at, form)| {
                self.count += 1;
                Located { form, at }
            })),
            Err(refused) => Err(self.failed.insert(numbered(self.count + 1, refused)).clone()),
        }
    }
}

/// Adds the number of the message to a refusal.
pub(crate) fn numbered(count: u64, refused: Refused) -> Refused {
    Refused { message: format!("message {count}: {}", refused.message), ..refused }
}

fn text(line: &[u8]) -> Result<&str, Malformed> {
    std::str::from_utf8(line).map_err(|error| Malformed::NotUtf8 { column: error.valid_up_to() + 1 })
}
