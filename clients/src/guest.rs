//! A bot that takes one place in a game of a server, whoever else plays there.
//!
//! It learns the scenario from the server. Where the connection is lost it comes back to its place, hears what it missed, and
//! goes on.

use std::{net::SocketAddr, time::Duration};

use colony::{Asked, Command, Edition, Event, Outcome, Phase, Setup, View};
use commlib::{ClientConnection, ClientError, Form, Hello, PROTOCOL, Reason, ToClient, Token, Want};
use engine::{JavaRandom, Projection};
use tokio::time::{sleep, timeout};

use crate::remote::{Player, RemoteError, rest};

/// How long there may be no connection, and how often a new one is tried.
const PATIENCE: Duration = Duration::from_secs(30);
const AGAIN: Duration = Duration::from_millis(250);

/// Who hears nothing for so long says something: a server may close the connections of those who never do.
const SILENCE: Duration = Duration::from_secs(10);

/// A place in a game.
#[derive(Debug)]
pub struct Guest {
    address: SocketAddr,
    game: String,
    token: Option<Token>,
    connection: ClientConnection<Command, Event>,
    player: Player,
    pace: Duration,
    view: View,
    random: JavaRandom,
    /// The number of the last event it was told.
    seen: u64,
    /// It has come back and hears what it missed. Questions among that may be answered already.
    catching_up: bool,
    /// It has said that the game starts.
    starts: bool,
}

/// Where to take a place.
#[derive(Clone, Debug)]
pub struct Place {
    pub address: SocketAddr,
    pub want: Want,
    /// The game to join; a created one is named by the server.
    pub game: Option<String>,
}

impl Guest {
    /// Takes a place and registers. `seed` is of the bot's own generator.
    pub async fn enter(place: Place, player: Player, pace: Duration, seed: i64) -> Result<Self, RemoteError> {
        let Place { address, want, game } = place;
        let mut connection = ClientConnection::connect(address, Form::Binary).await?;
        let welcome = connection.hello(Hello { protocol: PROTOCOL, want, game, board: true }).await?;
        let edition: Edition = welcome.edition.parse().map_err(|_| unexpected())?;
        connection.send(&Command::Register { name: player.name.as_str().into() }).await?;
        // Until the scenario is known there is no board to keep.
        let mut heard = Vec::new();
        loop {
            let told = match connection.next().await?.ok_or(ClientError::Closed)? {
                ToClient::Event(told) => told,
                ToClient::Refused(refused) => return Err(RemoteError::Refused(refused)),
                ToClient::Closing(refused) => return Err(ClientError::Closing(refused).into()),
                ToClient::Welcome(_) | ToClient::Games(_) | ToClient::Pong(_) => return Err(unexpected()),
            };
            heard.push(told.event);
            match heard.last() {
                Some(Event::CommandFailed { refusal }) => return Err(RemoteError::NotRegistered(*refusal)),
                Some(Event::Config {}) => {
                    let text = told.text.unwrap_or_default();
                    let setup = Setup::new(&text, Some(edition), None).map_err(RemoteError::Unplayable)?;
                    let mut view = View::new(&setup);
                    heard.iter().for_each(|event| view.apply(event));
                    let (game, token, seen) = (welcome.game, welcome.token, told.number);
                    let random = JavaRandom::new(seed);
                    return Ok(Self {
                        address,
                        game,
                        token,
                        connection,
                        player,
                        pace,
                        view,
                        random,
                        seen,
                        catching_up: false,
                        starts: false,
                    });
                }
                Some(_) | None => {}
            }
        }
    }

    /// The name of the game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// How many players the game has room for.
    pub fn most(&self) -> u16 {
        self.view.board.setup().scenario.max_players
    }

    /// Starts the game with the players who are there. If the word is lost with the connection, [`Self::play`] says it again.
    pub async fn start(&mut self) -> Result<(), RemoteError> {
        self.starts = true;
        match self.connection.send(&Command::StartGame {}).await {
            Err(error) if !is_lost(&error) => Err(error.into()),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Plays to the end.
    pub async fn play(mut self) -> Result<Outcome, RemoteError> {
        loop {
            match self.hear().await {
                Ok(Some(outcome)) => return Ok(outcome),
                Ok(None) => {}
                Err(RemoteError::Client(error)) if is_lost(&error) => self.come_back(error).await?,
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes one message, and answers if it is a question; how the game ended, once it has.
    async fn hear(&mut self) -> Result<Option<Outcome>, RemoteError> {
        let Ok(message) = timeout(SILENCE, self.connection.next()).await else {
            self.connection.ping(0).await?;
            return Ok(None);
        };
        match message?.ok_or(ClientError::Closed)? {
            ToClient::Event(told) => {
                self.seen = told.number;
                self.view.apply(&told.event);
                let asked = matches!(told.event, Event::ActNow {} | Event::VoteNow {} | Event::Characters { .. });
                if asked && !self.catching_up {
                    self.answer().await?;
                }
                Ok(None)
            }
            // Everything that was missed has come before it.
            ToClient::Pong(_) => {
                if core::mem::take(&mut self.catching_up) {
                    if self.view.asked != Asked::Nothing {
                        self.answer().await?;
                    } else if self.starts && self.view.board.phase == Phase::Registration {
                        // The word was lost with the connection.
                        self.start().await?;
                    }
                }
                Ok(None)
            }
            ToClient::Closing(refused) if refused.reason == Reason::GameOver => {
                Ok(Some(self.view.board.outcome().unwrap_or(Outcome::Aborted)))
            }
            ToClient::Closing(refused) => Err(ClientError::Closing(refused).into()),
            ToClient::Refused(refused) => Err(RemoteError::Refused(refused)),
            ToClient::Welcome(_) | ToClient::Games(_) => Err(unexpected()),
        }
    }

    async fn answer(&mut self) -> Result<(), RemoteError> {
        rest(self.pace).await;
        let command = (self.player.bot)(&self.view, &mut self.random);
        Ok(self.connection.send(&command).await?)
    }

    /// Opens the same place again.
    async fn come_back(&mut self, mut lost: ClientError) -> Result<(), RemoteError> {
        let Some(token) = self.token else { return Err(lost.into()) };
        let tries = PATIENCE.as_millis() / AGAIN.as_millis();
        for _ in 0..tries {
            let want = Want::Resume { token, seen: self.seen };
            match resume(self.address, Hello { protocol: PROTOCOL, want, game: Some(self.game.clone()), board: true })
                .await
            {
                Ok(connection) => {
                    self.connection = connection;
                    self.catching_up = true;
                    return Ok(());
                }
                Err(error) if is_lost(&error) => lost = error,
                Err(error) => return Err(error.into()),
            }
            sleep(AGAIN).await;
        }
        Err(lost.into())
    }
}

async fn resume(address: SocketAddr, hello: Hello) -> Result<ClientConnection<Command, Event>, ClientError> {
    let mut connection = ClientConnection::connect(address, Form::Binary).await?;
    connection.hello(hello).await?;
    connection.ping(0).await?;
    Ok(connection)
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

fn unexpected() -> RemoteError {
    RemoteError::Client(ClientError::Unexpected { instead_of: "an event" })
}
