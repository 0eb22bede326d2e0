//! A client that reconnects by itself: if the connection is lost, it resumes its place in the game and first receives the
//! events that it missed.

use std::{
    fmt,
    time::{Duration, Instant},
};

use commlib::{
    Access, AccessChange, ClientConnection, ClientError, Form, Hello, Notice, Offered, PROTOCOL, Reason, Refused,
    ServerAddress, ToClient, Token, Want, Welcome,
};
use serde::{Serialize, de::DeserializeOwned};
use tokio::time::{sleep, timeout};

/// The time after which the client stops reconnecting, and the pause between two attempts.
const PATIENCE: Duration = Duration::from_secs(30);
const RETRY_PAUSE: Duration = Duration::from_millis(250);

/// The longest time for the server to answer a hello.
const HELLO_TIMEOUT: Duration = Duration::from_secs(10);

/// The time without messages after which a client sends a ping: a server may close silent connections.
pub const SILENCE: Duration = Duration::from_secs(10);

/// A client of one game; `C` are the commands and `E` the events of the game.
pub struct ResumingClient<C, E> {
    form: Form,
    address: ServerAddress,
    game: String,
    /// The number of the client; `None` for a spectator.
    client: Option<u32>,
    token: Option<Token>,
    connection: ClientConnection<C, E>,
    /// The number of the last event that was received.
    seen: u64,
    /// Whether the client is receiving events that it missed. It may already have answered questions among them.
    catching_up: bool,
    /// Whether a ping was sent after a silence and nothing was received since.
    asked: bool,
    notices: Notices,
    /// Is told when the connection is lost and when it is back.
    watcher: fn(Link),
    /// Whether the watcher knows that the connection is lost.
    is_lost: bool,
}

/// What has become of the connection of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// It is lost, and the client tries to come back.
    Lost,
    /// The client is back.
    Back,
}

/// Whether a client receives notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notices {
    Unasked,
    /// Asked for, without an answer on this connection yet.
    Asked,
    Told,
}

/// A message from the server.
#[derive(Clone, Debug)]
pub enum Heard<E> {
    /// An event of the game.
    Event {
        /// The event.
        event: E,
        /// Its words for people, if the server sends them.
        text: Option<String>,
    },
    /// The client has received everything that it missed, even if that was nothing.
    CaughtUp,
    /// The server refused a command.
    Refused(Refused),
    /// What the client can do now, as JSON, and the number of the request.
    Offers(Offered),
    /// Presence or chat, for a client that [asked](ResumingClient::ask_notices).
    Notice(Notice),
    /// Who may come into the game, for its creator that [asked](ResumingClient::manage).
    Managed(Access),
    /// The game is over, and its last event was received.
    Over,
}

impl<C: Serialize, E: DeserializeOwned> ResumingClient<C, E> {
    /// Connects and takes a place in a game, new or known.
    ///
    /// # Errors
    ///
    /// The server cannot be reached, or refuses.
    pub async fn open(
        address: impl Into<ServerAddress>,
        game: Option<String>,
        want: Want,
    ) -> Result<(Self, Welcome), ClientError> {
        Self::open_in(Form::Binary, address, game, want).await
    }

    /// Like [`open`](Self::open), with messages in this form. A client without the types of its game uses JSON.
    ///
    /// # Errors
    ///
    /// The server cannot be reached, or refuses.
    pub async fn open_in(
        form: Form,
        address: impl Into<ServerAddress>,
        game: Option<String>,
        want: Want,
    ) -> Result<(Self, Welcome), ClientError> {
        timeout(HELLO_TIMEOUT, Self::enter(form, address.into(), game, want)).await.unwrap_or(Err(ClientError::Closed))
    }

