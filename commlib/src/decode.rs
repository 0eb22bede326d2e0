//! Bytes to messages, on both sides of a connection.

use std::{borrow::Cow, marker::PhantomData, ops::Range};

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{Form, FromClient, Hello, Raw, Reason, Refused, ToClient, binary, frames::Frames, json};

/// What a server hears, with a command as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming<'a> {
    Hello(Hello),
    Command(Raw<'a>),
    Ping(u64),
}

impl<'a> Incoming<'a> {
    /// One message from the body of a frame.
    pub fn from_binary(body: &'a [u8]) -> Result<Self, Refused> {
        read_binary(body).map_err(|words| Refused::new(Reason::BadMessage, words))
    }

    /// One message from its JSON, for whoever has it from something else than a line.
    pub fn from_json(text: &'a str) -> Result<Self, Refused> {
        read_json(text).map_err(|words| Refused::new(Reason::BadMessage, words))
    }

    /// The hello that a connection begins with.
    pub fn into_hello(self) -> Result<Hello, Refused> {
        match self {
            Self::Hello(hello) => Ok(hello),
            Self::Command(_) | Self::Ping(_) => {
                Err(Refused::new(Reason::BadMessage, "a hello comes before everything else"))
            }
        }
    }

    /// The same, kept beyond the decoder's next message.
    pub fn into_owned(self) -> Incoming<'static> {
        match self {
            Self::Hello(hello) => Incoming::Hello(hello),
            Self::Command(raw) => Incoming::Command(raw.into_owned()),
            Self::Ping(number) => Incoming::Ping(number),
        }
    }
}

fn read_binary(body: &[u8]) -> Result<Incoming<'_>, String> {
    // A command that has no bytes of its own leaves those of the real one behind it.
    let (message, rest) = binary::start::<FromClient<()>>(body)?;
    let incoming = match message {
        FromClient::Hello(hello) => Incoming::Hello(hello),
        FromClient::Command(()) => return Ok(Incoming::Command(Raw::Binary(Cow::Borrowed(rest)))),
        FromClient::Ping(number) => Incoming::Ping(number),
    };
    binary::nothing_left(body, rest).map(|()| incoming)
}

pub(crate) fn read_json(text: &str) -> Result<Incoming<'_>, String> {
    Ok(match json::read::<FromClient<&RawValue>>(text)? {
        FromClient::Hello(hello) => Incoming::Hello(hello),
        FromClient::Command(raw) => Incoming::Command(Raw::Json(Cow::Borrowed(raw.get()))),
        FromClient::Ping(number) => Incoming::Ping(number),
    })
}

/// The server's side: is fed with whatever came, and gives messages. What is refused once stays refused, because nobody
/// knows where the next message would begin.
#[derive(Debug)]
pub struct Decoder(Messages);

impl Decoder {
    /// Takes messages of up to `longest` bytes, and never more than [`crate::LONGEST_FRAME`].
    pub fn new(longest: usize) -> Self {
        Self(Messages::new(longest))
    }

    /// Changes that from the next message on.
    pub fn set_longest(&mut self, longest: usize) {
        self.0.frames.set_longest(longest);
    }

    /// Known from the first byte on.
    pub fn form(&self) -> Option<Form> {
        self.0.frames.form()
    }

    /// Copies as much as there is space for and says how much that was: everything, unless a message waits.
    pub fn feed(&mut self, bytes: &[u8]) -> usize {
        self.0.frames.feed(bytes)
    }

    /// Where the next bytes go, for whoever can write them there; then say [`Self::filled`].
    pub fn space(&mut self) -> &mut [u8] {
        self.0.frames.space()
    }

    pub fn filled(&mut self, count: usize) {
        self.0.frames.filled(count);
    }

    /// The next message, once all of it is there.
    pub fn message(&mut self) -> Result<Option<Incoming<'_>>, Refused> {
        match self.locate()? {
            Some(found) => self.read(found).map(Some),
            None => Ok(None),
        }
    }

    /// Whether a stream may end here.
    pub fn is_between_messages(&self) -> bool {
        self.0.frames.is_between_messages()
    }

    /// The memory that is held for bytes that came.
    pub fn capacity(&self) -> usize {
        self.0.frames.capacity()
    }

    /// Half of [`Self::message`]: a loop that returns what it borrows does not pass the borrow checker.
    pub(crate) fn locate(&mut self) -> Result<Option<Located>, Refused> {
        self.0.locate()
    }

    pub(crate) fn read(&mut self, found: Located) -> Result<Incoming<'_>, Refused> {
        let Messages { frames, count, failed } = &mut self.0;
        let bytes = frames.bytes(found.at);
        let read = match found.form {
            Form::Binary => read_binary(bytes),
            Form::Json => text(bytes).and_then(read_json),
        };
        read.map_err(|words| failed.insert(malformed(*count, &words)).clone())
    }
}

/// The client's side of the same; `E` are the events of the game.
#[derive(Debug)]
pub struct ToClientDecoder<E> {
    messages: Messages,
    events: PhantomData<fn() -> E>,
}

impl<E: DeserializeOwned> ToClientDecoder<E> {
    /// Takes messages of up to `longest` bytes, and never more than [`crate::LONGEST_FRAME`].
    pub fn new(longest: usize) -> Self {
        Self { messages: Messages::new(longest), events: PhantomData }
    }

    /// The server's form: the client's own, or JSON from a server that hung up before it heard anything.
    pub fn form(&self) -> Option<Form> {
        self.messages.frames.form()
    }

    /// Copies as much as there is space for and says how much that was: everything, unless a message waits.
    pub fn feed(&mut self, bytes: &[u8]) -> usize {
        self.messages.frames.feed(bytes)
    }

    /// Where the next bytes go, for whoever can write them there; then say [`Self::filled`].
    pub fn space(&mut self) -> &mut [u8] {
        self.messages.frames.space()
    }

    pub fn filled(&mut self, count: usize) {
        self.messages.frames.filled(count);
    }

    /// The next message, once all of it is there.
    pub fn message(&mut self) -> Result<Option<ToClient<E>>, Refused> {
        let Some(found) = self.messages.locate()? else { return Ok(None) };
        let Messages { frames, count, failed } = &mut self.messages;
        let bytes = frames.bytes(found.at);
        let read = match found.form {
            Form::Binary => binary::whole(bytes),
            Form::Json => text(bytes).and_then(json::read),
        };
        read.map(Some).map_err(|words| failed.insert(malformed(*count, &words)).clone())
    }

    /// Whether a stream may end here.
    pub fn is_between_messages(&self) -> bool {
        self.messages.frames.is_between_messages()
    }

    /// The memory that is held for bytes that came.
    pub fn capacity(&self) -> usize {
        self.messages.frames.capacity()
    }
}

/// Frames or lines, counted, up to the first that is refused.
#[derive(Debug)]
struct Messages {
    frames: Frames,
    count: u64,
    failed: Option<Refused>,
}

/// A whole message in the buffer.
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

/// A refusal of the message with this number.
pub(crate) fn numbered(count: u64, refused: Refused) -> Refused {
    Refused { message: format!("message {count}: {}", refused.message), ..refused }
}

/// The same for words that say where in the message the mistake is.
pub(crate) fn malformed(count: u64, words: &str) -> Refused {
    Refused::new(Reason::BadMessage, format!("message {count}, {words}"))
}

fn text(line: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(line).map_err(|error| format!("column {}: not UTF-8", error.valid_up_to() + 1))
}
