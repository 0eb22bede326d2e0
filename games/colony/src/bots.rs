//! Bots for colony.
//!
//! A bot is a pure function of its view and its own generator, unless it has a time limit. It does not matter to the bot
//! whether its game runs in this process or on a server.

mod choices;
mod planner;
mod random;
mod sensible;

use std::time::{Duration, Instant};

use colony_rules::{Command, View};
use engine::JavaRandom;

pub use planner::{Budget, planner};

/// Decides on commands.
#[derive(Clone, Copy, Debug)]
pub enum Bot {
    /// A strategy that is a plain function.
    Function(fn(&View, &mut JavaRandom) -> Command),
    /// The planner, with about this many simulated games for each command.
    Planner(usize),
    /// The planner, with this much time for each command.
    Timed(Duration),
}

impl Bot {
    /// Decides on a command. The view's `asked` must not be `Nothing`.
    pub fn decide(self, view: &View, random: &mut JavaRandom) -> Command {
        match self {
            Self::Function(decide) => decide(view, random),
            Self::Planner(rollouts) => planner(view, random, Budget::Rollouts(rollouts)),
            Self::Timed(limit) => {
                let since = Instant::now();
                planner(view, random, Budget::Time(limit, &mut || since.elapsed()))
            }
        }
    }

    /// The same bot with this much time for a command; `None` if the bot does not use a clock.
    pub fn timed(self, limit: Duration) -> Option<Self> {
        match self {
            Self::Function(_) => None,
            Self::Planner(_) | Self::Timed(_) => Some(Self::Timed(limit)),
        }
    }
}

/// A bot with a name.
#[derive(Clone, Copy, Debug)]
pub struct Strategy {
    /// The name on the command line.
    pub name: &'static str,
    /// A short description of how the bot plays.
    pub about: &'static str,
    /// The bot itself.
    pub bot: Bot,
}

/// All strategies.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "random",
        about: "tries any command that looks legal; some are refused",
        bot: Bot::Function(random::decide),
    },
    Strategy {
        name: "sensible",
        about: "feeds, heals, barricades, answers the crisis, searches where it pays",
        bot: Bot::Function(sensible::decide),
    },
    Strategy {
        name: "planner",
        about: "looks ahead: plays out each choice in games with guessed hidden cards, and takes the best",
        bot: Bot::Planner(ROLLOUTS),
    },
];

/// About how many games the strategy `planner` simulates for a decision without a time limit.
pub const ROLLOUTS: usize = 32;

/// The strategy with this name.
pub fn strategy(name: &str) -> Option<Strategy> {
    STRATEGIES.iter().copied().find(|strategy| strategy.name == name)
}
