//! Bots of short games on a host: they connect like any other client.

use std::{error::Error, fmt, marker::PhantomData, sync::Arc};

use cli::{HostBots, Playing};
use clients::{
    offers::scenario_of,
    resuming::{Heard, ResumingClient},
};
use commlib::{ClientError, Reason, ServerAddress, Want};
use engine::{JavaRandom, Projection};
use server::{Offered, Opponent};
use short::{Bot, Chance, Command, Common, Event, Seat, Setup, SetupError, Short, ShortGame, View};
use slog::{Logger, info};
use tokio::sync::Semaphore;

/// The name of the bot that every game has.
pub(crate) const RANDOM: &str = "random";

/// The bots of a short game.
pub(crate) struct ShortBots<G>(PhantomData<fn() -> G>);

impl<G> ShortBots<G> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl<G: ShortGame> HostBots for ShortBots<G> {
    fn offered(&self) -> Vec<Offered> {
        let all = [(RANDOM, "makes any move")].into_iter().chain(G::BOTS.iter().map(|bot| (bot.name, bot.about)));
        all.map(|(name, about)| Offered { rulebook: G::NAME, name: name.into(), about: about.into() }).collect()
    }

    fn play(&self, seat: Opponent, host: ServerAddress, thinkers: Arc<Semaphore>, logger: Logger) -> Playing {
        Box::pin(async move {
            play::<G>(seat, host, thinkers).await?;
            info!(logger, "a bot has played");
            Ok(())
        })
    }
}

/// The reasons why a bot cannot play on.
#[derive(Debug)]
enum BotError {
    Client(ClientError),
    Scenario(SetupError),
    Refused { words: String },
    Panicked,
}

impl fmt::Display for BotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(error) => error.fmt(f),
            Self::Scenario(error) => error.fmt(f),
            Self::Refused { words } => write!(f, "the game refused its move: {words}"),
            Self::Panicked => write!(f, "the bot panicked"),
        }
    }
}

impl Error for BotError {}

impl From<ClientError> for BotError {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

/// Plays a seat to the end of its game.
async fn play<G: ShortGame>(seat: Opponent, host: ServerAddress, thinkers: Arc<Semaphore>) -> Result<(), BotError> {
    let setup = Setup::<G>::new(&scenario_of(host.clone(), &seat.game).await?, None).map_err(BotError::Scenario)?;
    // These names are a good seed: they are the same after a restart, and the bots of a game differ.
    let names = seat.game.bytes().chain(seat.player.bytes());
    let seed = names.fold(7_i64, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    let want = Want::Resume { token: seat.token, seen: 0 };
    let (mut client, _) = ResumingClient::open(host, Some(seat.game), want).await?;
    let mut player = Player {
        view: <View<G> as Projection<Short<G>>>::new(&setup),
        bot: seat.bot,
        name: seat.player,
        random: JavaRandom::new(seed),
        waits: false,
    };
    loop {
        match client.next().await? {
            Heard::Event { event, text } => player.apply(&event, text, client.is_catching_up())?,
            Heard::CaughtUp => player.waits = false,
            // It asks for none: it knows its moves from its own view.
            Heard::Offers(_) | Heard::Notice(_) | Heard::Managed(_) => {}
            // The game ended while the bot was thinking.
            Heard::Refused(refused) if refused.reason == Reason::GameOver => {}
            Heard::Refused(refused) => return Err(ClientError::Refused(refused).into()),
            Heard::Over => return Ok(()),
        }
        if !client.is_catching_up()
            && let Some(command) = player.next_command(&thinkers).await?
        {
            client.send(&command).await?;
        }
    }
}

/// A bot in its game.
struct Player<G: ShortGame> {
    view: View<G>,
    bot: String,
    name: String,
    /// Draws a seed for each move.
    random: JavaRandom,
    /// Whether a command was sent and its answer has not come.
    waits: bool,
}

impl<G: ShortGame> Player<G> {
    fn apply(&mut self, event: &Event<G::Move, G>, text: Option<String>, past: bool) -> Result<(), BotError> {
        self.view.apply(event);
        match event {
            Event::Refused { .. } if past => {}
            Event::Refused { .. } => return Err(BotError::Refused { words: text.unwrap_or_default() }),
            Event::Played { seat, .. } | Event::Moved { seat, .. } if Some(*seat) == self.view.seat => {
                self.waits = false;
            }
            Event::Seated { .. } => self.waits = false,
            Event::Played { .. }
            | Event::Moved { .. }
            | Event::Joined { .. }
            | Event::Began { .. }
            | Event::Seen { .. }
            | Event::Finished { .. } => {}
        }
        Ok(())
    }

    /// The command that the game waits for.
    async fn next_command(&mut self, thinkers: &Arc<Semaphore>) -> Result<Option<Command<G::Move>>, BotError> {
        if self.waits || self.view.board.ending().is_some() {
            return Ok(None);
        }
        if self.view.seat.is_none() {
            self.waits = true;
            return Ok(Some(Command::Common(Common::Join { name: self.name.as_str().into() })));
        }
        let Some((seat, game)) = self.view.turn().zip(self.view.game().cloned()) else { return Ok(None) };
        let bot = G::BOTS.iter().find(|bot| bot.name == self.bot);
        let mut chance = Chance::with_seed(self.random.next_long());
        let permit = thinkers.clone().acquire_owned().await;
        let thought = tokio::task::spawn_blocking(move || choose_move(&game, seat, bot, &mut chance));
        let chosen = thought.await.map_err(|_| BotError::Panicked)?;
        drop(permit);
        self.waits = chosen.is_some();
        Ok(chosen.map(Command::Move))
    }
}

/// The choice of a bot, or any move.
fn choose_move<G: ShortGame>(game: &G, seat: Seat, bot: Option<&Bot<G>>, chance: &mut Chance) -> Option<G::Move> {
    bot.and_then(|bot| (bot.choose)(game, seat, chance)).or_else(|| {
        let moves: Vec<G::Move> = game.moves(seat).collect();
        chance.pick(&moves).cloned()
    })
}
