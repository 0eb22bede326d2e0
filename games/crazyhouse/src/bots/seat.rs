//! Plays a bot in a hosted game, from its first message to the end.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use clients::resuming::{Heard, ResumingClient};
use commlib::{ClientError, Reason, ServerAddress, Token, Want};
use crazyhouse_rules::{Command, Event, LONGEST_REASON, Move, Pace, Position, Refusal, Side};
use tokio::{
    sync::Semaphore,
    task::{JoinError, JoinHandle},
};

use super::{Bot, foreign::Failure};

/// The seat of a bot in a hosted game.
#[derive(Clone, Debug)]
pub struct BotSeat {
    /// The address of the host.
    pub address: ServerAddress,
    /// The name of the game.
    pub game: String,
    /// The token of the seat.
    pub token: Token,
    /// The name of the bot in the game.
    pub name: String,
}

/// A bot and its choice.
type Thought = (Box<dyn Bot>, Result<Option<Move>, Failure>);

struct Player {
    client: ResumingClient<Command, Event>,
    name: String,
    /// Limits how many bots think at the same time.
    thinkers: Arc<Semaphore>,
    bot: Option<Box<dyn Bot>>,
    thinking: Option<JoinHandle<Thought>>,
    side: Option<Side>,
    /// Set while the game runs.
    position: Option<Position>,
    /// The position that the bot thinks about, or has answered.
    answering: Option<Position>,
    clock: Option<Pace>,
    /// The time that its side has left, in a game with a clock.
    left_ms: Option<u64>,
    offered: Option<Side>,
    /// The side that asks to take a move back.
    asked: Option<Side>,
    /// Set if the bot resigned because it failed.
    failure: Option<Failure>,
}

/// Plays a bot in a hosted game to its end. Returns the bot's failure, if it resigned because of one. The bot thinks on a blocking
/// thread, as soon as `thinkers` has a permit.
///
/// # Errors
///
/// The host cannot be reached, or refuses a command that should be valid.
pub async fn play(seat: BotSeat, bot: Box<dyn Bot>, thinkers: Arc<Semaphore>) -> Result<Option<Failure>, SeatError> {
    let want = Want::Resume { token: seat.token, seen: 0 };
    let (client, _) = ResumingClient::open(seat.address, Some(seat.game), want).await?;
    let mut player = Player {
        client,
        name: seat.name,
        thinkers,
        bot: Some(bot),
        thinking: None,
        side: None,
        position: None,
        answering: None,
        clock: None,
        left_ms: None,
        offered: None,
        asked: None,
        failure: None,
    };
    while player.go_on().await? {}
    Ok(player.failure)
}

