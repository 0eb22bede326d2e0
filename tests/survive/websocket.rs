//! The client side of the host's WebSocket, written from RFC 6455.

use std::{io, marker::PhantomData, net::SocketAddr};

use commlib::{
    ClientError, Form, FromClient, Hello, LONGEST_FRAME, Reason, Refused, ToClient, ToClientDecoder, Welcome,
    encode_from_client,
};
use serde::{Serialize, de::DeserializeOwned};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// How a host accepts a WebSocket.
pub(crate) const ACCEPTED: &[u8] = b"HTTP/1.1 101 ";
const HEAD_END: &[u8] = b"\r\n\r\n";

const WHOLE_TEXT: u8 = 0x81;
const WHOLE_CLOSE: u8 = 0x88;
const MASKED: u8 = 0x80;
const MASK: [u8; 4] = [7, 77, 177, 217];

/// A connection that carries JSON messages over a WebSocket. It has the methods of [`commlib::ClientConnection`].
pub(crate) struct WebSocketClient<C, E> {
    stream: TcpStream,
    texts: Texts,
    decoder: ToClientDecoder<E>,
    commands: PhantomData<fn(&C)>,
}

impl<C: Serialize, E: DeserializeOwned> WebSocketClient<C, E> {
    pub(crate) async fn connect(address: SocketAddr) -> Result<Self, ClientError> {
        let mut stream = TcpStream::connect(address).await.map_err(ClientError::Connect)?;
        stream.set_nodelay(true).map_err(ClientError::Connect)?;
        let request = format!(
            "GET /api/v1/play HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.map_err(ClientError::Io)?;
        let (texts, decoder) = (Texts::default(), ToClientDecoder::new(LONGEST_FRAME));
        Ok(Self { stream, texts, decoder, commands: PhantomData })
    }

    pub(crate) async fn hello(&mut self, hello: Hello) -> Result<Welcome, ClientError> {
        self.send_message(FromClient::Hello(hello)).await?;
        match self.next().await?.ok_or(ClientError::Closed)? {
            ToClient::Welcome(welcome) => Ok(welcome),
            ToClient::Refused(refused) => Err(ClientError::Refused(refused)),
            ToClient::Closing(refused) => Err(ClientError::Closing(refused)),
            ToClient::Games(_)
            | ToClient::Event(_)
            | ToClient::Pong(_)
            | ToClient::Offers(_)
            | ToClient::Notice(_)
            | ToClient::Managed(_) => Err(ClientError::Unexpected { instead_of: "a welcome" }),
        }
    }

    pub(crate) async fn send_message(&mut self, message: FromClient<&C>) -> Result<(), ClientError> {
        let mut line = Vec::new();
        encode_from_client(Form::Json, &message, &mut line).map_err(ClientError::Encode)?;
        self.stream.write_all(&text_frame(line.trim_ascii_end())).await.map_err(ClientError::Io)
    }

    pub(crate) async fn next(&mut self) -> Result<Option<ToClient<E>>, ClientError> {
        loop {
            if let Some(mut text) = self.texts.next().map_err(ClientError::Malformed)? {
                // The decoder takes lines.
                text.push(b'\n');
                return Ok(decode(&mut self.decoder, &text).map_err(ClientError::Malformed)?.pop());
            }
            if self.texts.has_ended() {
                return Ok(None);
            }
            let mut bytes = [0; 8 << 10];
            match self.stream.read(&mut bytes).await {
                Ok(0) => return Err(ClientError::Cut),
                Ok(count) => self.texts.feed(&bytes[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ClientError::Io(error)),
            }
        }
    }
}

/// The messages that are complete with these bytes.
pub(crate) fn decode<E: DeserializeOwned>(
    decoder: &mut ToClientDecoder<E>,
    mut bytes: &[u8],
) -> Result<Vec<ToClient<E>>, Refused> {
    let mut messages = Vec::new();
    while !bytes.is_empty() {
        // A long message comes in pieces.
        bytes = &bytes[decoder.feed(bytes)..];
        while let Some(message) = decoder.message()? {
            messages.push(message);
        }
    }
    Ok(messages)
}

/// A whole text message, masked as the RFC requires of clients.
fn text_frame(text: &[u8]) -> Vec<u8> {
    let mut frame = vec![WHOLE_TEXT];
    match u16::try_from(text.len()) {
        Ok(short @ 0..126) => frame.push(MASKED | short.to_be_bytes()[1]),
        Ok(middle) => {
            frame.push(MASKED | 126);
            frame.extend(middle.to_be_bytes());
        }
        Err(_) => {
            frame.push(MASKED | 127);
            frame.extend((text.len() as u64).to_be_bytes());
        }
    }
    frame.extend(MASK);
    frame.extend(text.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    frame
}

/// Finds the text messages in the bytes that a host sends on a WebSocket, after the head of its answer.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    bytes: Vec<u8>,
    /// The bytes before this are read.
    at: usize,
    is_open: bool,
    is_closed: bool,
}

impl Texts {
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.bytes.drain(..std::mem::take(&mut self.at));
        self.bytes.extend(bytes);
    }

    /// Whether the host has sent a close frame.
    fn has_ended(&self) -> bool {
        self.is_closed
    }

    /// The next text; `None` until it is complete.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>, Refused> {
        let fault = |words: &str| Err(Refused::new(Reason::BadMessage, words));
        if !self.is_open {
            let Some(end) = self.bytes.windows(HEAD_END.len()).position(|part| part == HEAD_END) else {
                return Ok(None);
            };
            if !self.bytes.starts_with(ACCEPTED) {
                return fault("no WebSocket");
            }
            (self.is_open, self.at) = (true, end + HEAD_END.len());
        }
        match self.frame() {
            Some((WHOLE_TEXT, text)) => Ok(Some(text)),
            Some((WHOLE_CLOSE, _)) => {
                self.is_closed = true;
                Ok(None)
            }
            Some(_) => fault("a frame that this host never sends"),
            None => Ok(None),
        }
    }

