//! Bots that a host offers as opponents. The host does not run them: it reserves a seat in a game, and a callback starts a
//! client that connects like any other.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use commlib::{Reason, Refused, Token};
use serde_json::{Value, json};

/// The bots that a host offers.
#[derive(Default)]
pub struct Opponents {
    offered: Vec<Offered>,
    /// The maximum number of seats for bots at a time, and the number in use.
    most: usize,
    taken: AtomicUsize,
    start: Option<Box<dyn Fn(Opponent) + Send + Sync>>,
}

/// A bot that the host offers.
#[derive(Clone, Debug)]
pub struct Offered {
    /// The rulebook that it plays.
    pub rulebook: &'static str,
    /// The name of the bot.
    pub name: String,
    /// A description for people.
    pub about: String,
}

/// A seat that is reserved for a bot.
#[derive(Clone, Debug)]
pub struct Opponent {
    /// The rulebook of the game.
    pub rulebook: &'static str,
    /// The name of the bot.
    pub bot: String,
    /// The name that it plays under.
    pub player: String,
    /// The name of the game.
    pub game: String,
    /// The token of the seat. It is valid as long as this process runs; a restarted host starts its bots again.
    pub token: Token,
}

impl Opponents {
    /// Offers bots for at most `most` seats at a time, because each bot uses processor time and memory. The host calls `start`
    /// for each seat that needs a bot; `start` must not block.
    pub fn new(offered: Vec<Offered>, most: usize, start: impl Fn(Opponent) + Send + Sync + 'static) -> Self {
        Self { offered, most, taken: AtomicUsize::new(0), start: Some(Box::new(start)) }
    }

    /// Takes seats in a running game until the result is dropped.
    pub(crate) fn take(self: &Arc<Self>, seats: usize) -> Taken {
        self.taken.fetch_add(seats, Ordering::Relaxed);
        Taken { opponents: self.clone(), seats }
    }

    pub(crate) fn start(&self, opponent: Opponent) {
        if let Some(start) = &self.start {
            start(opponent);
        }
    }

    /// Checks that the host offers all these bots and has seats left.
    pub(crate) fn check<'n>(
        &self,
        rulebook: &str,
        names: impl ExactSizeIterator<Item = &'n str>,
    ) -> Result<(), Refused> {
        let wanted = names.len();
        let offered = || self.offered.iter().filter(|offered| offered.rulebook == rulebook);
        for name in names {
            if !offered().any(|offered| offered.name == name) {
                let known: Vec<&str> = offered().map(|offered| &*offered.name).collect();
                let known = if known.is_empty() { "there are none here".into() } else { known.join(", ") };
                return Err(Refused::new(Reason::BadScenario, format!("There is no bot {name:?}; {known}.")));
            }
        }
        if wanted > 0 && self.taken.load(Ordering::Relaxed) + wanted > self.most {
            let message = format!("The bots play {} seats already; try again later.", self.most);
            return Err(Refused::new(Reason::TooMany, message));
        }
        Ok(())
    }

    /// The offered bots as JSON, for pages.
    pub(crate) fn list(&self) -> Value {
        let one =
            |offered: &Offered| json!({"rulebook": offered.rulebook, "name": offered.name, "about": offered.about});
        self.offered.iter().map(one).collect()
    }
}

/// The seats of bots in one game.
#[derive(Debug)]
pub(crate) struct Taken {
    opponents: Arc<Opponents>,
    seats: usize,
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.opponents.taken.fetch_sub(self.seats, Ordering::Relaxed);
    }
}

impl fmt::Debug for Opponents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opponents").field("offered", &self.offered).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_have_so_many_seats() {
        let offered = Offered { rulebook: "counter", name: "tim".into(), about: String::new() };
        let opponents = Arc::new(Opponents::new(vec![offered], 3, |_| {}));
        let check = |names: &[&'static str]| opponents.check("counter", names.iter().copied());
        assert!(check(&["tim", "tim"]).is_ok());
        let one_game = opponents.take(2);
        assert_eq!(check(&["tim", "tim"]).expect_err("there is one seat").reason, Reason::TooMany);
        assert!(check(&["tim"]).is_ok());
        assert!(check(&[]).is_ok(), "a game without bots takes none of them");
        drop(one_game);
        assert!(check(&["tim", "tim"]).is_ok(), "the game is over");
        let none = Opponents::default().check("counter", ["tim"].into_iter()).expect_err("there are no bots");
        assert_eq!(none.message, "There is no bot \"tim\"; there are none here.");
        assert_eq!(check(&["tom"]).expect_err("it is unknown").message, "There is no bot \"tom\"; tim.");
    }
}
