//! Games that bots play on a host, and a demo.

use std::time::Duration;

use colony::{
    remote::{Plan, Player, RemoteError, Tally, keep_playing},
    strategy,
};
use colony_rules::Setup;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::{driver::Browser, site::Site};

pub(super) const PLAYERS: [(&str, &str); 3] = [("Ana", "sensible"), ("Bo", "sensible"), ("Cyd", "random")];

/// A host with one finished game, and a browser that shows it from its start.
pub(super) fn finished() -> Option<(Browser, Site, String)> {
    let browser = Browser::start()?;
    let site = Site::host();
    let game = site.play(&PLAYERS, 7);
    browser.open(&site.url(&format!("/games/{game}")));
    browser.shows(0);
    Some((browser, site, game))
}

impl Site {
    /// Bots that play so many games at a time; the game that is over at once is over.
    pub(super) fn demo(games: usize, pace: u32, seed: i64) -> Self {
        let words = [("--games", games.to_string()), ("--pace", pace.to_string()), ("--seed", seed.to_string())];
        let words = words.iter().flat_map(|(option, value)| [*option, value.as_str()]);
        let demo = Self::start(
            &["demo"].into_iter().chain(words).collect::<Vec<_>>(),
            "Open http://",
            "/ in a browser",
            |_| (),
        );
        demo.games("finished", 1);
        demo.games("running", games);
        demo
    }

    /// Plays a game of winter to its end, and gives its name.
    pub(super) fn play(&self, players: &[(&str, &str)], seed: i64) -> String {
        self.try_to_play(players, seed).unwrap_or_else(|error| panic!("{error}"));
        let game = self.games("finished", 1).swap_remove(0);
        let told = self.lines(&format!("/api/v1/games/{game}")).swap_remove(0);
        let names: Vec<&str> = players.iter().map(|(name, _)| *name).collect();
        assert_eq!(told["game"]["players"], json!(names), "all of them play");
        game
    }

    /// Players by name and strategy.
    pub(super) fn try_to_play(&self, players: &[(&str, &str)], seed: i64) -> Result<(), RemoteError> {
        let player = |&(name, bot): &(&str, &str)| Player {
            name: name.to_owned(),
            bot: strategy(bot).expect("a strategy of this name").bot,
        };
        let scenario = colony::scenario("winter").expect("it is built in");
        let plan = Plan {
            address: self.port(),
            scenario: "winter".into(),
            setup: Setup::new(scenario, None, None).expect("it is sound"),
            pace: Duration::ZERO,
            pause: Duration::ZERO,
        };
        let players: Vec<Player> = players.iter().map(player).collect();
        let (doors, tally) = (Semaphore::new(1), Tally::default());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(keep_playing(&plan, [seed].into_iter(), |_| players.clone(), &doors, &tally))
    }
}
