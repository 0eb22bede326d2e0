//! The treasure game on a host. Clients play it over HTTP and XML on its own port, the
//! [`TreasureGateway`](crate::TreasureGateway). All other ports only let clients watch it.

use std::borrow::Cow;

use commlib::{Create, Raw};
use engine::Emission;
use server::{
    Adapter, AdapterError, Answering, InputOf, WebFile,
    log::{LogReader, Record, Table},
};
use treasure_rules::{Command, Event, Game, SCENARIOS, Setup};

use crate::{errors, records};

/// The pages and drawings.
const WEB: &[WebFile] = server::web_files!(
    "draw.css",
    "draw.js",
    "errors.js",
    "index.html",
    "lobby.js",
    "map.js",
    "pages.css",
    "poster.svg",
    "scene.js"
);

/// The treasure game, as a host and the program use it.
#[derive(Clone, Copy, Debug)]
pub struct Treasure;

impl Adapter for Treasure {
    type Rules = Game;

    const HANDLE: bool = true;
    const NAME_LENGTH: usize = 5;
    const TABLES: &'static [&'static Table] = records::TABLES;

    fn setup(create: &Create) -> Result<Setup, AdapterError> {
        let setup = Setup::new(&create.scenario)?;
        match &create.edition {
            Some(edition) if *edition != setup.year.name() => {
                Err(format!("The scenario is of {}, not of {edition:?}.", setup.year.name()).into())
            }
            Some(_) | None => Ok(setup),
        }
    }

    /// Only the game's own port gives players their ids.
    fn command(_: &Raw<'_>) -> Result<Command, AdapterError> {
        Err("the treasure game is played over HTTP and XML on its own port; here it can only be watched".into())
    }

    fn words<'a>(_: &'a Setup, event: &'a Event) -> Option<Cow<'a, str>> {
        if let Event::Finished { outcome } = event {
            return Some(outcome.to_string().into());
        }
        event.problem().map(|refusal| refusal.to_string().into())
    }

    fn scenario(setup: &Setup) -> Option<&str> {
        Some(&setup.text)
    }

    fn title(scenario: Option<&str>) -> String {
        let read = scenario.and_then(|text| Setup::new(text).ok());
        let named = |setup: &Setup| {
            let same = |text: &str| Setup::new(text).is_ok_and(|known| known.is_like(setup));
            SCENARIOS.iter().find(|(_, text)| same(text)).map(|(name, _)| *name)
        };
        read.as_ref().and_then(named).unwrap_or("custom").into()
    }

    fn about() -> &'static str {
        "Two programs in the fog. Find the gold, then the other’s fort."
    }

    fn scenarios() -> Vec<&'static str> {
        // The gateway creates games of 2017 when players register.
        SCENARIOS.iter().map(|(name, _)| *name).filter(|name| *name != "2017").collect()
    }

    fn web() -> &'static [WebFile] {
        WEB
    }

    fn records(game: &Game, input: &InputOf<Self>, said: &[Emission<Event>], at: i64) -> Vec<Record> {
        records::records_of(game, input, said, at)
    }

    fn query_log<'a>(log: &'a dyn LogReader, question: &'a str, about: &'a str) -> Option<Answering<'a>> {
        (question == "errors").then(|| Box::pin(errors::find_errors(log, about)) as Answering<'a>)
    }
}
