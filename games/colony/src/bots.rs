//! Players of colony that are programs.
//!
//! A bot is a pure function of what its seat may know and of a generator of its own, unless it has a limit of time. It does not
//! know whether its game runs in this process or behind a socket.

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
    Function(fn(&View, &mut JavaRandom) -> Command),
    /// The planner, with about so many games for a command.
    Planner(usize),
    /// The planner, with so much time for a command.
    Timed(Duration),
}

impl Bot {
    /// Called when the view's `asked` is not `Nothing`.
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

    /// The same with so much time for a command; `None`: more time would not change what it does.
    pub fn timed(self, limit: Duration) -> Option<Self> {
        match self {
            Self::Function(_) => None,
            Self::Planner(_) | Self::Timed(_) => Some(Self::Timed(limit)),
        }
    }
}

/// A way to play that people can name.
#[derive(Clone, Copy, Debug)]
pub struct Strategy {
    pub name: &'static str,
    pub about: &'static str,
    pub bot: Bot,
}

pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "random",
        about: "tries whatever looks like a legal command; some are refused",
        bot: Bot::Function(random::decide),
    },
    Strategy {
        name: "sensible",
        about: "feeds, heals, barricades, answers the crisis, searches where it pays",
        bot: Bot::Function(sensible::decide),
    },
    Strategy {
        name: "planner",
        about: "plays what it could do to the end in games that it imagines, and takes what went best",
        bot: Bot::Planner(ROLLOUTS),
    },
];

/// How many games the strategy `planner` plays for a decision, about, if it has no limit of time.
pub const ROLLOUTS: usize = 32;

/// The strategy of this name.
pub fn strategy(name: &str) -> Option<Strategy> {
    STRATEGIES.iter().copied().find(|strategy| strategy.name == name)
}
