//! Bots that a host offers to its players: our own, and those that the operator names.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use clap::{Args, FromArgMatches};
use cli::{HostBots, HostOptions, Playing};
use engine::Rulebook;
use server::{Offered, Opponent};
use slog::{Logger, info, warn};
use tokio::sync::Semaphore;

use crate::bots::{
    self, BOTS, Bot, Budget,
    foreign::Foreign,
    seat::{self, Seat},
};

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

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        BOTS.iter().map(|bot| bot.name).chain(self.foreign.iter().map(|bot| &*bot.name))
    }

    /// The bot of a name, with chances of its own.
    fn bot(&self, name: &str, seed: i64) -> Option<Box<dyn Bot>> {
        if let Some(entry) = bots::bot(name) {
            return Some((entry.make)(self.budget, seed));
        }
        let named = self.foreign.iter().find(|bot| bot.name == name)?;
        Some(Box::new(Foreign::new(&named.command, self.limit).ok()?))
    }
}

impl HostBots for Cast {
    fn offered(&self) -> Vec<Offered> {
        let offer = |name: &str, about: &str| Offered {
            rulebook: crazyhouse_rules::Game::NAME,
            name: name.into(),
            about: about.into(),
        };
        let own = BOTS.iter().map(|bot| offer(bot.name, bot.about));
        own.chain(self.foreign.iter().map(|bot| offer(&bot.name, "a program of this host's operator"))).collect()
    }

    fn play(&self, seat: Opponent, host: SocketAddr, thinkers: Arc<Semaphore>, logger: Logger) -> Playing {
        // The name of the game is as good as chance, and the same after a restart.
        let seed = seat.game.bytes().fold(7_i64, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
        Box::pin(keep_playing(self.clone(), seat, seed, host, thinkers, logger))
    }
}

/// The options of `holdfast host` for crazyhouse.
pub(crate) struct CrazyhouseOptions;

impl HostOptions for CrazyhouseOptions {
    fn augment(&self, command: clap::Command) -> clap::Command {
        Arguments::augment_args(command)
    }

    fn bots(&self, matches: &clap::ArgMatches) -> Result<Option<Box<dyn HostBots>>, cli::Failure> {
        let arguments = Arguments::from_arg_matches(matches).map_err(|error| error.to_string())?;
        Ok(Some(Box::new(arguments.cast()?)))
    }
}

/// Plays at a seat to the end of the game. A bot that cannot play on, for whatever reason, is replaced by a fresh one, which
/// hears everything from the beginning.
async fn keep_playing(
    cast: Cast,
    opponent: Opponent,
    seed: i64,
    address: SocketAddr,
    thinkers: Arc<Semaphore>,
    logger: Logger,
) {
    let mut pause = Duration::from_millis(500);
    for _ in 0..TRIES {
        let Some(bot) = cast.bot(&opponent.bot, seed) else { return };
        let Opponent { bot: name, game, token, .. } = opponent.clone();
        match seat::play(Seat { address, game, token, name }, bot, thinkers.clone()).await {
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