    async fn enter(
        form: Form,
        address: ServerAddress,
        game: Option<String>,
        want: Want,
    ) -> Result<(Self, Welcome), ClientError> {
        let mut connection = ClientConnection::connect(address.clone(), form).await?;
        let known = match want {
            Want::Resume { token, .. } => Some(token),
            Want::List | Want::Create(_) | Want::Private { .. } | Want::Join { .. } | Want::Watch { .. } => None,
        };
        let welcome = connection.hello(Hello { protocol: PROTOCOL, want, game, board: true }).await?;
        let (game, token) = (welcome.game.clone(), welcome.token.or(known));
        if known.is_some() {
            connection.ping(0).await?;
        }
        let unexpected = ClientError::Unexpected { instead_of: "the number of the next event" };
        let seen = welcome.next.checked_sub(1).ok_or(unexpected)?;
        let (catching_up, notices) = (known.is_some(), Notices::Unasked);
        let client = welcome.client;
        let client = Self {
            form,
            address,
            game,
            client,
            token,
            connection,
            seen,
            catching_up,
            asked: false,
            notices,
            watcher: |_| (),
            is_lost: false,
        };
        Ok((client, welcome))
    }

    /// The address of the server.
    pub fn address(&self) -> &ServerAddress {
        &self.address
    }

    /// The name of the game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The number of the client in its game; `None` for a spectator.
    pub fn client(&self) -> Option<u32> {
        self.client
    }

    /// The secret that resumes the client's place.
    pub fn token(&self) -> Option<Token> {
        self.token
    }

    /// Calls this function when the connection is lost, and when the client is back.
    pub fn watch_link(&mut self, watcher: fn(Link)) {
        self.watcher = watcher;
    }

    /// The number of the last event that was received.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Whether questions that are received now may have been answered before.
    pub fn is_catching_up(&self) -> bool {
        self.catching_up
    }

    /// Sends a command. A lost connection is not an error: [`next`](Self::next) catches up then.
    ///
    /// # Errors
    ///
    /// The command cannot be encoded.
    pub async fn send(&mut self, command: &C) -> Result<(), ClientError> {
        match self.connection.send(command).await {
            Err(error) if is_lost(&error) => Ok(()),
            sent => sent,
        }
    }

    /// Asks what the client can do now. A lost connection is not an error: ask again after [`Heard::CaughtUp`].
    ///
    /// # Errors
    ///
    /// The message cannot be encoded.
    pub async fn ask_offers(&mut self, number: u64) -> Result<(), ClientError> {
        match self.connection.ask_offers(number).await {
            Err(error) if is_lost(&error) => Ok(()),
            sent => sent,
        }
    }

    /// Asks for notices: presence and chat. From then on they come on every new connection, too. A server of an earlier version does
    /// not know them and ends the connection; then this client resumes without them.
    ///
    /// # Errors
    ///
    /// The message cannot be encoded.
    pub async fn ask_notices(&mut self) -> Result<(), ClientError> {
        self.notices = Notices::Asked;
        match self.connection.ask_notices(true).await {
            Err(error) if is_lost(&error) => Ok(()),
            sent => sent,
        }
    }

    /// Writes a line of chat. It comes back as a notice once it is stored. A line that is lost with the connection is not sent again.
    ///
    /// # Errors
    ///
    /// The line cannot be encoded.
    pub async fn chat(&mut self, text: &str) -> Result<(), ClientError> {
        match self.connection.chat(text).await {
            Err(error) if is_lost(&error) => Ok(()),
            sent => sent,
        }
    }

    /// Changes who may come into the game, as its creator. A change that is lost with the connection is not sent again.
    ///
    /// # Errors
    ///
    /// The change cannot be encoded.
    pub async fn manage(&mut self, change: AccessChange) -> Result<(), ClientError> {
        match self.connection.manage(change).await {
            Err(error) if is_lost(&error) => Ok(()),
            sent => sent,
        }
    }

