//! The messages between two hosts about one client: a length of four bytes, a kind, and the content.

use std::io;

use commlib::{AccessChange, Hello, LONGEST_FRAME, Mute, Refused};
use serde::{Serialize, de::DeserializeOwned};
use tokio::io::{AsyncRead, AsyncReadExt};

/// The content of a frame is at most this long. It is one message, or several short ones.
const LONGEST: usize = 2 * (LONGEST_FRAME + 64);

/// The number of bytes to read at once.
const READ_AT_ONCE: usize = 8 << 10;

/// The length and the kind.
const HEAD: usize = 5;

/// A message to the owner of a game. New kinds get new numbers, because hosts of two versions work together.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ToOwner {
    /// The hello, and what hosts of later versions add. An earlier host neither writes nor reads the bytes behind the hello.
    Hello(Hello, Greeted),
    /// The bytes of a command, in the form of the client.
    Command(Vec<u8>),
    Ping(u64),
    /// Asks whether the owner is there.
    Probe,
    Offers(u64),
    /// Only for an owner that said [`FromOwner::KnowsNotices`], as the next one.
    Notices(bool),
    Chat(String),
    /// A token of an account, before the hello.
    Account(String),
    Mute(Mute),
    Report(u64),
    /// Only for an owner that said that it knows managing.
    Manage(AccessChange),
}

/// What a host says about a hello that it passes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Greeted {
    /// Whether the host knows notices.
    pub(super) knows_notices: bool,
    /// How long ago the client sent the hello. The host may have waited for the owner.
    pub(super) waited_ms: u32,
    /// Whether the client knows the reasons of accounts.
    pub(super) knows_accounts: bool,
}

impl Greeted {
    fn write(self, out: &mut Vec<u8>) {
        out.push(self.knows_notices.into());
        out.extend(self.waited_ms.to_be_bytes());
        out.push(self.knows_accounts.into());
    }

    fn read(bytes: &[u8]) -> Self {
        let waited_ms = bytes.get(1..5).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_be_bytes);
        Self { knows_notices: bytes.first() == Some(&1), waited_ms, knows_accounts: bytes.get(5) == Some(&1) }
    }
}

/// A message from the owner of a game.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FromOwner {
    /// Whole messages for the client, in its form.
    Messages(Vec<u8>),
    /// The refusal of the hello.
    Refused(Refused),
    /// Why the owner ends the connection.
    Closing(Refused),
    /// The answer to [`ToOwner::Probe`].
    Here,
    /// Comes before everything else, for a host that knows notices, too. An earlier host neither writes nor reads the content.
    KnowsNotices {
        /// Whether the owner knows [`ToOwner::Manage`].
        managing: bool,
    },
}

/// A message between hosts.
pub(super) trait LinkMessage: Sized {
    /// Appends the frame of this message.
    fn write(&self, out: &mut Vec<u8>);
    /// Reads the content of a frame.
    fn read(kind: u8, content: &[u8]) -> Option<Self>;
}

impl LinkMessage for ToOwner {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Hello(hello, greeted) => {
                let mut content = encoded(hello);
                greeted.write(&mut content);
                frame(out, 0, &content);
            }
            Self::Command(bytes) => frame(out, 1, bytes),
            Self::Ping(number) => frame(out, 2, &number.to_be_bytes()),
            Self::Probe => frame(out, 3, &[]),
            Self::Offers(number) => frame(out, 4, &number.to_be_bytes()),
            Self::Notices(wanted) => frame(out, 5, &[u8::from(*wanted)]),
            Self::Chat(text) => frame(out, 6, text.as_bytes()),
            Self::Account(token) => frame(out, 7, token.as_bytes()),
            Self::Mute(mute) => frame(out, 8, &encoded(mute)),
            Self::Report(number) => frame(out, 9, &number.to_be_bytes()),
            Self::Manage(change) => frame(out, 10, &encoded(change)),
        }
    }

    fn read(kind: u8, content: &[u8]) -> Option<Self> {
        Some(match kind {
            0 => {
                let (hello, rest) = postcard::take_from_bytes(content).ok()?;
                Self::Hello(hello, Greeted::read(rest))
            }
            1 => Self::Command(content.to_vec()),
            2 => Self::Ping(u64::from_be_bytes(content.try_into().ok()?)),
            3 => Self::Probe,
            4 => Self::Offers(u64::from_be_bytes(content.try_into().ok()?)),
            5 => Self::Notices(content == [1]),
            6 => Self::Chat(str::from_utf8(content).ok()?.to_owned()),
            7 => Self::Account(str::from_utf8(content).ok()?.to_owned()),
            8 => Self::Mute(postcard::from_bytes(content).ok()?),
            9 => Self::Report(u64::from_be_bytes(content.try_into().ok()?)),
            10 => Self::Manage(decoded(content)?),
            11.. => return None,
        })
    }
}

