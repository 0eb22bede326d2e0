//! A client's connection to a server.

use std::{fmt, io, marker::PhantomData};

use serde::{Serialize, de::DeserializeOwned};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::{
    AccessChange, EncodeError, Form, FromClient, GameInfo, Hello, LONGEST_FRAME, Mute, PROTOCOL, Refused,
    ServerAddress, Stream, TlsFault, ToClient, ToClientDecoder, Want, Welcome, encode_from_client, tls,
};

/// A connection to a server; `C` are the commands and `E` the events of the game. The crate documentation has an example.
pub struct ClientConnection<C, E> {
    stream: Box<dyn Stream>,
    form: Form,
    decoder: ToClientDecoder<E>,
    buffer: Vec<u8>,
    commands: PhantomData<fn(&C)>,
}

impl<C: Serialize, E: DeserializeOwned> ClientConnection<C, E> {
    /// Connects to a server, and sends messages in this form.
    ///
    /// # Errors
    /// If the server cannot be reached, or the client does not trust it.
    pub async fn connect(address: impl Into<ServerAddress>, form: Form) -> Result<Self, ClientError> {
        let address = address.into();
        let connected = address.connect().await;
        let stream =
            connected.map_err(|error| tls::fault(&error).map_or(ClientError::Connect(error), ClientError::Tls))?;
        let decoder = ToClientDecoder::new(LONGEST_FRAME);
        let mut connection = Self { stream, form, decoder, buffer: Vec::new(), commands: PhantomData };
        if let Some(token) = address.account {
            connection.account(&token).await?;
        }
        Ok(connection)
    }

    /// Plays for the account with this token, from the next hello on. Not cancel-safe.
    ///
    /// # Errors
    /// If the connection fails.
    pub async fn account(&mut self, token: &str) -> Result<(), ClientError> {
        self.send_message(FromClient::Account(token.to_owned())).await
    }

    /// Asks for no more lines of a writer of chat, or for them again. Not cancel-safe.
    ///
    /// # Errors
    /// If the connection fails.
    pub async fn mute(&mut self, by: &str, muted: bool) -> Result<(), ClientError> {
        self.send_message(FromClient::Mute(Mute { by: by.to_owned(), muted })).await
    }

    /// Reports a line of chat to the operator. Not cancel-safe.
    ///
    /// # Errors
    /// If the connection fails.
    pub async fn report(&mut self, line: u64) -> Result<(), ClientError> {
        self.send_message(FromClient::Report(line)).await
    }

    /// Changes who may come into the game, as its creator. The answer is a [`ToClient::Managed`] or a [`ToClient::Refused`]. Not
    /// cancel-safe.
    ///
    /// # Errors
    /// If the connection fails.
    pub async fn manage(&mut self, change: AccessChange) -> Result<(), ClientError> {
        self.send_message(FromClient::Manage(change)).await
    }

    /// Sends a hello and waits for the welcome. After a refusal, the caller may send another hello.
    ///
    /// # Errors
    /// If the server refuses the hello, closes the connection, or sends something else.
    pub async fn hello(&mut self, hello: Hello) -> Result<Welcome, ClientError> {
        let ToClient::Welcome(welcome) = self.ask(hello).await? else {
            return Err(ClientError::Unexpected { instead_of: "a welcome" });
        };
        Ok(welcome)
    }

    /// Asks for the list of games. The caller may send a hello afterwards.
    ///
    /// # Errors
    /// If the server refuses, closes the connection, or sends something else.
    pub async fn games(&mut self) -> Result<Vec<GameInfo>, ClientError> {
        let hello = Hello { protocol: PROTOCOL, want: Want::List, game: None, board: false };
        let ToClient::Games(games) = self.ask(hello).await? else {
            return Err(ClientError::Unexpected { instead_of: "the games" });
        };
        Ok(games)
    }

    /// Sends a command. Not cancel-safe: a part of it may already be sent.
    ///
    /// # Errors
    /// If the command is too long, or the connection fails.
    pub async fn send(&mut self, command: &C) -> Result<(), ClientError> {
        self.send_message(FromClient::Command(command)).await
    }

    /// Asks for a pong with this number. Not cancel-safe.
    ///
    /// # Errors
    /// If the connection fails.
    pub async fn ping(&mut self, number: u64) -> Result<(), ClientError> {
        self.send_message(FromClient::Ping(number)).await
    }

    /// Asks what this client can do now; the answer has this number. Not cancel-safe.
    ///
    /// # Errors
    /// If the connection fails.
    pub async fn ask_offers(&mut self, number: u64) -> Result<(), ClientError> {
        self.send_message(FromClient::Offers(number)).await
    }

