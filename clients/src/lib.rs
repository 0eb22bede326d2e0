//! Players that are programs.
//!
//! A bot is a pure function of what its seat may know and of a generator of its own. It does not know whether its game runs
//! in this process or behind a socket.

mod choices;
pub mod crazyhouse;
pub mod guest;
pub mod histogram;
pub mod line;
mod planner;
mod random;
pub mod remote;
mod sensible;
pub mod table;
pub mod terminal;

use colony::{Command, View};
use engine::JavaRandom;

pub use planner::planner;

/// Decides on a command. Called when the view's `asked` is not `Nothing`.
pub type Bot = fn(&View, &mut JavaRandom) -> Command;

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
        bot: random::decide,
    },
    Strategy {
        name: "sensible",
        about: "feeds, heals, barricades, answers the crisis, searches where it pays",
        bot: sensible::decide,
    },
    Strategy {
        name: "planner",
        about: "plays what it could do to the end in games that it imagines, and takes what went best",
        bot: planner::<ROLLOUTS>,
    },
];

/// How many games the strategy `planner` plays for a decision, about.
pub const ROLLOUTS: usize = 32;

/// The strategy of this name.
pub fn strategy(name: &str) -> Option<Strategy> {
    STRATEGIES.iter().copied().find(|strategy| strategy.name == name)
}

/// One of several, each with the same chance; `None` of none.
fn pick<T: Copy>(list: &[T], random: &mut JavaRandom) -> Option<T> {
    let count = i32::try_from(list.len()).ok().filter(|&count| count > 0)?;
    Some(list[random.next_below(count) as usize])
}
