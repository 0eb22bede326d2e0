//! Games among bots on a server: every seat is a connection, and all of a game are one task.

use std::{
    collections::VecDeque,
    fmt,
    future::poll_fn,
    net::SocketAddr,
    ops::Range,
    pin::pin,
    sync::{Mutex, MutexGuard, PoisonError},
    task::Poll,
    time::{Duration, Instant},
};

use colony_rules::{Command, Event, Refusal, Setup, SetupError, View};
use commlib::{ClientConnection, ClientError, Create, Form, Hello, PROTOCOL, Reason, Refused, ToClient, Want};
use engine::{JavaRandom, Projection};
use tokio::{
    sync::Semaphore,
    time::{sleep, timeout_at},
};

use crate::Bot;
use clients::histogram::Histogram;

/// What to play, where, and how fast.
#[derive(Clone, Debug)]
pub struct Plan {
    pub address: SocketAddr,
    /// The name of a scenario that the server has, or the whole text of one.
    pub scenario: String,
    pub setup: Setup,
    /// How long everybody thinks before a command.
    pub pace: Duration,
    /// Between the end of a game and the next one at the same table.
    pub pause: Duration,
}

/// Who plays, and how.
#[derive(Clone, Debug)]
pub struct Player {
    pub name: String,
    pub bot: Bot,
}

/// Plays one game after another, until something is wrong. `players` says who plays the game of a seed; one takes a seat only
/// after passing through the `doors`.
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

/// No time at all is no turn of the timer either.
pub(crate) async fn rest(time: Duration) {
    if !time.is_zero() {
        sleep(time).await;
    }
}

/// What was done so far. Whoever plays adds to it, and anybody may look.
#[derive(Debug, Default)]
pub struct Tally(Mutex<Sums>);

#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// Games that were played to their end.
    pub games: u64,
    pub commands: u64,
    pub events: u64,
    /// From sending a command to the first answer.
    pub latencies: Histogram,
}

impl Tally {
    pub fn sums(&self) -> MutexGuard<'_, Sums> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A game that is being played on a server.
#[derive(Debug)]
pub struct RemoteTable<'t> {
    plan: &'t Plan,
    tally: &'t Tally,
    seats: Vec<Seat>,
}

#[derive(Debug)]
struct Seat {
    player: Player,
    connection: ClientConnection<Command, Event>,
    view: View,
    random: JavaRandom,
    /// When the command was sent that is not answered yet.
    sent: Option<Instant>,
    /// It has heard that the game is over.
    over: bool,
}

impl<'t> RemoteTable<'t> {
    /// Makes a game and takes all its seats.
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
    pub async fn finish(mut self) -> Result<(), RemoteError> {
        let all = 0..self.seats.len();
        for at in all.clone() {
            let name = self.seats[at].player.name.as_str().into();
            self.send(at, &Command::Register { name }).await?;
            // The order of the seats is that of the registrations, so each waits for its own; it may hear of others before.
            // The others are heard later: the last registration may start the game.
            loop {
                match self.hear(at..at + 1).await? {
                    Heard::Registered => break,
                    Heard::Failed(refusal) => return Err(RemoteError::NotRegistered(refusal)),
                    Heard::Asked(_) | Heard::Other | Heard::End => {}
                }
            }
        }
        if all.len() < usize::from(self.plan.setup.scenario.max_players) {
            self.send(0, &Command::StartGame {}).await?;
        }
        // Decided commands and when they are due. All seats keep reading until then: an answer that waits for another
        // seat's pause would count that pause as its latency.
        let mut decided: VecDeque<(Instant, usize, Command)> = VecDeque::new();
        loop {
            let heard = match decided.front() {
                None => self.hear(all.clone()).await?,
                Some(&(due, ..)) => match timeout_at(due.into(), self.hear(all.clone())).await {
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
                Heard::Asked(at) => {
                    let seat = &mut self.seats[at];
                    let command = seat.player.bot.decide(&seat.view, &mut seat.random);
                    if self.plan.pace.is_zero() {
                        self.send_now(at, &command).await?;
                    } else {
                        decided.push_back((Instant::now() + self.plan.pace, at, command));
                    }
                }
                Heard::Registered | Heard::Failed(_) | Heard::Other => {}
                // Every seat hears the last events before it hears the end.
                Heard::End if self.seats.iter().all(|seat| seat.over) => {
                    self.tally.sums().games += 1;
                    return Ok(());
                }
                Heard::End => {}
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
        let mut connection = ClientConnection::connect(self.plan.address, Form::Binary).await?;
        let welcome = connection.hello(Hello { protocol: PROTOCOL, want, game, board: true }).await?;
        let view = View::new(&self.plan.setup);
        self.seats.push(Seat { player, connection, view, random: JavaRandom::new(seed), sent: None, over: false });
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

    /// The next message to any of these seats.
    async fn hear(&mut self, listening: Range<usize>) -> Result<Heard, RemoteError> {
        let seats = &mut self.seats;
        let (at, message) = poll_fn(|context| {
            for (at, seat) in seats.iter_mut().enumerate().take(listening.end).skip(listening.start) {
                if seat.over {
                    continue;
                }
                // Made anew at every turn: it may be dropped without losing a byte.
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
                    Event::ActNow {} | Event::VoteNow {} | Event::Characters { .. } => Heard::Asked(at),
                    Event::Config {} => Heard::Registered,
                    Event::CommandFailed { refusal } => Heard::Failed(refusal),
                    _ => Heard::Other,
                })
            }
            ToClient::Closing(refused) if refused.reason == Reason::GameOver => {
                self.seats[at].over = true;
                Ok(Heard::End)
            }
            ToClient::Closing(refused) => Err(RemoteError::Client(ClientError::Closing(refused))),
            ToClient::Refused(refused) => Err(RemoteError::Refused(refused)),
            ToClient::Welcome(_) | ToClient::Games(_) | ToClient::Pong(_) => {
                Err(RemoteError::Client(ClientError::Unexpected { instead_of: "an event" }))
            }
        }
    }
}

enum Heard {
    /// A seat's command is awaited.
    Asked(usize),
    /// A seat has a player.
    Registered,
    /// A command was refused by the rules.
    Failed(Refusal),
    Other,
    End,
}

/// Why a game on a server could not be played on.
#[derive(Debug)]
pub enum RemoteError {
    Client(ClientError),
    /// The server does not take a bot's command.
    Refused(Refused),
    /// The rules do not take a player.
    NotRegistered(Refusal),
    /// What the server says is the scenario of the game is none.
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
            Self::Refused(refused) => write!(f, "the server takes no command: {refused}"),
            Self::Unplayable(error) => write!(f, "the game has no sound scenario: {error}"),
            Self::NotRegistered(refusal) => write!(f, "a player cannot register: {refusal}"),
        }
    }
}

impl std::error::Error for RemoteError {}
