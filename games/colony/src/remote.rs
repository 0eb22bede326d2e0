//! Plays games among bots on a server. Every seat is a connection, and one task plays all seats of a game.

use std::{
    collections::VecDeque,
    fmt,
    future::poll_fn,
    ops::Range,
    pin::pin,
    task::Poll,
    time::{Duration, Instant},
};

use colony_rules::{Command, Event, Refusal, Setup, SetupError, View};
use commlib::{
    ClientConnection, ClientError, Create, Form, Hello, PROTOCOL, Reason, Refused, ServerAddress, ToClient, Want,
};
use engine::{JavaRandom, Projection};
use tokio::{
    sync::Semaphore,
    time::{sleep, timeout_at},
};

use crate::Bot;
pub use clients::tally::{Sums, Tally};

/// The scenario to play, the server, and the pace.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The address of the server.
    pub address: ServerAddress,
    /// The name of a scenario on the server, or the whole text of a scenario.
    pub scenario: String,
    /// The setup of that scenario.
    pub setup: Setup,
    /// The time that each bot waits before a command.
    pub pace: Duration,
    /// The pause between the end of a game and the next one.
    pub pause: Duration,
}

/// A bot and its name.
#[derive(Clone, Debug)]
pub struct Player {
    /// The name in the game.
    pub name: String,
    /// The bot.
    pub bot: Bot,
}

/// Plays one game for each seed. `players` returns the players for a seed. `doors` limits the number of games that are set up
/// at the same time.
///
/// # Errors
/// If a game cannot be played to its end.
pub async fn keep_playing(
    plan: &Plan,
    seeds: impl Iterator<Item = i64>,
    players: impl Fn(i64) -> Vec<Player>,
    doors: &Semaphore,
    tally: &Tally,
) -> Result<(), RemoteError> {
    for seed in seeds {
        let door = doors.acquire().await;
        let table = RemoteTable::enter(plan, players(seed), seed, tally).await?;
        drop(door);
        table.finish().await?;
        rest(plan.pause).await;
    }
    Ok(())
}

/// Sleeps. For a duration of zero it does not even yield.
pub(crate) async fn rest(time: Duration) {
    if !time.is_zero() {
        sleep(time).await;
    }
}

/// A game that is being played on a server.
#[derive(Debug)]
pub struct RemoteTable<'t> {
    plan: &'t Plan,
    tally: &'t Tally,
    seats: Vec<RemoteSeat>,
}

/// A bot with its connection.
#[derive(Debug)]
struct RemoteSeat {
    player: Player,
    connection: ClientConnection<Command, Event>,
    view: View,
    random: JavaRandom,
    /// When the unanswered command was sent.
    sent: Option<Instant>,
    /// Whether the server has announced the end of the game.
    over: bool,
}

impl<'t> RemoteTable<'t> {
    /// Creates a game and takes all its seats.
    ///
    /// # Errors
    /// If the server cannot be reached, or refuses.
    pub async fn enter(plan: &'t Plan, players: Vec<Player>, seed: i64, tally: &'t Tally) -> Result<Self, RemoteError> {
        let Plan { scenario, .. } = plan;
        let edition = Some(plan.setup.edition.name().to_owned());
        let create = Create { rulebook: None, scenario: scenario.clone(), edition, seed: Some(seed), timeout: None };
        let mut table = Self { plan, tally, seats: Vec::with_capacity(players.len()) };
        let (mut game, mut want) = (None, Want::Create(create));
        for (player, at) in players.into_iter().zip(0..) {
            game = Some(table.take_seat(player, game, want, seed.wrapping_add(at)).await?);
            want = Want::Join { seat: None };
        }
        Ok(table)
    }

    /// Plays to the end.
    ///
    /// # Errors
    /// If the connection is lost, or the server refuses a command.
    pub async fn finish(mut self) -> Result<(), RemoteError> {
        let all = 0..self.seats.len();
        for at in all.clone() {
            let name = self.seats[at].player.name.as_str().into();
            self.send(at, &Command::Register { name }).await?;
            // Seats register in order, and each waits for its own answer. Only this seat is read now. The others are read
            // later, because the last registration may start the game.
            loop {
                match self.next(at..at + 1).await? {
                    SeatNews::Registered => break,
                    SeatNews::Failed(refusal) => return Err(RemoteError::NotRegistered(refusal)),
                    SeatNews::Asked(_) | SeatNews::Other | SeatNews::End => {}
                }
            }
        }
        if all.len() < usize::from(self.plan.setup.scenario.max_players) {
            self.send(0, &Command::StartGame {}).await?;
        }
        // The chosen commands and the times at which they are due. All seats keep reading until then: if an answer waited
        // during another seat's pause, that pause would count as latency.
        let mut decided: VecDeque<(Instant, usize, Command)> = VecDeque::new();
        loop {
            let heard = match decided.front() {
                None => self.next(all.clone()).await?,
                Some(&(due, ..)) => match timeout_at(due.into(), self.next(all.clone())).await {
                    Ok(heard) => heard?,
                    Err(_) => {
                        // The game may have ended during the pause.
                        if let Some((_, at, command)) = decided.pop_front().filter(|&(_, at, _)| !self.seats[at].over) {
                            self.send_now(at, &command).await?;
                        }
                        continue;
                    }
                },
            };
            match heard {
                SeatNews::Asked(at) => {
                    let seat = &mut self.seats[at];
                    let command = seat.player.bot.decide(&seat.view, &mut seat.random);
                    if self.plan.pace.is_zero() {
                        self.send_now(at, &command).await?;
                    } else {
                        decided.push_back((Instant::now() + self.plan.pace, at, command));
                    }
                }
                SeatNews::Registered | SeatNews::Failed(_) | SeatNews::Other => {}
                // On every connection the end follows the last event.
                SeatNews::End if self.seats.iter().all(|seat| seat.over) => {
                    self.tally.sums().games += 1;
                    return Ok(());
                }
                SeatNews::End => {}
            }
        }
    }