impl LinkMessage for FromOwner {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Messages(bytes) => frame(out, 0, bytes),
            Self::Refused(refused) => frame(out, 1, &encoded(refused)),
            Self::Closing(refused) => frame(out, 2, &encoded(refused)),
            Self::Here => frame(out, 3, &[]),
            Self::KnowsNotices { managing } => frame(out, 4, if *managing { &[1] } else { &[] }),
        }
    }

    fn read(kind: u8, content: &[u8]) -> Option<Self> {
        Some(match kind {
            0 => Self::Messages(content.to_vec()),
            1 => Self::Refused(decoded(content)?),
            2 => Self::Closing(decoded(content)?),
            3 => Self::Here,
            4 => Self::KnowsNotices { managing: content.first() == Some(&1) },
            5.. => return None,
        })
    }
}

/// Appends a frame.
pub(super) fn frame(out: &mut Vec<u8>, kind: u8, content: &[u8]) {
    let length = u32::try_from(content.len()).expect("a message is short");
    out.reserve(HEAD + content.len());
    out.extend_from_slice(&length.to_be_bytes());
    out.push(kind);
    out.extend_from_slice(content);
}

fn encoded(message: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(message).expect("messages can be written")
}

fn decoded<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// Receives messages of another host.
pub(super) struct LinkReader<R> {
    stream: R,
    buffer: Vec<u8>,
    /// The beginning of the buffer that was read already.
    done: usize,
}

impl<R: AsyncRead + Unpin> LinkReader<R> {
    pub(super) fn new(stream: R) -> Self {
        Self { stream, buffer: Vec::new(), done: 0 }
    }

    /// The next message; `None` at a clean end. Cancel-safe.
    pub(super) async fn next<M: LinkMessage>(&mut self) -> io::Result<Option<M>> {
        loop {
            if let Some(message) = self.take()? {
                return Ok(Some(message));
            }
            self.buffer.drain(..self.done);
            self.done = 0;
            if self.buffer.is_empty() && self.buffer.capacity() > READ_AT_ONCE {
                // Many connections are idle most of the time.
                self.buffer = Vec::new();
            }
            self.buffer.reserve(READ_AT_ONCE);
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return if self.buffer.is_empty() { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
            }
        }
    }

    /// Resolves when the connection has ended, unless bytes have arrived before. Cancel-safe: they are kept.
    pub(super) async fn ended(&mut self) {
        if self.buffer.len() == self.done {
            self.buffer.reserve(READ_AT_ONCE);
            // The next read returns the same end or error again.
            if !matches!(self.stream.read_buf(&mut self.buffer).await, Ok(1..)) {
                return;
            }
        }
        std::future::pending().await
    }

    fn take<M: LinkMessage>(&mut self) -> io::Result<Option<M>> {
        let invalid = || io::Error::from(io::ErrorKind::InvalidData);
        let Some((head, rest)) = self.buffer[self.done..].split_first_chunk::<HEAD>() else { return Ok(None) };
        let [a, b, c, d, kind] = *head;
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        if length > LONGEST {
            return Err(invalid());
        }
        let Some(content) = rest.get(..length) else { return Ok(None) };
        let message = M::read(kind, content).ok_or_else(invalid)?;
        self.done += HEAD + length;
        Ok(Some(message))
    }
}

