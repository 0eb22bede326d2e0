//! A client that another host passed on.

use std::{borrow::Cow, io, time::Duration};

use commlib::{Form, Greeting, Incoming, LONGEST_FRAME, Raw, ReadError, Reason, Refused};
use tokio::{
    io::{AsyncWriteExt, ReadHalf, WriteHalf, split},
    time::timeout,
};

use super::{
    link_frames::{FromOwner, Greeted, LinkMessage, LinkReader, ToOwner, frame},
    transport::{PIECE, SendError},
};
use crate::world::Stream;

/// The connection to the host that took the client. That host checks the limits of the client.
pub(crate) struct LinkTransport {
    reader: LinkReader<ReadHalf<Box<dyn Stream>>>,
    writer: WriteHalf<Box<dyn Stream>>,
    form: Form,
    limits: commlib::Limits,
    /// Answers to probes that are not sent yet.
    unsent: Vec<u8>,
    /// What the other host said about the last hello.
    greeted: Greeted,
}

impl LinkTransport {
    pub(super) fn new(stream: Box<dyn Stream>, form: Form, limits: commlib::Limits) -> Self {
        let (reading, writer) = split(stream);
        Self { reader: LinkReader::new(reading), writer, form, limits, unsent: Vec::new(), greeted: Greeted::default() }
    }

    pub(super) fn form(&self) -> Form {
        self.form
    }

    /// See [`super::transport::Transport::waited`].
    pub(super) fn waited(&self) -> Duration {
        Duration::from_millis(self.greeted.waited_ms.into())
    }

    /// See [`super::transport::Transport::knows_accounts`].
    pub(super) fn knows_accounts(&self) -> bool {
        self.greeted.knows_accounts
    }

    /// See [`super::transport::Transport::greeting`].
    pub(super) async fn greeting(&mut self) -> Result<Option<Greeting>, ReadError> {
        let limits = self.limits;
        let late = |_| ReadError::Refused(limits.late_hello());
        match timeout(limits.handshake, self.next_command()).await.map_err(late)?? {
            None => Ok(None),
            Some(incoming) => incoming.into_greeting().map(Some).map_err(ReadError::Refused),
        }
    }