impl Player {
    /// Handles the next message or the bot's answer. False if the game is over.
    async fn go_on(&mut self) -> Result<bool, SeatError> {
        let thinking = async {
            match &mut self.thinking {
                Some(thinking) => thinking.await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            heard = self.client.next() => match heard? {
                Heard::Event { event, .. } => self.apply(event).await?,
                // A client without a seat has not joined yet.
                Heard::CaughtUp if self.side.is_none() => {
                    let name = self.name.as_str().into();
                    self.client.send(&Command::Join { name, side: None }).await?;
                }
                // The last answer may be lost. If it is not, the position has changed.
                Heard::CaughtUp => {
                    self.answering = None;
                    self.act().await?;
                }
                // The time ran out, or the opponent resigned, while the bot was thinking.
                Heard::Refused(refused) if refused.reason == Reason::GameOver => {}
                Heard::Refused(refused) => return Err(SeatError::Client(ClientError::Refused(refused))),
                Heard::Offers(_) | Heard::Notice(_) | Heard::Managed(_) => {}
                Heard::Over => return Ok(false),
            },
            thought = thinking => self.answer(thought).await?,
        }
        Ok(true)
    }

    async fn apply(&mut self, event: Event) -> Result<(), SeatError> {
        match event {
            Event::Seated { side } => self.side = Some(side),
            Event::Joined { .. } | Event::DrawDeclined { .. } => self.offered = None,
            Event::Began { position, clock, .. } => {
                (self.position, self.clock, self.left_ms) = (Some(position), clock, clock.map(|clock| clock.initial));
            }
            Event::Moved { side, position, left, .. } => {
                (self.position, self.offered, self.asked) = (Some(position), None, None);
                if Some(side) == self.side {
                    self.left_ms = left;
                }
            }
            Event::DrawOffered { side } => self.offered = Some(side),
            Event::TakebackAsked { side } => self.asked = Some(side),
            Event::TakebackRefused { .. } => self.asked = None,
            Event::TakenBack { position, white_left, black_left, .. } => {
                // The same position may come again, and needs another answer then.
                (self.position, self.answering) = (Some(position), None);
                (self.offered, self.asked) = (None, None);
                self.left_ms = if self.side == Some(Side::White) { white_left } else { black_left };
            }
            Event::Finished { .. } => self.position = None,
            // The opponent's offer or question is no longer valid, or the bot has answered a position twice.
            Event::Refused { refusal: Refusal::NoOffer {} | Refusal::NoTakeback {} | Refusal::NotYourTurn { .. } } => {}
            Event::Refused { .. } if self.client.is_catching_up() => {}
            Event::Refused { refusal } => return Err(SeatError::Surprise { refusal: refusal.to_string() }),
        }
        if self.client.is_catching_up() { Ok(()) } else { self.act().await }
    }

    /// Acts if the game waits for this side.
    async fn act(&mut self) -> Result<(), SeatError> {
        let Some(side) = self.side else { return Ok(()) };
        if self.offered == Some(side.other()) {
            self.offered = None;
            self.client.send(&Command::DeclineDraw {}).await?;
        }
        if self.asked == Some(side.other()) {
            self.asked = None;
            // A move that the bot has found by now is for a position that is about to go.
            self.answering = None;
            self.client.send(&Command::AllowTakeback {}).await?;
            return Ok(());
        }
        if let Some(position) = self.position.filter(|position| position.turn() == side)
            && self.answering != Some(position)
            && let Some(mut bot) = self.bot.take()
        {
            self.answering = Some(position);
            let (thinkers, most) = (self.thinkers.clone(), self.time_for_a_move());
            self.thinking = Some(tokio::spawn(async move {
                let waited = Instant::now();
                let permit = thinkers.acquire_owned().await;
                let thought = tokio::task::spawn_blocking(move || {
                    bot.hurry(most.map(|most| most.saturating_sub(waited.elapsed())));
                    let chosen = bot.choose(&position);
                    (bot, chosen)
                });
                let thought = thought.await;
                drop(permit);
                thought.unwrap_or_else(|panicked| std::panic::resume_unwind(panicked.into_panic()))
            }));
        }
        Ok(())
    }

    /// The time limit for the next move, chosen so that the clock lasts for a whole game.
    fn time_for_a_move(&self) -> Option<Duration> {
        const MOVES: u64 = 30;
        let (clock, left) = (self.clock?, self.left_ms?);
        Some(Duration::from_millis((left / MOVES + clock.increment * 4 / 5).min(left / 2)))
    }

    async fn answer(&mut self, thought: Result<Thought, JoinError>) -> Result<(), SeatError> {
        self.thinking = None;
        let (bot, chosen) = thought.map_err(|_| SeatError::Panicked)?;
        self.bot = Some(bot);
        if self.position != self.answering {
            // The position has changed, and it may be the bot's turn again.
            return self.act().await;
        }
        let command = match chosen {
            Ok(Some(chosen)) => Command::Move { text: chosen.to_string().into() },
            Ok(None) => Command::Resign { because: None },
            Err(failure) => {
                let because: String = failure.problem.to_string().chars().take(LONGEST_REASON.into()).collect();
                self.failure = Some(failure);
                Command::Resign { because: Some(because.into()) }
            }
        };
        Ok(self.client.send(&command).await?)
    }
}

/// The reasons why a bot cannot play on.
#[derive(Debug)]
pub enum SeatError {
    /// The connection failed.
    Client(ClientError),
    /// The game refused a command that should be valid.
    Surprise {
        /// The refusal, in words.
        refusal: String,
    },
    /// The bot panicked.
    Panicked,
}

impl From<ClientError> for SeatError {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

impl fmt::Display for SeatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(error) => write!(f, "{error}"),
            Self::Surprise { refusal } => write!(f, "the game refused it: {refusal}"),
            Self::Panicked => write!(f, "the bot panicked"),
        }
    }
}

impl std::error::Error for SeatError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Client(error) => Some(error),
            Self::Surprise { .. } | Self::Panicked => None,
        }
    }
}