    /// Sends a ping, so that the server keeps the connection.
    ///
    /// # Errors
    ///
    /// The ping cannot be encoded.
    pub async fn stay(&mut self) -> Result<(), ClientError> {
        match self.connection.ping(0).await {
            Err(error) if is_lost(&error) => Ok(()),
            sent => sent,
        }
    }

    /// Receives the next message, on a new connection if necessary. Cancel-safe while there is a connection.
    ///
    /// # Errors
    ///
    /// The connection is lost and cannot be resumed, or the server sends something unexpected.
    pub async fn next(&mut self) -> Result<Heard<E>, ClientError> {
        loop {
            match self.receive().await {
                Ok(Some(heard)) => return Ok(heard),
                Ok(None) => {}
                Err(error) if is_lost(&error) => self.resume(error).await?,
                Err(error @ ClientError::Closing(_)) if self.notices == Notices::Asked && is_bad_message(&error) => {
                    self.notices = Notices::Unasked;
                    self.resume(error).await?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn receive(&mut self) -> Result<Option<Heard<E>>, ClientError> {
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
            // The pong follows all missed events.
            ToClient::Pong(_) => Ok(std::mem::take(&mut self.catching_up).then_some(Heard::CaughtUp)),
            ToClient::Refused(refused) => Ok(Some(Heard::Refused(refused))),
            ToClient::Offers(offered) => Ok(Some(Heard::Offers(offered))),
            ToClient::Notice(notice) => {
                if self.notices == Notices::Asked {
                    self.notices = Notices::Told;
                }
                Ok(Some(Heard::Notice(notice)))
            }
            ToClient::Closing(refused) if refused.reason == Reason::GameOver => Ok(Some(Heard::Over)),
            ToClient::Closing(refused) => Err(ClientError::Closing(refused)),
            ToClient::Managed(access) => Ok(Some(Heard::Managed(access))),
            ToClient::Welcome(_) | ToClient::Games(_) => Err(ClientError::Unexpected { instead_of: "an event" }),
        }
    }

    /// Resumes the place on a new connection.
    async fn resume(&mut self, mut lost: ClientError) -> Result<(), ClientError> {
        let Some(token) = self.token else { return Err(lost) };
        // A caller who drops this future begins again, and has been told.
        if !std::mem::replace(&mut self.is_lost, true) {
            (self.watcher)(Link::Lost);
        }
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            let want = Want::Resume { token, seen: self.seen };
            match Self::open_in(self.form, self.address.clone(), Some(self.game.clone()), want).await {
                Ok((client, _)) => {
                    let has_notices = self.notices != Notices::Unasked;
                    *self = Self { watcher: self.watcher, ..client };
                    (self.watcher)(Link::Back);
                    return if has_notices { self.ask_notices().await } else { Ok(()) };
                }
                Err(error) if is_lost(&error) => lost = error,
                Err(error) => return Err(error),
            }
            sleep(RETRY_PAUSE).await;
        }
        Err(lost)
    }
}

impl<C, E> fmt::Debug for ResumingClient<C, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResumingClient").field("game", &self.game).field("seen", &self.seen).finish_non_exhaustive()
    }
}

/// Whether the server did not understand a message.
fn is_bad_message(error: &ClientError) -> bool {
    matches!(error, ClientError::Closing(refused) if refused.reason == Reason::BadMessage)
}

/// Whether a new connection may help.
fn is_lost(error: &ClientError) -> bool {
    match error {
        ClientError::Connect(_) | ClientError::Closed | ClientError::Cut | ClientError::Io(_) => true,
        ClientError::Closing(refused) => {
            let passing = [Reason::ShuttingDown, Reason::StoreUnavailable, Reason::Timeout, Reason::TooSlow];
            passing.contains(&refused.reason)
        }
        // A server without the right certificate may be another one.
        ClientError::Tls(_)
        | ClientError::Refused(_)
        | ClientError::Unexpected { .. }
        | ClientError::Malformed(_)
        | ClientError::Encode(_) => false,
    }
}
