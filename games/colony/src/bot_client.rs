//! A bot that takes one place in a game on a server, beside any other players.
//!
//! The server sends the scenario. If the connection is lost, the bot resumes its place and continues.

use std::{pin::pin, sync::Arc, time::Duration};

use clients::resuming::{Heard, ResumingClient, SILENCE};
use colony_rules::{Asked, Command, Edition, Event, Outcome, Phase, Setup, View};
use commlib::{ClientError, ServerAddress, Want};
use engine::{JavaRandom, Projection};
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};

use crate::remote::{Player, RemoteError, rest};

/// A place in a game.
#[derive(Debug)]
pub struct BotClient {
    client: ResumingClient<Command, Event>,
    player: Player,
    pace: Duration,
    view: View,
    random: JavaRandom,
    /// Whether the bot has sent `StartGame`.
    starts: bool,
    /// Permits to think, if the bot shares the machine with others.
    thinkers: Option<Arc<Semaphore>>,
}

/// The game in which the bot takes a place.
#[derive(Clone, Debug)]
pub struct Place {
    /// The address of the server.
    pub address: ServerAddress,
    /// Whether to create or join a game.
    pub want: Want,
    /// The name of the game to join. For a new game, the server chooses the name.
    pub game: Option<String>,
}

impl BotClient {
    /// Takes a place and registers. `seed` is for the bot's own generator.
    ///
    /// # Errors
    /// If the server cannot be reached, or does not accept the player.
    pub async fn enter(place: Place, player: Player, pace: Duration, seed: i64) -> Result<Self, RemoteError> {
        let Place { address, want, game } = place;
        let is_resumed = matches!(want, Want::Resume { .. });
        let (mut client, welcome) = ResumingClient::open(address, game, want).await?;
        let unknown = |_| ClientError::Unexpected { instead_of: "an edition" };
        let edition: Edition = welcome.edition.parse().map_err(unknown)?;
        let register = Command::Register { name: player.name.as_str().into() };
        // A place that is resumed may be registered already; its events tell.
        if !is_resumed {
            client.send(&register).await?;
        }
        // The board cannot be built before the scenario is received.
        let mut heard = Vec::new();
        loop {
            let (event, text) = match client.next().await? {
                Heard::Event { event, text } => (event, text),
                // All events have been received, but not the scenario: the registration was lost with the connection.
                Heard::CaughtUp => {
                    client.send(&register).await?;
                    continue;
                }
                Heard::Offers(_) | Heard::Notice(_) | Heard::Managed(_) => continue,
                Heard::Refused(refused) => return Err(RemoteError::Refused(refused)),
                Heard::Over => return Err(ClientError::Closed.into()),
            };
            heard.push(event);
            match heard.last() {
                Some(Event::CommandFailed { refusal }) => return Err(RemoteError::NotRegistered(*refusal)),
                Some(Event::Config {}) => {
                    let text = text.unwrap_or_default();
                    let setup = Setup::new(&text, Some(edition), None).map_err(RemoteError::Unplayable)?;
                    let mut view = View::new(&setup);
                    heard.iter().for_each(|event| view.apply(event));
                    let random = JavaRandom::new(seed);
                    return Ok(Self { client, player, pace, view, random, starts: false, thinkers: None });
                }
                Some(_) | None => {}
            }
        }
    }

    /// The same bot, which thinks only with a permit.
    #[must_use]
    pub fn with_thinkers(self, thinkers: Arc<Semaphore>) -> Self {
        Self { thinkers: Some(thinkers), ..self }
    }

    /// The name of the game.
    pub fn game(&self) -> &str {
        self.client.game()
    }

    /// The most players that the game allows.
    pub fn most(&self) -> u16 {
        self.view.board.setup().scenario.max_players
    }

    /// Starts the game with the players who have joined. If the command is lost with the connection, [`Self::play`] repeats it.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub async fn start(&mut self) -> Result<(), RemoteError> {
        self.starts = true;
        Ok(self.client.send(&Command::StartGame {}).await?)
    }

    /// Plays to the end.
    ///
    /// # Errors
    /// If the server cannot be reached for too long, or refuses a command.
    pub async fn play(mut self) -> Result<Outcome, RemoteError> {
        loop {
            match self.client.next().await? {
                Heard::Event { event, .. } => {
                    self.view.apply(&event);
                    let asked = matches!(event, Event::ActNow {} | Event::VoteNow {} | Event::Characters { .. });
                    if asked && !self.client.is_catching_up() {
                        self.answer().await?;
                    }
                }
                Heard::CaughtUp if self.view.asked != Asked::Nothing => self.answer().await?,
                // The command was lost with the connection.
                Heard::CaughtUp if self.starts && self.view.board.phase == Phase::Registration => self.start().await?,
                Heard::CaughtUp | Heard::Offers(_) | Heard::Notice(_) | Heard::Managed(_) => {}
                Heard::Refused(refused) => return Err(RemoteError::Refused(refused)),
                Heard::Over => return Ok(self.view.board.outcome().unwrap_or(Outcome::Aborted)),
            }
        }
    }

    async fn answer(&mut self) -> Result<(), RemoteError> {
        rest(self.pace).await;
        let command = self.think().await?;
        Ok(self.client.send(&command).await?)
    }

    /// Decides on another thread, and keeps the connection alive meanwhile.
    async fn think(&mut self) -> Result<Command, RemoteError> {
        let (bot, view, mut random) = (self.player.bot, self.view.clone(), self.random.clone());
        let thinkers = self.thinkers.clone();
        let mut thinking = pin!(async move {
            let _permit = match thinkers {
                Some(thinkers) => thinkers.acquire_owned().await.ok(),
                None => None,
            };
            spawn_blocking(move || (bot.decide(&view, &mut random), random)).await
        });
        loop {
            if let Ok(thought) = timeout(SILENCE, thinking.as_mut()).await {
                let (command, random) = thought.expect("a bot never panics");
                self.random = random;
                return Ok(command);
            }
            self.client.stay().await?;
        }
    }
}
