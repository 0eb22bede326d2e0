//! Decodes bytes in pieces.

use commlib::{Decoder, Form, Incoming, Refused, ToClient, ToClientDecoder};

use crate::{
    example::{Command, Event},
    notation::hex,
};

/// All decoded messages, and how the stream ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decoded<M> {
    pub(crate) messages: Vec<M>,
    pub(crate) end: End,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    Clean,
    /// The stream ended in the middle of a message.
    Cut,
    Refused(Refused),
}

/// The common interface of both decoders.
pub(crate) trait Decodes {
    type Message;
    fn feed(&mut self, bytes: &[u8]) -> usize;
    fn message(&mut self) -> Result<Option<Self::Message>, Refused>;
    fn is_between_messages(&self) -> bool;
    fn capacity(&self) -> usize;
}

impl Decodes for Decoder {
    type Message = Incoming<'static>;
    fn feed(&mut self, bytes: &[u8]) -> usize {
        self.feed(bytes)
    }
    fn message(&mut self) -> Result<Option<Incoming<'static>>, Refused> {
        Ok(self.message()?.map(Incoming::into_owned))
    }
    fn is_between_messages(&self) -> bool {
        self.is_between_messages()
    }
    fn capacity(&self) -> usize {
        self.capacity()
    }
}

impl Decodes for ToClientDecoder<Event> {
    type Message = ToClient<Event>;
    fn feed(&mut self, bytes: &[u8]) -> usize {
        self.feed(bytes)
    }
    fn message(&mut self) -> Result<Option<ToClient<Event>>, Refused> {
        self.message()
    }
    fn is_between_messages(&self) -> bool {
        self.is_between_messages()
    }
    fn capacity(&self) -> usize {
        self.capacity()
    }
}

/// Feeds the pieces to a decoder. Checks that its memory is bounded, that every call makes progress, and that a refusal is
/// permanent.
pub(crate) fn decode<'a, D: Decodes>(
    mut decoder: D,
    longest: usize,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Decoded<D::Message> {
    let mut messages = Vec::new();
    for mut piece in pieces {
        while !piece.is_empty() {
            let taken = decoder.feed(piece);
            assert!(taken > 0, "there is space if no message waits");
            assert!(decoder.capacity() <= longest + 4, "the memory is bounded");
            piece = &piece[taken..];
            loop {
                match decoder.message() {
                    Ok(Some(message)) => messages.push(message),
                    Ok(None) => break,
                    Err(refused) => {
                        assert_eq!(decoder.message().err().as_ref(), Some(&refused), "a refusal is permanent");
                        return Decoded { messages, end: End::Refused(refused) };
                    }
                }
            }
        }
    }
    let end = if decoder.is_between_messages() { End::Clean } else { End::Cut };
    Decoded { messages, end }
}

/// All messages and the end in one line: `List; Roll { dice: 1 }; Ping 7; BadMessage: ..`.
pub(crate) fn words(decoded: &Decoded<Incoming<'_>>) -> String {
    let mut words: Vec<_> = decoded.messages.iter().map(message).collect();
    match &decoded.end {
        End::Clean => {}
        End::Cut => words.push("cut".into()),
        End::Refused(Refused { reason, message }) => words.push(format!("{reason:?}: {message}")),
    }
    words.join("; ")
}

fn message(message: &Incoming<'_>) -> String {
    match message {
        Incoming::Hello(hello) => format!("{:?}", hello.want),
        Incoming::Ping(number) => format!("Ping {number}"),
        Incoming::Offers(number) => format!("Offers {number}"),
        Incoming::Notices(wanted) => format!("Notices {wanted}"),
        Incoming::Chat(text) => format!("Chat {text}"),
        Incoming::Account(token) => format!("Account {token}"),
        Incoming::Mute(mute) => format!("{mute:?}"),
        Incoming::Report(number) => format!("Report {number}"),
        Incoming::Manage(change) => format!("{change:?}"),
        Incoming::Command(raw) => match (raw.decode::<Command>(), raw.form()) {
            (Ok(command), _) => format!("{command:?}"),
            (Err(refused), Form::Json) => format!("`{}` ({refused})", raw.json().unwrap_or_default()),
            (Err(refused), Form::Binary) => format!("`{}` ({refused})", hex(raw.bytes())),
        },
    }
}