    /// Asks for notices, or for no more of them. Not cancel-safe.
    ///
    /// # Errors
    /// If the connection fails.
    pub async fn ask_notices(&mut self, wanted: bool) -> Result<(), ClientError> {
        self.send_message(FromClient::Notices(wanted)).await
    }

    /// Sends a line of chat. Not cancel-safe.
    ///
    /// # Errors
    /// If the line is too long, or the connection fails.
    pub async fn chat(&mut self, text: &str) -> Result<(), ClientError> {
        self.send_message(FromClient::Chat(text.to_owned())).await
    }

    /// Receives the next message; `None` if the server closes the connection. Cancel-safe.
    ///
    /// # Errors
    /// If the bytes are not a message, or the connection fails.
    pub async fn next(&mut self) -> Result<Option<ToClient<E>>, ClientError> {
        loop {
            if let Some(message) = self.decoder.message().map_err(ClientError::Malformed)? {
                return Ok(Some(message));
            }
            match self.stream.read(self.decoder.space()).await.map_err(ClientError::Io)? {
                0 if self.decoder.is_between_messages() => return Ok(None),
                0 => return Err(ClientError::Cut),
                count => self.decoder.filled(count),
            }
        }
    }

    /// Sends a hello and returns the answer, unless it is a refusal.
    async fn ask(&mut self, hello: Hello) -> Result<ToClient<E>, ClientError> {
        self.send_message(FromClient::Hello(hello)).await?;
        match self.next().await?.ok_or(ClientError::Closed)? {
            ToClient::Refused(refused) => Err(ClientError::Refused(refused)),
            ToClient::Closing(refused) => Err(ClientError::Closing(refused)),
            answer @ (ToClient::Welcome(_)
            | ToClient::Games(_)
            | ToClient::Event(_)
            | ToClient::Pong(_)
            | ToClient::Offers(_)
            | ToClient::Notice(_)
            | ToClient::Managed(_)) => Ok(answer),
        }
    }

    async fn send_message(&mut self, message: FromClient<&C>) -> Result<(), ClientError> {
        self.buffer.clear();
        encode_from_client(self.form, &message, &mut self.buffer).map_err(ClientError::Encode)?;
        self.stream.write_all(&self.buffer).await.map_err(ClientError::Io)?;
        // An encrypted stream keeps what the system does not take at once.
        self.stream.flush().await.map_err(ClientError::Io)
    }
}

/// Leaves out the bytes, because they may contain a token.
impl<C, E> fmt::Debug for ClientConnection<C, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientConnection").field("form", &self.form).finish_non_exhaustive()
    }
}

/// Why a client's request failed.
#[derive(Debug)]
pub enum ClientError {
    /// The server cannot be reached.
    Connect(io::Error),
    /// The server does not use TLS as the client expects, or the client does not trust its certificate.
    Tls(TlsFault),
    /// The server refused the hello. The client may send another one.
    Refused(Refused),
    /// The server closes the connection, with this reason.
    Closing(Refused),
    /// The server answered with another message.
    Unexpected {
        /// The name of the expected answer.
        instead_of: &'static str,
    },
    /// The server sent bytes that are not a message.
    Malformed(Refused),
    /// The server closed the connection without an answer.
    Closed,
    /// The server closed the connection in the middle of a message.
    Cut,
    /// The message cannot be encoded.
    Encode(EncodeError),
    /// The socket failed.
    Io(io::Error),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connect(error) => write!(f, "cannot connect: {error}"),
            Self::Tls(fault) => fault.fmt(f),
            Self::Refused(refused) => write!(f, "refused: {refused}"),
            Self::Closing(refused) => write!(f, "the server closes the connection: {refused}"),
            Self::Unexpected { instead_of } => write!(f, "the server sent something else instead of {instead_of}"),
            Self::Malformed(refused) => write!(f, "the server sent something malformed: {refused}"),
            Self::Closed => write!(f, "the server closed the connection without an answer"),
            Self::Cut => write!(f, "the connection ended in the middle of a message"),
            Self::Encode(error) => error.fmt(f),
            Self::Io(error) => write!(f, "the connection failed: {error}"),
        }
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Connect(error) | Self::Io(error) => Some(error),
            Self::Encode(error) => Some(error),
            Self::Tls(fault) => Some(fault),
            Self::Refused(refused) | Self::Closing(refused) | Self::Malformed(refused) => Some(refused),
            Self::Unexpected { .. } | Self::Closed | Self::Cut => None,
        }
    }
}
