//! Bots that a host offers to its players: our own, and those that the operator names.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use clients::crazyhouse::{
    BOTS, Bot, Budget,
    foreign::Foreign,
    seat::{self, Seat},
};
use engine::Rulebook;
use server::{Offered, Opponent, Opponents};
use slog::{Logger, info, o, warn};
use tokio::sync::{Semaphore, mpsc};

/// How many seats bots may have at a time: `search` alone keeps 8 MiB for each.
const SEATS: usize = 128;

/// How often a bot that could not play on tries to come back to its seat, and how long it waits before, at the longest.
const TRIES: u32 = 10;
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Bots to play against.
#[derive(Clone, Debug, clap::Args)]
// Without a group of its own: that would have the name of the group that it is put into.
#[group(skip)]
pub(crate) struct Arguments {
    /// Offers a program as a bot for crazyhouse: it is started for each move with the position, such as `BOARD w`, as its last
    /// argument, and prints a move, or nothing to resign. Can be given several times.
    #[arg(long = "bot", value_name = "NAME=COMMAND", value_parser = foreign)]
    foreign: Vec<Named>,
    /// How long a bot may think about a move. A program that takes longer is killed and has lost.
    #[arg(long, default_value_t = 1000, value_name = "MILLISECONDS", value_parser = clap::value_parser!(u64).range(1..=600_000))]
    bot_time: u64,
}

/// A program of somebody else's, and what to call it.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) command: String,
}

/// Reads `NAME=COMMAND`.
pub(crate) fn foreign(text: &str) -> Result<Named, String> {
    let (name, command) = text.split_once('=').ok_or("a bot is NAME=COMMAND")?;
    if name.is_empty() || name.chars().count() > 64 || name.chars().any(char::is_control) {
        return Err("the name of a bot has 1 to 64 characters".into());
    }
    if BOTS.iter().any(|bot| bot.name == name) {
        return Err(format!("{name} is a bot already"));
    }
    Foreign::new(command, Duration::ZERO).map_err(|error| error.to_string())?;
    Ok(Named { name: name.into(), command: command.into() })
}

/// Makes bots by their names.
#[derive(Clone, Debug)]
pub(crate) struct Cast {
    foreign: Vec<Named>,
    budget: Budget,
    /// For programs of others.
    limit: Duration,
}

impl Cast {
    /// Our own bots, as strong as is pleasant to play against.
    pub(crate) fn usual() -> Self {
        Self { foreign: Vec::new(), budget: Budget::USUAL, limit: Duration::ZERO }
    }

    pub(crate) fn new(foreign: Vec<Named>, budget: Budget, limit: Duration) -> Result<Self, String> {
        for (at, bot) in foreign.iter().enumerate() {
            if foreign[..at].iter().any(|other| other.name == bot.name) {
                return Err(format!("there are two bots {}", bot.name));
            }
        }
        Ok(Self { foreign, budget, limit })
    }

    fn offered(&self) -> Vec<Offered> {
        let offer = |name: &str, about: &str| Offered {
            rulebook: crazyhouse::Game::NAME,
            name: name.into(),
            about: about.into(),
        };
        let own = BOTS.iter().map(|bot| offer(bot.name, bot.about));
        own.chain(self.foreign.iter().map(|bot| offer(&bot.name, "a program of this host's operator"))).collect()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        BOTS.iter().map(|bot| bot.name).chain(self.foreign.iter().map(|bot| &*bot.name))
    }

    /// The bot of a name, with chances of its own.
    fn bot(&self, name: &str, seed: i64) -> Option<Box<dyn Bot>> {
        if let Some(entry) = clients::crazyhouse::bot(name) {
            return Some((entry.make)(self.budget, seed));
        }
        let named = self.foreign.iter().find(|bot| bot.name == name)?;
        Some(Box::new(Foreign::new(&named.command, self.limit).ok()?))
    }

    /// What a host is told of these bots, and where it says that one is wanted.
    pub(crate) fn opponents(&self) -> (Arc<Opponents>, Calls) {
        let (call, calls) = mpsc::unbounded_channel();
        let opponents = Opponents::new(self.offered(), SEATS, move |opponent| {
            let _host_is_ending = call.send(opponent);
        });
        (Arc::new(opponents), Calls(calls))
    }
}

/// How many bots may think at a time: a core is left to those who play themselves.
pub(crate) fn heads() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    cores.saturating_sub(1).max(1)
}

/// Places that wait for a bot. They wait until the host takes connections.
pub(crate) struct Calls(mpsc::UnboundedReceiver<Opponent>);

impl Calls {
    /// Sends a bot to every place, for as long as the host lives.
    pub(crate) async fn answer(mut self, cast: Cast, address: SocketAddr, logger: Logger) {
        let heads = Arc::new(Semaphore::new(heads()));
        while let Some(opponent) = self.0.recv().await {
            let logger = logger.new(o!("game" => opponent.game.clone(), "bot" => opponent.bot.clone()));
            // The name of the game is as good as chance, and the same after a restart.
            let seed = opponent.game.bytes().fold(7_i64, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
            if !cast.names().any(|name| name == opponent.bot) {
                warn!(logger, "the game waits for a bot that is not offered; --bot offers it");
                continue;
            }
            tokio::spawn(keep_playing(cast.clone(), opponent, seed, address, heads.clone(), logger));
        }
    }
}

/// Plays at a seat to the end of the game. A bot that cannot play on, for whatever reason, is replaced by a fresh one, which
/// hears everything from the beginning.
async fn keep_playing(
    cast: Cast,
    opponent: Opponent,
    seed: i64,
    address: SocketAddr,
    heads: Arc<Semaphore>,
    logger: Logger,
) {
    let mut pause = Duration::from_millis(500);
    for _ in 0..TRIES {
        let Some(bot) = cast.bot(&opponent.bot, seed) else { return };
        let Opponent { bot: name, game, token } = opponent.clone();
        match seat::play(Seat { address, game, token, name }, bot, heads.clone()).await {
            Ok(Some(failure)) => return warn!(logger, "a bot gave up"; "why" => %failure),
            Ok(None) => return info!(logger, "a bot has played"),
            Err(error) => warn!(logger, "a bot cannot play on"; "cause" => %error),
        }
        tokio::time::sleep(pause).await;
        pause = (2 * pause).min(LONGEST_PAUSE);
    }
}

impl Arguments {
    pub(crate) fn cast(&self) -> Result<Cast, String> {
        let time = Duration::from_millis(self.bot_time);
        Cast::new(self.foreign.clone(), Budget::time(time), time)
    }
}