    /// The first byte and the body of the next frame.
    fn frame(&mut self) -> Option<(u8, Vec<u8>)> {
        let frame = &self.bytes[self.at..];
        let (head, length) = match frame.get(1)? {
            126 => (4, u16::from_be_bytes(frame.get(2..4)?.try_into().ok()?).into()),
            127 => (10, u64::from_be_bytes(frame.get(2..10)?.try_into().ok()?) as usize),
            short => (2, usize::from(*short)),
        };
        let (first, body) = (frame[0], frame.get(head..head + length)?.to_vec());
        self.at += head + length;
        Some((first, body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of a stream, whatever the pieces in which it comes.
    #[test]
    fn texts_in_pieces_of_any_size() {
        let head = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";
        let (short, long) = ("a".repeat(125), "b".repeat(0x1_0000));
        let mut stream = head.to_vec();
        stream.extend([WHOLE_TEXT, 125]);
        stream.extend(short.bytes());
        stream.extend([WHOLE_TEXT, 126, 0, 126]);
        stream.extend("c".repeat(126).bytes());
        stream.extend([WHOLE_TEXT, 127, 0, 0, 0, 0, 0, 1, 0, 0]);
        stream.extend(long.bytes());
        stream.extend([WHOLE_CLOSE, 2, 3, 0xe8]);
        for size in [1, 7, 4096, stream.len()] {
            let (mut texts, mut found) = (Texts::default(), Vec::new());
            for piece in stream.chunks(size) {
                texts.feed(piece);
                while let Some(text) = texts.next().expect("a sound stream") {
                    found.push(String::from_utf8(text).expect("text"));
                }
            }
            assert!(found == [short.clone(), "c".repeat(126), long.clone()], "pieces of {size}");
            assert!(texts.has_ended());
        }
    }

    #[test]
    fn a_refused_socket_is_an_error() {
        let mut texts = Texts::default();
        texts.feed(b"HTTP/1.1 403 Forbidden\r\n\r\n");
        assert!(texts.next().is_err());
    }
}
