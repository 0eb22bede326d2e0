//! Wishes for the test harness.

use crate::{STRATEGIES, strategy};
use script::{GameError, Progress, RecordedGame, ScriptAdapter, Searched, SeedSearch, Wanted, WishError, Wishes};

use super::{Colony, Games, Recording, Search, Wish, minimise};

/// Colony's wishes.
pub(super) struct ColonyWishes;

impl Wishes for ColonyWishes {
    fn bots(&self) -> Vec<&'static str> {
        STRATEGIES.iter().map(|strategy| strategy.name).collect()
    }

    fn usual_bot(&self) -> &'static str {
        "sensible"
    }

    fn search(&self, games: &Searched<'_>, bot: &str, wish: &str) -> Result<Box<dyn SeedSearch>, WishError> {
        let games = games_of(games, bot).map_err(WishError::Game)?;
        let wish = Wish::read(wish, &games.setup.scenario, &games.players).map_err(WishError::Unreadable)?;
        Ok(Box::new(Search::new(games, &wish)))
    }

    fn shorten(
        &self,
        game: &dyn RecordedGame,
        wish: &str,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Box<dyn RecordedGame>>, WishError> {
        let recording = game.as_any().downcast_ref::<Recording>();
        let recording = recording.ok_or_else(|| WishError::Game("this is no game of colony".into()))?;
        let wish = Wish::read(wish, &recording.setup.scenario, &recording.players());
        let short = minimise(recording, &wish.map_err(WishError::Unreadable)?, progress);
        Ok(short.map(|short| Box::new(short) as Box<dyn RecordedGame>))
    }
}

fn games_of(games: &Searched<'_>, bot: &str) -> Result<Games, GameError> {
    let bot = strategy(bot).ok_or_else(|| format!("there is no bot {bot}"))?.bot;
    match games {
        Searched::Plain { scenario, edition, players } => {
            let setup = Colony::setup(&Wanted { scenario, edition: *edition, timeout_ms: None })?;
            Ok(Games::plain(&setup, *players, bot)?)
        }
        Searched::Script { transcript, scenario } => {
            let setup = Colony::setup(&transcript.wanted(scenario))?;
            Ok(Games::beginning_with(transcript, &setup, bot)?)
        }
    }
}