    async fn take_seat(
        &mut self,
        player: Player,
        game: Option<String>,
        want: Want,
        seed: i64,
    ) -> Result<String, RemoteError> {
        let mut connection = ClientConnection::connect(self.plan.address.clone(), Form::Binary).await?;
        let welcome = connection.hello(Hello { protocol: PROTOCOL, want, game, board: true }).await?;
        let view = View::new(&self.plan.setup);
        self.seats.push(RemoteSeat {
            player,
            connection,
            view,
            random: JavaRandom::new(seed),
            sent: None,
            over: false,
        });
        Ok(welcome.game)
    }

    async fn send(&mut self, at: usize, command: &Command) -> Result<(), RemoteError> {
        rest(self.plan.pace).await;
        self.send_now(at, command).await
    }

    async fn send_now(&mut self, at: usize, command: &Command) -> Result<(), RemoteError> {
        let seat = &mut self.seats[at];
        seat.sent = Some(Instant::now());
        seat.connection.send(command).await?;
        self.tally.sums().commands += 1;
        Ok(())
    }

    /// Waits for the next message to any of these seats.
    async fn next(&mut self, listening: Range<usize>) -> Result<SeatNews, RemoteError> {
        let seats = &mut self.seats;
        let (at, message) = poll_fn(|context| {
            for (at, seat) in seats.iter_mut().enumerate().take(listening.end).skip(listening.start) {
                if seat.over {
                    continue;
                }
                // Each poll creates a new future. The future is cancel-safe, so dropping it loses no byte.
                if let Poll::Ready(message) = pin!(seat.connection.next()).poll(context) {
                    return Poll::Ready((at, message));
                }
            }
            Poll::Pending
        })
        .await;
        let message = message?.ok_or(RemoteError::Client(ClientError::Closed))?;
        let mut sums = self.tally.sums();
        if let Some(sent) = self.seats[at].sent.take() {
            sums.latencies.record(sent.elapsed());
        }
        match message {
            ToClient::Event(told) => {
                sums.events += 1;
                self.seats[at].view.apply(&told.event);
                #[expect(clippy::wildcard_enum_match_arm, reason = "the view knows what the others mean")]
                Ok(match told.event {
                    Event::ActNow {} | Event::VoteNow {} | Event::Characters { .. } => SeatNews::Asked(at),
                    Event::Config {} => SeatNews::Registered,
                    Event::CommandFailed { refusal } => SeatNews::Failed(refusal),
                    _ => SeatNews::Other,
                })
            }
            ToClient::Closing(refused) if refused.reason == Reason::GameOver => {
                self.seats[at].over = true;
                Ok(SeatNews::End)
            }
            ToClient::Closing(refused) => Err(RemoteError::Client(ClientError::Closing(refused))),
            ToClient::Refused(refused) => Err(RemoteError::Refused(refused)),
            ToClient::Welcome(_)
            | ToClient::Games(_)
            | ToClient::Pong(_)
            | ToClient::Offers(_)
            | ToClient::Notice(_)
            | ToClient::Managed(_) => Err(RemoteError::Client(ClientError::Unexpected { instead_of: "an event" })),
        }
    }
}

/// The meaning of a message to a seat.
enum SeatNews {
    /// The seat has to send a command.
    Asked(usize),
    /// The seat is registered as a player.
    Registered,
    /// The rules refused a command.
    Failed(Refusal),
    Other,
    End,
}

/// Why a game on a server could not be continued.
#[derive(Debug)]
pub enum RemoteError {
    /// The connection failed.
    Client(ClientError),
    /// The server refused a command.
    Refused(Refused),
    /// The rules refused a registration.
    NotRegistered(Refusal),
    /// The scenario of the game is faulty.
    Unplayable(SetupError),
}

impl From<ClientError> for RemoteError {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

impl fmt::Display for RemoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(error) => error.fmt(f),
            Self::Refused(refused) => write!(f, "the server refuses a command: {refused}"),
            Self::Unplayable(error) => write!(f, "the scenario of the game is faulty: {error}"),
            Self::NotRegistered(refusal) => write!(f, "a player cannot register: {refusal}"),
        }
    }
}

impl std::error::Error for RemoteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Client(error) => Some(error),
            Self::Unplayable(error) => Some(error),
            Self::Refused(_) | Self::NotRegistered(_) => None,
        }
    }
}