#[cfg(test)]
mod tests {
    use commlib::{PROTOCOL, Reason, Want};
    use tokio::io::{AsyncWriteExt, duplex};

    use super::*;

    /// Sends bytes in pieces of this size, and returns what arrives.
    async fn check<M: LinkMessage + Send>(bytes: &[u8], piece: usize) -> Vec<Result<M, io::ErrorKind>> {
        let (mut one, other) = duplex(64);
        let mut reader = LinkReader::new(other);
        let sending = async {
            for piece in bytes.chunks(piece) {
                one.write_all(piece).await.expect("a reader");
            }
            drop(one);
        };
        let receiving = async {
            let mut received = Vec::new();
            loop {
                match reader.next().await {
                    Ok(Some(message)) => received.push(Ok(message)),
                    Ok(None) => return received,
                    Err(error) => {
                        received.push(Err(error.kind()));
                        return received;
                    }
                }
            }
        };
        tokio::select! {
            received = receiving => received,
            () = async { sending.await; std::future::pending().await } => unreachable!("it never ends"),
        }
    }

    #[tokio::test]
    async fn messages_arrive_in_pieces() {
        let hello = Hello { protocol: PROTOCOL, want: Want::Watch { seen: 3 }, game: Some("g".into()), board: true };
        let sent = || {
            let command = ToOwner::Command(vec![7; 300]);
            [
                ToOwner::Hello(hello.clone(), Greeted::default()),
                ToOwner::Hello(hello.clone(), Greeted { knows_notices: true, waited_ms: 70_000, ..Greeted::default() }),
                ToOwner::Hello(hello.clone(), Greeted { knows_accounts: true, ..Greeted::default() }),
                command,
                ToOwner::Ping(9),
                ToOwner::Probe,
                ToOwner::Offers(8),
                ToOwner::Notices(true),
                ToOwner::Notices(false),
                ToOwner::Chat("gl \u{1F600}".into()),
                ToOwner::Account("hfa_x".into()),
                ToOwner::Mute(Mute { by: "Eve".into(), muted: true }),
                ToOwner::Report(7),
                ToOwner::Manage(AccessChange::Remove { client: 300 }),
            ]
        };
        let mut bytes = Vec::new();
        sent().iter().for_each(|message| message.write(&mut bytes));
        for piece in [1, 2, 5, 64, 1000] {
            assert_eq!(check(&bytes, piece).await, sent().map(Ok), "{piece}");
        }
        let refused = || Refused::new(Reason::Full, "full");
        let sent = || {
            [
                FromOwner::Messages(b"x\n".into()),
                FromOwner::Refused(refused()),
                FromOwner::Closing(refused()),
                FromOwner::Here,
                FromOwner::KnowsNotices { managing: false },
                FromOwner::KnowsNotices { managing: true },
            ]
        };
        let mut bytes = Vec::new();
        sent().iter().for_each(|message| message.write(&mut bytes));
        assert_eq!(check(&bytes, 3).await, sent().map(Ok));
    }

    #[tokio::test]
    async fn garbage_is_an_error() {
        use io::ErrorKind::{InvalidData, UnexpectedEof};
        for (bytes, expected) in [
            (&[][..], vec![]),
            (&[0, 0, 0, 0], vec![Err(UnexpectedEof)]),
            (&[0, 0, 0, 0, 3, 0], vec![Ok(ToOwner::Probe), Err(UnexpectedEof)]),
            (&[0, 0, 0, 0, 10], vec![Err(InvalidData)]),
            (&[0, 0, 0, 0, 11], vec![Err(InvalidData)]),
            (&[0, 0, 0, 0, 8], vec![Err(InvalidData)]),
            (&[0, 0, 0, 1, 6, 255], vec![Err(InvalidData)]),
            (&[0, 0, 0, 7, 2, 1, 2, 3, 4, 5, 6, 7], vec![Err(InvalidData)]),
            (&[255, 0, 0, 0, 1], vec![Err(InvalidData)]),
            (&[0, 0, 0, 1, 0, 1], vec![Err(InvalidData)]),
        ] {
            assert_eq!(check(bytes, 100).await, expected, "{bytes:?}");
        }
    }
}
