//! Messages of the wire protocol, as a server and as a client read them.

use std::fmt::Debug;

use commlib::{
    Decoder, Delimited, Dialect, Form, Frame, FromClient, Incoming, LONGEST_FRAME, Reason, Refused, TextDecoder,
    ToClient, ToClientDecoder, encode, encode_from_client, encode_welcome,
};
use server::{Adapter, CommandOf, EventOf};

use super::{GAMES, choose, stream::Stream};

const FORMS: [Form; 2] = [Form::Binary, Form::Json];

/// The limits of a message that an input can choose.
const LIMITS: [usize; 4] = [LONGEST_FRAME, LONGEST_FRAME, 300, 11];

/// Bytes of an input: the game, the direction, the limit and the pieces, then the stream.
pub fn run(input: &[u8]) {
    let [game, direction, how, bytes @ ..] = input else { return };
    let stream = Stream { bytes, longest: LIMITS[usize::from(*how) % LIMITS.len()], cuts: how >> 2 };
    let Some(game) = choose(GAMES, *game) else { return };
    let directions = [(b's', 0), (b'c', 1), (b't', 2), (b'd', 3)];
    match choose(&directions, *direction) {
        Some(0) => (game.from_client)(&stream),
        Some(1) => (game.to_client)(&stream),
        Some(2) => text(&stream),
        Some(_) | None => delimited(&stream),
    }
}

/// A server reads what a client sends.
pub(super) fn from_client<A: Adapter>(stream: &Stream<'_>) {
    let whole = decode_all(Decoder::new(stream.longest), stream.longest, [stream.bytes]);
    let pieces = decode_all(Decoder::new(stream.longest), stream.longest, stream.pieces());
    assert_eq!(whole, pieces, "the result does not depend on the pieces");
    for message in whole.messages {
        let message = match message {
            Incoming::Hello(hello) => FromClient::Hello(hello),
            Incoming::Ping(number) => FromClient::Ping(number),
            Incoming::Offers(number) => FromClient::Offers(number),
            Incoming::Notices(wanted) => FromClient::Notices(wanted),
            Incoming::Chat(text) => FromClient::Chat(text),
            Incoming::Account(token) => FromClient::Account(token),
            Incoming::Mute(mute) => FromClient::Mute(mute),
            Incoming::Report(number) => FromClient::Report(number),
            Incoming::Manage(change) => FromClient::Manage(change),
            Incoming::Command(raw) => {
                if let Ok(command) = A::command(&raw) {
                    same_command::<A>(&command);
                }
                match raw.decode::<CommandOf<A>>() {
                    Ok(command) => FromClient::Command(command),
                    Err(refused) => {
                        assert_eq!(refused.reason, Reason::BadMessage);
                        continue;
                    }
                }
            }
        };
        for form in FORMS {
            let mut out = Vec::new();
            encode_from_client(form, &message, &mut out).expect("a message that was read can be written");
            let mut decoder = Decoder::new(LONGEST_FRAME);
            assert_eq!(decoder.feed(&out), out.len());
            let again = match decoder.message() {
                Ok(Some(Incoming::Hello(hello))) => FromClient::Hello(hello),
                Ok(Some(Incoming::Ping(number))) => FromClient::Ping(number),
                Ok(Some(Incoming::Offers(number))) => FromClient::Offers(number),
                Ok(Some(Incoming::Notices(wanted))) => FromClient::Notices(wanted),
                Ok(Some(Incoming::Chat(text))) => FromClient::Chat(text),
                Ok(Some(Incoming::Account(token))) => FromClient::Account(token),
                Ok(Some(Incoming::Mute(mute))) => FromClient::Mute(mute),
                Ok(Some(Incoming::Report(number))) => FromClient::Report(number),
                Ok(Some(Incoming::Manage(change))) => FromClient::Manage(change),
                Ok(Some(Incoming::Command(raw))) => FromClient::Command(raw.decode().expect("a command")),
                other => panic!("{message:?} is read as {other:?}"),
            };
            assert_eq!(again, message, "it is written as it was read");
        }
    }
}

/// A command that a game takes is one that it takes again.
fn same_command<A: Adapter>(command: &CommandOf<A>) {
    for form in FORMS {
        let mut out = Vec::new();
        encode_from_client(form, &FromClient::Command(command), &mut out).expect("a command can be written");
        let mut decoder = Decoder::new(LONGEST_FRAME);
        decoder.feed(&out);
        let Ok(Some(Incoming::Command(raw))) = decoder.message() else { panic!("a command is no message: {out:?}") };
        match A::command(&raw) {
            Ok(again) => assert_eq!(&again, command, "it is written as it was read"),
            // A game may read more in JSON than it has names for.
            Err(error) => assert_eq!(form, Form::Json, "{command:?}: {error}"),
        }
    }
}

