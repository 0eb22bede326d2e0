//! Commands for every rulebook of the common wire: they know a game only by its offers.

pub mod arena;
pub mod bot;
mod bot_player;
mod host_bots;
pub mod load;
mod offer_costs;
pub mod play;
mod practice;
pub mod simulate;

use std::{error::Error, fmt};

pub use host_bots::RandomBots;
pub use offer_costs::OfferCosts;

use commlib::{Admission, Create, Refused, Want};
use server::HostedGame;

use crate::{Game, Program};

/// The option that chooses the rulebook. The default is the first game of the program.
#[derive(Clone, Debug, clap::Args)]
pub struct RulebookArg {
    /// The rulebook. Each rulebook may have options of its own: `--rulebook NAME --help`. [default: the first one]
    #[arg(long, value_name = "NAME")]
    rulebook: Option<String>,
}

/// No game of the program has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRulebook {
    name: String,
    known: Vec<&'static str>,
}

impl fmt::Display for UnknownRulebook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no rulebook {:?}; there are {}", self.name, self.known.join(", "))
    }
}

impl Error for UnknownRulebook {}

/// The rulebook offers nothing, so a player that knows only offers cannot play it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoOffers {
    rulebook: &'static str,
}

impl fmt::Display for NoOffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rulebook } = self;
        write!(
            f,
            "{rulebook} has no offers, so random players cannot play it; `holdfast {rulebook} --help` may have its own"
        )
    }
}

impl Error for NoOffers {}

impl RulebookArg {
    /// The chosen game.
    fn game(&self, program: &Program) -> Result<&'static dyn HostedGame, UnknownRulebook> {
        self.in_program(program).map(Game::hosted)
    }

    /// The chosen game with its commands and bots.
    fn in_program(&self, program: &Program) -> Result<&'static dyn Game, UnknownRulebook> {
        let mut games = program.games.iter().copied();
        let found = match &self.rulebook {
            Some(name) => games.find(|game| game.hosted().name() == name),
            None => games.next(),
        };
        found.ok_or_else(|| UnknownRulebook {
            name: self.rulebook.clone().unwrap_or_default(),
            known: program.games.iter().map(|game| game.hosted().name()).collect(),
        })
    }
}

/// Who may come into a new game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Who {
    /// Everyone, and the game is in lists
    #[default]
    Open,
    /// Everyone who knows its name
    Unlisted,
    /// Everyone who has an invitation, also to watch
    Invited,
}

impl Who {
    /// The wish for a new game that they may enter.
    fn want(self, create: Create) -> Want {
        match self {
            // Hosts of earlier versions know this one.
            Self::Open => Want::Create(create),
            Self::Unlisted => Want::Private { create, admission: Admission::Unlisted },
            Self::Invited => Want::Private { create, admission: Admission::Invited },
        }
    }
}

/// The game to create: of this scenario, or of the first one of the rulebook.
pub fn create(game: &dyn HostedGame, scenario: Option<&str>, seed: Option<i64>) -> Create {
    let usual = || game.scenarios().first().map_or("standard", |name| name).into();
    Create {
        rulebook: Some(game.name().into()),
        scenario: scenario.map_or_else(usual, Into::into),
        edition: None,
        seed,
        timeout: None,
    }
}

/// More clients than this never look for a seat.
const MOST_CLIENTS: u32 = 16;

/// How many players a game has room for, up to [`MOST_CLIENTS`]: as many as found a seat in a few random games.
fn most_players(game: &dyn HostedGame, create: &Create) -> Result<usize, Refused> {
    const TRIES: i64 = 4;
    const MOST_COMMANDS: u64 = 100_000;
    let mut most = 1;
    for seed in 0..TRIES {
        let mut trial = game.local(create, seed, MOST_CLIENTS, &[])?;
        while trial.counts().0 < MOST_COMMANDS && trial.step() {}
        most = most.max(trial.results().len());
    }
    Ok(most)
}
