//! A client's side of a connection: messages over a link.

use std::{io, time::Duration};

use commlib::{Form, FromClient, LONGEST_FRAME, Refused, ToClient, ToClientDecoder, encode_from_client};
use serde::{Serialize, de::DeserializeOwned};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::timeout,
};

use crate::link::{Control, End};

/// How long a client tries to send one message.
const SENDING: Duration = Duration::from_secs(4);

/// A connection of a client that hears events `E`.
pub(crate) struct Wire<E> {
    stream: End,
    form: Form,
    decoder: ToClientDecoder<E>,
    buffer: Vec<u8>,
}

/// Why a connection gives no more messages.
#[derive(Debug)]
pub(crate) enum Lost {
    /// The host closed it, or it failed.
    Gone,
    /// The host sent something that is no message.
    Malformed(Refused),
}

impl<E: DeserializeOwned> Wire<E> {
    pub(crate) fn new(stream: End, form: Form) -> Self {
        Self { stream, form, decoder: ToClientDecoder::new(LONGEST_FRAME), buffer: Vec::new() }
    }

    /// The state of its link.
    pub(crate) fn control(&self) -> Control {
        self.stream.control()
    }

    /// Sends a message. After a failure, the connection is of no use.
    pub(crate) fn send<'w, C: Serialize>(
        &'w mut self,
        message: FromClient<C>,
    ) -> impl Future<Output = io::Result<()>> + use<'w, C, E> {
        self.buffer.clear();
        let encoded = encode_from_client(self.form, &message, &mut self.buffer).map_err(io::Error::other);
        async {
            encoded?;
            timeout(SENDING, self.stream.write_all(&self.buffer)).await?
        }
    }

    /// Receives the next message. Cancel-safe.
    pub(crate) async fn next(&mut self) -> Result<ToClient<E>, Lost> {
        loop {
            if let Some(message) = self.decoder.message().map_err(Lost::Malformed)? {
                return Ok(message);
            }
            match self.stream.read(self.decoder.space()).await {
                Ok(0) | Err(_) => return Err(Lost::Gone),
                Ok(count) => self.decoder.filled(count),
            }
        }
    }
}
