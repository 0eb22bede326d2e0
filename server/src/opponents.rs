//! Bots that play for the host. The host does not know how: it makes a place in a game for one, and somebody else starts a
//! client that comes to it like any other.

use std::fmt;

use commlib::{Reason, Refused, Token};
use serde_json::{Value, json};

/// The bots that a host offers.
#[derive(Default)]
pub struct Opponents {
    offered: Vec<Offered>,
    start: Option<Box<dyn Fn(Opponent) + Send + Sync>>,
}

/// A bot on offer.
#[derive(Clone, Debug)]
pub struct Offered {
    pub rulebook: &'static str,
    pub name: String,
    /// What it is, for people.
    pub about: String,
}

/// A place that waits for a bot.
#[derive(Clone, Debug)]
pub struct Opponent {
    pub bot: String,
    pub game: String,
    /// Opens the place as long as this process lives: whoever starts again starts its bots again.
    pub token: Token,
}

impl Opponents {
    /// `start` is called whenever a place waits for a bot, and must not wait itself.
    pub fn new(offered: Vec<Offered>, start: impl Fn(Opponent) + Send + Sync + 'static) -> Self {
        Self { offered, start: Some(Box::new(start)) }
    }

    pub(crate) fn start(&self, opponent: Opponent) {
        if let Some(start) = &self.start {
            start(opponent);
        }
    }

    /// Whether all these bots are on offer.
    pub(crate) fn check<'n>(&self, rulebook: &str, names: impl Iterator<Item = &'n str>) -> Result<(), Refused> {
        let offered = || self.offered.iter().filter(|offered| offered.rulebook == rulebook);
        for name in names {
            if !offered().any(|offered| offered.name == name) {
                let known: Vec<&str> = offered().map(|offered| &*offered.name).collect();
                let known = if known.is_empty() { "there are none here".into() } else { known.join(", ") };
                return Err(Refused::new(Reason::BadScenario, format!("There is no bot {name:?}; {known}.")));
            }
        }
        Ok(())
    }

    /// For pages.
    pub(crate) fn list(&self) -> Value {
        let one =
            |offered: &Offered| json!({"rulebook": offered.rulebook, "name": offered.name, "about": offered.about});
        self.offered.iter().map(one).collect()
    }
}

impl fmt::Debug for Opponents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opponents").field("offered", &self.offered).finish_non_exhaustive()
    }
}