/// A client reads what a server sends.
pub(super) fn to_client<A: Adapter>(stream: &Stream<'_>) {
    let decoder = || ToClientDecoder::<EventOf<A>>::new(stream.longest);
    let whole = decode_all(decoder(), stream.longest, [stream.bytes]);
    let pieces = decode_all(decoder(), stream.longest, stream.pieces());
    assert_eq!(whole, pieces, "the result does not depend on the pieces");
    for message in whole.messages {
        for form in FORMS {
            let mut out = Vec::new();
            encode(form, &message, &mut out).expect("a message that was read can be written");
            if let ToClient::Welcome(welcome) = &message {
                let mut own = Vec::new();
                encode_welcome(form, welcome.clone(), &mut own).expect("a welcome can be written");
                assert!(welcome.protocol == 1 || own == out, "a welcome has one form from protocol 2 on");
            }
            let mut decoder = ToClientDecoder::<EventOf<A>>::new(LONGEST_FRAME);
            assert_eq!(decoder.feed(&out), out.len());
            assert_eq!(decoder.message().as_ref(), Ok(&Some(message.clone())), "it is written as it was read");
        }
        if let ToClient::Refused(refused) | ToClient::Closing(refused) = &message {
            for (protocol, knows_accounts) in (0..4).flat_map(|protocol| [(protocol, false), (protocol, true)]) {
                let dialect = Dialect { protocol, knows_accounts };
                let told = refused.reason.in_dialect(dialect);
                assert_eq!(told.in_dialect(dialect), told, "a reason is translated once");
            }
        }
    }
}

/// A text that comes alone, as over a WebSocket, is read like a line.
fn text(stream: &Stream<'_>) {
    let Ok(text) = std::str::from_utf8(stream.bytes) else { return };
    let mut decoder = TextDecoder::new(stream.longest);
    if decoder.ignores(text) {
        return;
    }
    let alone = decoder.message(text).map(Incoming::into_owned);
    // The first byte of a stream must tell its form, and a line ends where a text goes on.
    if text.starts_with('{') && !text.contains(['\n', '\r']) {
        let line = decode_all(Decoder::new(stream.longest), stream.longest, [stream.bytes, b"\n"]);
        match alone {
            Ok(message) => assert_eq!(line, Decoded { messages: vec![message], end: End::Clean }),
            Err(refused) => assert_eq!(line, Decoded { messages: vec![], end: End::Refused(refused) }),
        }
    }
}

/// Frames that end with a byte are the parts between these bytes.
fn delimited(stream: &Stream<'_>) {
    const END: u8 = 0x17;
    let mut expected: Vec<Option<&[u8]>> = stream.bytes.split(|byte| *byte == END).map(Some).collect();
    expected.pop();
    for frame in &mut expected {
        frame.take_if(|bytes| bytes.len() > stream.longest);
    }
    let mut expected = expected.into_iter();
    let mut frames = Delimited::new(END, stream.longest);
    for mut piece in stream.pieces() {
        while !piece.is_empty() {
            let space = frames.space();
            let count = piece.len().min(space.len());
            assert!(count > 0, "there is space if no frame waits");
            space[..count].copy_from_slice(&piece[..count]);
            frames.filled(count);
            piece = &piece[count..];
            while let Some(frame) = frames.next_frame() {
                let found = match frame {
                    Frame::Whole(at) => Some(frames.bytes(at)),
                    Frame::TooLong => None,
                };
                assert_eq!(Some(found), expected.next());
            }
        }
    }
    assert_eq!(expected.next(), None, "every frame is found");
}

/// All decoded messages, and how the stream ended.
#[derive(Debug, PartialEq, Eq)]
struct Decoded<M> {
    messages: Vec<M>,
    end: End,
}

#[derive(Debug, PartialEq, Eq)]
enum End {
    Clean,
    /// In the middle of a message.
    Cut,
    Refused(Refused),
}

/// What both decoders do.
trait Decodes {
    type Message: Debug + Eq;
    fn feed(&mut self, bytes: &[u8]) -> usize;
    fn next(&mut self) -> Result<Option<Self::Message>, Refused>;
    fn is_between(&self) -> bool;
    fn size(&self) -> usize;
}

impl Decodes for Decoder {
    type Message = Incoming<'static>;
    fn feed(&mut self, bytes: &[u8]) -> usize {
        self.feed(bytes)
    }
    fn next(&mut self) -> Result<Option<Self::Message>, Refused> {
        Ok(self.message()?.map(Incoming::into_owned))
    }
    fn is_between(&self) -> bool {
        self.is_between_messages()
    }
    fn size(&self) -> usize {
        self.capacity()
    }
}

impl<E: engine::Message> Decodes for ToClientDecoder<E> {
    type Message = ToClient<E>;
    fn feed(&mut self, bytes: &[u8]) -> usize {
        self.feed(bytes)
    }
    fn next(&mut self) -> Result<Option<Self::Message>, Refused> {
        self.message()
    }
    fn is_between(&self) -> bool {
        self.is_between_messages()
    }
    fn size(&self) -> usize {
        self.capacity()
    }
}

/// Decodes all pieces. The memory is bounded, every call makes progress, and a refusal stays.
fn decode_all<'a, D: Decodes>(
    mut decoder: D,
    longest: usize,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Decoded<D::Message> {
    let mut messages = Vec::new();
    for mut piece in pieces {
        while !piece.is_empty() {
            let taken = decoder.feed(piece);
            assert!(taken > 0, "there is space if no message waits");
            assert!(decoder.size() <= longest + 4, "the memory is bounded");
            piece = &piece[taken..];
            loop {
                match decoder.next() {
                    Ok(Some(message)) => messages.push(message),
                    Ok(None) => break,
                    Err(refused) => {
                        assert_eq!(decoder.next().as_ref(), Err(&refused), "a refusal stays");
                        return Decoded { messages, end: End::Refused(refused) };
                    }
                }
            }
        }
    }
    let end = if decoder.is_between() { End::Clean } else { End::Cut };
    Decoded { messages, end }
}
