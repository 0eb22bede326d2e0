//! The bots that a host offers to its players: the built-in ones, and the operator's programs.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use clap::{Args, FromArgMatches};
use cli::{BotFailure, Failure, HostBots, HostOptions, Playing, duration};
use clients::words::Unreadable;
use commlib::ServerAddress;
use engine::Rulebook;
use server::{Offered, Opponent};
use slog::{Logger, info, warn};
use tokio::sync::Semaphore;

use crate::bots::{
    self, BOTS, Bot, Budget,
    foreign::Foreign,
    seat::{self, BotSeat},
};

/// How often a bot tries to return to its seat after an error, and the longest pause before an attempt.
const TRIES: u32 = 10;
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Options for the bots of crazyhouse.
#[derive(Clone, Debug, clap::Args)]
// No group: its name would be the same as that of the command's group.
#[group(skip)]
pub(crate) struct Arguments {
    /// Offer a program as a bot for crazyhouse. It is started for each move with the position, such as `BOARD w`, as its last
    /// argument, and prints a move, or nothing to resign. Can be given several times.
    #[arg(long = "bot", value_name = "NAME=COMMAND", value_parser = foreign)]
    foreign: Vec<Named>,
    /// How long a bot may think about a move; a number without a unit is milliseconds. A program that takes longer is killed and loses.
    #[arg(long, default_value = "1s", value_name = "TIME",
          value_parser = duration::within(duration::in_milliseconds, Duration::from_millis(1)..=Duration::from_secs(600)))]
    bot_time: Duration,
}

/// A program and its name as a bot.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) command: String,
}

/// The reasons why the options for bots are invalid.
#[derive(Debug)]
pub(crate) enum BotOptionError {
    NoName,
    BadName,
    BuiltIn { name: String },
    Twice { name: String },
    Command(Unreadable),
}

impl fmt::Display for BotOptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoName => f.write_str("a bot is NAME=COMMAND"),
            Self::BadName => f.write_str("the name of a bot has 1 to 64 characters"),
            Self::BuiltIn { name } => write!(f, "{name} is a built-in bot"),
            Self::Twice { name } => write!(f, "there are two bots {name}"),
            Self::Command(error) => error.fmt(f),
        }
    }
}

impl Error for BotOptionError {}

/// Parses `NAME=COMMAND`.
pub(crate) fn foreign(text: &str) -> Result<Named, BotOptionError> {
    let (name, command) = text.split_once('=').ok_or(BotOptionError::NoName)?;
    if name.is_empty() || name.chars().count() > 64 || name.chars().any(char::is_control) {
        return Err(BotOptionError::BadName);
    }
    if BOTS.iter().any(|bot| bot.name == name) {
        return Err(BotOptionError::BuiltIn { name: name.into() });
    }
    Foreign::new(command, Duration::ZERO).map_err(BotOptionError::Command)?;
    Ok(Named { name: name.into(), command: command.into() })
}

/// All bots by their names.
#[derive(Clone, Debug)]
pub(crate) struct Cast {
    foreign: Vec<Named>,
    budget: Budget,
    /// The time limit of programs.
    limit: Duration,
}

impl Cast {
    /// The built-in bots, with the usual budget.
    pub(crate) fn usual() -> Self {
        Self { foreign: Vec::new(), budget: Budget::USUAL, limit: Duration::ZERO }
    }

    pub(crate) fn new(foreign: Vec<Named>, budget: Budget, limit: Duration) -> Result<Self, BotOptionError> {
        for (at, bot) in foreign.iter().enumerate() {
            if foreign[..at].iter().any(|other| other.name == bot.name) {
                return Err(BotOptionError::Twice { name: bot.name.clone() });
            }
        }
        Ok(Self { foreign, budget, limit })
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        BOTS.iter().map(|bot| bot.name).chain(self.foreign.iter().map(|bot| &*bot.name))
    }

    /// Creates the bot of a name, with a seed.
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
        own.chain(self.foreign.iter().map(|bot| offer(&bot.name, "a program of the operator"))).collect()
    }

    fn play(&self, seat: Opponent, host: ServerAddress, thinkers: Arc<Semaphore>, logger: Logger) -> Playing {
        // The name of the game is a good seed, because it is the same after a restart.
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

    fn bots(&self, matches: &clap::ArgMatches) -> Result<Option<Box<dyn HostBots>>, Failure> {
        let arguments = Arguments::from_arg_matches(matches)?;
        Ok(Some(Box::new(arguments.cast()?)))
    }
}

/// Plays at a seat to the end of the game. After an error, a new bot takes over and gets all events from the beginning.
async fn keep_playing(
    cast: Cast,
    opponent: Opponent,
    seed: i64,
    address: ServerAddress,
    thinkers: Arc<Semaphore>,
    logger: Logger,
) -> Result<(), BotFailure> {
    let mut pause = Duration::from_millis(500);
    for tries in 1.. {
        let Some(bot) = cast.bot(&opponent.bot, seed) else { break };
        let Opponent { bot: name, game, token, .. } = opponent.clone();
        match seat::play(BotSeat { address: address.clone(), game, token, name }, bot, thinkers.clone()).await {
            Ok(Some(failure)) => {
                warn!(logger, "a bot gave up"; "why" => %failure);
                break;
            }
            Ok(None) => {
                info!(logger, "a bot has played");
                break;
            }
            Err(error) if tries == TRIES => return Err(error.into()),
            Err(error) => warn!(logger, "a bot failed"; "cause" => %error),
        }
        tokio::time::sleep(pause).await;
        pause = (2 * pause).min(LONGEST_PAUSE);
    }
    Ok(())
}

impl Arguments {
    pub(crate) fn cast(&self) -> Result<Cast, BotOptionError> {
        Cast::new(self.foreign.clone(), Budget::time(self.bot_time), self.bot_time)
    }
}
