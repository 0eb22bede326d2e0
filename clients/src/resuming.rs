//! A connection to one place in a game that comes back by itself: where it is lost, the place is resumed and what was missed is
//! heard before anything else.

use std::{
    fmt,
    net::SocketAddr,
    time::{Duration, Instant},
};

use commlib::{ClientConnection, ClientError, Form, Hello, PROTOCOL, Reason, Refused, ToClient, Token, Want, Welcome};
use engine::Message;
use tokio::time::{sleep, timeout};

/// How long there may be no connection, and how often a new one is tried.
const PATIENCE: Duration = Duration::from_secs(30);
const AGAIN: Duration = Duration::from_millis(250);

/// How long a place may take to be granted.
const ENTRY: Duration = Duration::from_secs(10);

/// A client that hears nothing for so long says something: a server may close the connections of those that never do.
pub const SILENCE: Duration = Duration::from_secs(10);

/// A place in a game; `C` are the commands and `E` the events of the game.
pub struct ResumingClient<C, E> {
    address: SocketAddr,
    game: String,
    token: Option<Token>,
    connection: ClientConnection<C, E>,
    /// The number of the last event that was heard.
    seen: u64,
    /// It hears what it missed. Questions among that may be answered already.
    catching_up: bool,
    /// Whether it is still there, after a silence, and nothing was heard since.
    asked: bool,
}

/// What a place hears.
#[derive(Clone, Debug)]
pub enum Heard<E> {
    /// With the words that belong to it.
    Event { event: E, text: Option<String> },
    /// Everything that was missed has been heard, also when nothing was.
    CaughtUp,
    /// A command was not taken.
    Refused(Refused),
    /// The game is over, and its last event was heard.
    Over,
}

impl<C: Message, E: Message> ResumingClient<C, E> {
    /// Takes a place, new or known.
    pub async fn open(address: SocketAddr, game: Option<String>, want: Want) -> Result<(Self, Welcome), ClientError> {
        timeout(ENTRY, Self::enter(address, game, want)).await.unwrap_or(Err(ClientError::Closed))
    }

    async fn enter(address: SocketAddr, game: Option<String>, want: Want) -> Result<(Self, Welcome), ClientError> {
        let mut connection = ClientConnection::connect(address, Form::Binary).await?;
        let known = match want {
            Want::Resume { token, .. } => Some(token),
            Want::List | Want::Create(_) | Want::Join { .. } | Want::Watch { .. } => None,
        };
        let welcome = connection.hello(Hello { protocol: PROTOCOL, want, game, board: true }).await?;
        let (game, token) = (welcome.game.clone(), welcome.token.or(known));
        if known.is_some() {
            connection.ping(0).await?;
        }
        let unexpected = ClientError::Unexpected { instead_of: "the number of the next event" };
        let seen = welcome.next.checked_sub(1).ok_or(unexpected)?;
        let client = Self { address, game, token, connection, seen, catching_up: known.is_some(), asked: false };
        Ok((client, welcome))
    }

    /// The name of the game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Whether what is heard may be answered already.
    pub fn is_catching_up(&self) -> bool {
        self.catching_up
    }

    /// Sends a command. Where the connection is lost, [`next`](Self::next) says so by catching up.
    pub async fn send(&mut self, command: &C) -> Result<(), ClientError> {
        match self.connection.send(command).await {
            Err(error) if is_lost(&error) => Ok(()),
            sent => sent,
        }
    }

    /// Is heard of, where there is nothing to say for long.
    pub async fn stay(&mut self) -> Result<(), ClientError> {
        match self.connection.ping(0).await {
            Err(error) if is_lost(&error) => Ok(()),
            sent => sent,
        }
    }

    /// What happens next, on a new connection if need be. Cancel-safe while there is a connection.
    pub async fn next(&mut self) -> Result<Heard<E>, ClientError> {
        loop {
            match self.hear().await {
                Ok(Some(heard)) => return Ok(heard),
                Ok(None) => {}
                Err(error) if is_lost(&error) => self.come_back(error).await?,
                Err(error) => return Err(error),
            }
        }
    }

    async fn hear(&mut self) -> Result<Option<Heard<E>>, ClientError> {
        let Ok(message) = timeout(SILENCE, self.connection.next()).await else {
            if std::mem::replace(&mut self.asked, true) {
                return Err(ClientError::Closed);
            }
            self.connection.ping(0).await?;
            return Ok(None);
        };
        self.asked = false;
        match message?.ok_or(ClientError::Closed)? {
            ToClient::Event(told) => {
                self.seen = told.number;
                Ok(Some(Heard::Event { event: told.event, text: told.text }))
            }
            // Everything that was missed has come before it.
            ToClient::Pong(_) => Ok(std::mem::take(&mut self.catching_up).then_some(Heard::CaughtUp)),
            ToClient::Refused(refused) => Ok(Some(Heard::Refused(refused))),
            ToClient::Closing(refused) if refused.reason == Reason::GameOver => Ok(Some(Heard::Over)),
            ToClient::Closing(refused) => Err(ClientError::Closing(refused)),
            ToClient::Welcome(_) | ToClient::Games(_) => Err(ClientError::Unexpected { instead_of: "an event" }),
        }
    }

    /// Opens the same place again.
    async fn come_back(&mut self, mut lost: ClientError) -> Result<(), ClientError> {
        let Some(token) = self.token else { return Err(lost) };
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            let want = Want::Resume { token, seen: self.seen };
            match Self::open(self.address, Some(self.game.clone()), want).await {
                Ok((client, _)) => {
                    *self = client;
                    return Ok(());
                }
                Err(error) if is_lost(&error) => lost = error,
                Err(error) => return Err(error),
            }
            sleep(AGAIN).await;
        }
        Err(lost)
    }
}

impl<C, E> fmt::Debug for ResumingClient<C, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResumingClient").field("game", &self.game).field("seen", &self.seen).finish_non_exhaustive()
    }
}

/// Whether it may be better on another connection.
fn is_lost(error: &ClientError) -> bool {
    match error {
        ClientError::Connect(_) | ClientError::Closed | ClientError::Cut | ClientError::Io(_) => true,
        ClientError::Closing(refused) => {
            matches!(refused.reason, Reason::ShuttingDown | Reason::Timeout | Reason::TooSlow)
        }
        ClientError::Refused(_)
        | ClientError::Unexpected { .. }
        | ClientError::Malformed(_)
        | ClientError::Encode(_) => false,
    }
}