    /// See [`super::transport::Transport::next_command`].
    pub(super) async fn next_command(&mut self) -> Result<Option<Incoming<'static>>, ReadError> {
        loop {
            self.flush().await.map_err(ReadError::Io)?;
            let Some(message) = self.reader.next().await.map_err(ReadError::Io)? else { return Ok(None) };
            return Ok(Some(match message {
                ToOwner::Hello(hello, greeted) => {
                    if greeted.knows_notices {
                        FromOwner::KnowsNotices { managing: true }.write(&mut self.unsent);
                    }
                    self.greeted = greeted;
                    Incoming::Hello(hello)
                }
                ToOwner::Command(bytes) => Incoming::Command(self.command(bytes)?),
                ToOwner::Ping(number) => Incoming::Ping(number),
                ToOwner::Offers(number) => Incoming::Offers(number),
                ToOwner::Notices(wanted) => Incoming::Notices(wanted),
                ToOwner::Chat(text) => Incoming::Chat(text),
                ToOwner::Account(token) => Incoming::Account(token),
                ToOwner::Mute(mute) => Incoming::Mute(mute),
                ToOwner::Report(number) => Incoming::Report(number),
                ToOwner::Manage(change) => Incoming::Manage(change),
                ToOwner::Probe => {
                    FromOwner::Here.write(&mut self.unsent);
                    continue;
                }
            }));
        }
    }

    /// See [`super::transport::Transport::left`].
    pub(super) async fn left(&mut self) {
        self.reader.ended().await;
    }

    fn command(&self, bytes: Vec<u8>) -> Result<Raw<'static>, ReadError> {
        let not_text = |_| ReadError::Refused(Refused::new(Reason::BadMessage, "the command is not UTF-8"));
        Ok(match self.form {
            Form::Binary => Raw::Binary(Cow::Owned(bytes)),
            Form::Json => Raw::Json(Cow::Owned(String::from_utf8(bytes).map_err(not_text)?)),
        })
    }

    /// Sends what is not sent yet. Cancel-safe.
    async fn flush(&mut self) -> io::Result<()> {
        while !self.unsent.is_empty() {
            let count = self.writer.write(&self.unsent).await?;
            if count == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            self.unsent.drain(..count);
        }
        // An encrypted connection keeps bytes that the socket had no room for.
        self.writer.flush().await
    }

    /// See [`super::transport::Transport::send`]. Each frame has whole messages.
    pub(super) async fn send(&mut self, encoded: &[u8], stall: Duration) -> Result<(), SendError> {
        let mut rest = encoded;
        while !rest.is_empty() {
            let (messages, later) = rest.split_at(whole_messages(self.form, rest));
            frame(&mut self.unsent, 0, messages);
            rest = later;
            let pieces = u32::try_from(messages.len().div_ceil(PIECE)).unwrap_or(u32::MAX);
            match timeout(stall.saturating_mul(pieces), self.flush()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Err(SendError::Gone),
                Err(_) => return Err(SendError::Stalled),
            }
        }
        Ok(())
    }

    /// Refuses a hello.
    pub(super) async fn refuse(&mut self, refused: Refused, stall: Duration) -> Result<(), SendError> {
        FromOwner::Refused(refused).write(&mut self.unsent);
        match timeout(stall, self.flush()).await {
            Ok(sent) => sent.map_err(|_| SendError::Gone),
            Err(_) => Err(SendError::Stalled),
        }
    }

    /// See [`super::transport::Transport::turn_away`].
    pub(super) async fn turn_away(mut self: Box<Self>, refused: Refused) {
        FromOwner::Closing(refused).write(&mut self.unsent);
        let farewell = self.limits.farewell;
        let said = async {
            self.flush().await?;
            self.writer.shutdown().await
        };
        let _it_may_be_gone = timeout(farewell, said).await;
        // Closing a socket with unread bytes resets the connection, and the last message may be lost.
        let ended = async { while let Ok(Some(_)) = self.reader.next::<ToOwner>().await {} };
        let _it_never_ends = timeout(farewell, ended).await;
    }
}

/// The length of the first messages that fit a frame together: at least one message, and no part of one.
fn whole_messages(form: Form, encoded: &[u8]) -> usize {
    if encoded.len() <= LONGEST_FRAME {
        return encoded.len();
    }
    let mut length = 0;
    loop {
        let rest = &encoded[length..];
        let message = match form {
            Form::Json => rest.iter().position(|byte| *byte == b'\n').map(|end| end + 1),
            Form::Binary => rest.first_chunk::<4>().map(|prefix| 4 + u32::from_be_bytes(*prefix) as usize),
        };
        let message = message.unwrap_or(rest.len()).min(rest.len());
        if message == 0 || length > 0 && length + message > LONGEST_FRAME {
            return length;
        }
        length += message;
    }
}

#[cfg(test)]
mod tests {
    use commlib::{ToClient, encode};

    use super::*;

    #[test]
    fn frames_have_whole_messages() {
        for form in [Form::Binary, Form::Json] {
            let mut encoded = Vec::new();
            let mut ends = Vec::new();
            for length in [10, LONGEST_FRAME / 2, LONGEST_FRAME / 3, 20, LONGEST_FRAME - 100, 200, LONGEST_FRAME / 2] {
                let closing = ToClient::<()>::Closing(Refused::new(Reason::Full, "x".repeat(length)));
                encode(form, &closing, &mut encoded).expect("a message");
                ends.push(encoded.len());
            }
            let mut at = 0;
            let mut cuts = Vec::new();
            while at < encoded.len() {
                let length = whole_messages(form, &encoded[at..]);
                assert!(length > 0 && length <= LONGEST_FRAME + 4);
                at += length;
                cuts.push(ends.iter().position(|end| *end == at).expect("the end of a message"));
            }
            assert_eq!(cuts, [3, 4, 6], "{form:?}");
        }
        assert_eq!(whole_messages(Form::Json, b"{}\n"), 3);
    }
}
