//! The treasure game on a host. It is played over HTTP and XML at its own port, which is [`TreasureGateway`]; everywhere else
//! it can be looked at.

mod errors;
mod gateway;
mod records;
mod status;
mod tables;
mod y2017;
mod y2022;

use std::borrow::Cow;

use commlib::{Create, Raw, Refused};
use engine::Emission;
use serde_json::Value;
use treasure::{Command, Event, Game, SCENARIOS, Setup};

pub use gateway::{DUMMY_ACCOUNT, Dummy, TreasureGateway, TreasureOptions};
pub(super) use records::TABLES;

use crate::{
    hosted::{Hosted, InputOf},
    log::{EventLog, Record},
};

impl Hosted for Game {
    const DESK: bool = true;
    const NAME_LENGTH: usize = 5;

    fn setup(create: &Create) -> Result<Setup, String> {
        let setup = Setup::new(&create.scenario).map_err(|error| error.to_string())?;
        match &create.edition {
            Some(edition) if *edition != setup.year.name() => {
                Err(format!("The scenario is of {}, not of {edition:?}.", setup.year.name()))
            }
            Some(_) | None => Ok(setup),
        }
    }

    /// Who plays has an id that only the game's own port gives.
    fn command(_: &Raw<'_>) -> Result<Command, String> {
        Err("the treasure game is played over HTTP and XML at its own port; here it can be watched".into())
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
            let same =
                |text: &str| Setup::new(text).is_ok_and(|known| Setup { text: setup.text.clone(), ..known } == *setup);
            SCENARIOS.iter().find(|(_, text)| same(text)).map(|(name, _)| *name)
        };
        read.as_ref().and_then(named).unwrap_or("custom").into()
    }

    fn scenarios() -> Vec<&'static str> {
        // Games of 2017 are made when two players have come.
        SCENARIOS.iter().map(|(name, _)| *name).filter(|name| *name != "2017").collect()
    }

    fn records(&self, input: &InputOf<Self>, said: &[Emission<Event>], at: i64) -> Vec<Record> {
        records::of(self, input, said, at)
    }

    fn recall(log: &dyn EventLog, question: &str, about: &str) -> Option<Result<Value, Refused>> {
        (question == "errors").then(|| errors::of(log, about))
    }
}
