//! A bot at a seat of a hosted game, from its first message to the end.

use std::{
    fmt,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use clients::resuming::{Heard, ResumingClient};
use commlib::{ClientError, Reason, Token, Want};
use crazyhouse_rules::{Command, Event, LONGEST_REASON, Move, Pace, Position, Refusal, Side};
use tokio::{
    sync::Semaphore,
    task::{JoinError, JoinHandle},
};

use super::{Bot, foreign::Failure};

/// Where a bot sits, and what it is called there.
#[derive(Clone, Debug)]
pub struct Seat {
    pub address: SocketAddr,
    pub game: String,
    pub token: Token,
    pub name: String,
}

/// A bot, and what it has chosen.
type Thought = (Box<dyn Bot>, Result<Option<Move>, Failure>);

struct Player {
    line: ResumingClient<Command, Event>,
    name: String,
    /// How many bots may think at the same time.
    heads: Arc<Semaphore>,
    bot: Option<Box<dyn Bot>>,
    thinking: Option<JoinHandle<Thought>>,
    side: Option<Side>,
    /// Set while the game is played.
    position: Option<Position>,
    /// It has thought about this position, or does, and its answer is on its way.
    answering: Option<Position>,
    clock: Option<Pace>,
    /// The time that its side has left, in milliseconds, in a game with a clock.
    left: Option<u64>,
    offered: Option<Side>,
    /// Why it gave up, if it did so because it had no answer.
    failure: Option<Failure>,
}

/// Sits down and plays to the end; gives why the bot gave up, if it did because it had no answer. The bot thinks on a thread where it disturbs nobody, as soon as one of the `heads` is free.
pub async fn play(seat: Seat, bot: Box<dyn Bot>, heads: Arc<Semaphore>) -> Result<Option<Failure>, SeatError> {
    let want = Want::Resume { token: seat.token, seen: 0 };
    let (line, _) = ResumingClient::open(seat.address, Some(seat.game), want).await?;
    let mut player = Player {
        line,
        name: seat.name,
        heads,
        bot: Some(bot),
        thinking: None,
        side: None,
        position: None,
        answering: None,
        clock: None,
        left: None,
        offered: None,
        failure: None,
    };
    while player.go_on().await? {}
    Ok(player.failure)
}

impl Player {
    /// Takes what comes next, a message or the bot's answer. False: the game is over.
    async fn go_on(&mut self) -> Result<bool, SeatError> {
        let thinking = async {
            match &mut self.thinking {
                Some(thinking) => thinking.await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            heard = self.line.next() => match heard? {
                Heard::Event { event, .. } => self.hear(event).await?,
                // Whoever has heard everything and has no seat has not asked for one.
                Heard::CaughtUp if self.side.is_none() => {
                    let name = self.name.as_str().into();
                    self.line.send(&Command::Join { name, side: None }).await?;
                }
                // An answer that was on its way may be lost; if it is not, the position is another one by now.
                Heard::CaughtUp => {
                    self.answering = None;
                    self.act().await?;
                }
                // A flag has fallen, or the other has resigned, while the bot was thinking.
                Heard::Refused(refused) if refused.reason == Reason::GameOver => {}
                Heard::Refused(refused) => return Err(SeatError::Client(ClientError::Refused(refused))),
                Heard::Over => return Ok(false),
            },
            thought = thinking => self.answer(thought).await?,
        }
        Ok(true)
    }

    async fn hear(&mut self, event: Event) -> Result<(), SeatError> {
        match event {
            Event::Seated { side } => self.side = Some(side),
            Event::Joined { .. } | Event::DrawDeclined { .. } => self.offered = None,
            Event::Began { position, clock, .. } => {
                (self.position, self.clock, self.left) = (Some(position), clock, clock.map(|clock| clock.initial));
            }
            Event::Moved { side, position, left, .. } => {
                (self.position, self.offered) = (Some(position), None);
                if Some(side) == self.side {
                    self.left = left;
                }
            }
            Event::DrawOffered { side } => self.offered = Some(side),
            Event::Finished { .. } => self.position = None,
            // The other's offer has passed meanwhile, or a move was answered twice.
            Event::Refused { refusal: Refusal::NoOffer {} | Refusal::NotYourTurn { .. } } => {}
            Event::Refused { .. } if self.line.is_catching_up() => {}
            Event::Refused { refusal } => return Err(SeatError::Surprise { refusal: refusal.to_string() }),
        }
        if self.line.is_catching_up() { Ok(()) } else { self.act().await }
    }

    /// Does what the game waits for, if it waits for this side.
    async fn act(&mut self) -> Result<(), SeatError> {
        let Some(side) = self.side else { return Ok(()) };
        if self.offered == Some(side.other()) {
            self.offered = None;
            self.line.send(&Command::DeclineDraw {}).await?;
        }
        if let Some(position) = self.position.filter(|position| position.turn() == side)
            && self.answering != Some(position)
            && let Some(mut bot) = self.bot.take()
        {
            self.answering = Some(position);
            let (heads, most) = (self.heads.clone(), self.time_for_a_move());
            self.thinking = Some(tokio::spawn(async move {
                let waited = Instant::now();
                let head = heads.acquire_owned().await;
                let thought = tokio::task::spawn_blocking(move || {
                    bot.hurry(most.map(|most| most.saturating_sub(waited.elapsed())));
                    let chosen = bot.choose(&position);
                    (bot, chosen)
                });
                let thought = thought.await;
                drop(head);
                thought.unwrap_or_else(|panicked| std::panic::resume_unwind(panicked.into_panic()))
            }));
        }
        Ok(())
    }

    /// What a move may take so that the clock lasts for a game.
    fn time_for_a_move(&self) -> Option<Duration> {
        const MOVES: u64 = 30;
        let (clock, left) = (self.clock?, self.left?);
        Some(Duration::from_millis((left / MOVES + clock.increment * 4 / 5).min(left / 2)))
    }

    async fn answer(&mut self, thought: Result<Thought, JoinError>) -> Result<(), SeatError> {
        self.thinking = None;
        let (bot, chosen) = thought.map_err(|_| SeatError::Panicked)?;
        self.bot = Some(bot);
        if self.position != self.answering {
            // The game went on without it, and may wait for it again.
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
        Ok(self.line.send(&command).await?)
    }
}

/// Why a bot could not play on.
#[derive(Debug)]
pub enum SeatError {
    Client(ClientError),
    /// The game refused what the bot may do by its own knowledge.
    Surprise {
        refusal: String,
    },
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
