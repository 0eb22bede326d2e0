//! What a decoder makes of bytes, however they are cut.

use commlib::{Decoder, Form, Incoming, Refused, ToClient, ToClientDecoder};

use crate::{
    example::{Command, Event},
    notation::hex,
};

/// Everything that was heard, and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Heard<M> {
    pub(crate) messages: Vec<M>,
    pub(crate) end: End,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    Clean,
    /// In the middle of a message.
    Cut,
    Refused(Refused),
}

/// Both decoders, as far as they are alike.
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

/// Feeds the pieces one after the other, and holds what must hold whatever they are: memory has a bound, each step goes
/// on, and what is refused stays refused.
pub(crate) fn hear<'a, D: Decodes>(
    mut decoder: D,
    longest: usize,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Heard<D::Message> {
    let mut messages = Vec::new();
    for mut piece in pieces {
        while !piece.is_empty() {
            let taken = decoder.feed(piece);
            assert!(taken > 0, "there is space when no message waits");
            assert!(decoder.capacity() <= longest + 4, "memory has a bound");
            piece = &piece[taken..];
            loop {
                match decoder.message() {
                    Ok(Some(message)) => messages.push(message),
                    Ok(None) => break,
                    Err(refused) => {
                        assert_eq!(
                            decoder.message().err().as_ref(),
                            Some(&refused),
                            "refused once is refused for ever"
                        );
                        return Heard { messages, end: End::Refused(refused) };
                    }
                }
            }
        }
    }
    let end = if decoder.is_between_messages() { End::Clean } else { End::Cut };
    Heard { messages, end }
}

/// In one line: `hello {..}; command Roll { dice: 1 }; ping 7; refused: ..`.
pub(crate) fn words(heard: &Heard<Incoming<'_>>) -> String {
    let mut words: Vec<_> = heard.messages.iter().map(message).collect();
    match &heard.end {
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
        Incoming::Command(raw) => match (raw.decode::<Command>(), raw.form()) {
            (Ok(command), _) => format!("{command:?}"),
            (Err(refused), Form::Json) => format!("`{}` ({refused})", raw.json().unwrap_or_default()),
            (Err(refused), Form::Binary) => format!("`{}` ({refused})", hex(raw.bytes())),
        },
    }
}
