//! Colony on a host.

use std::borrow::Cow;

use colony::{Command, EditionChoice, Event, Game, Setup};
use commlib::{Create, Raw};
use script::{Recording, ScenarioText};
use serde_json::Value;

use super::check_name;
use crate::hosted::Hosted;

impl Hosted for Game {
    fn setup(create: &Create) -> Result<Setup, String> {
        let EditionChoice(edition) = match &create.edition {
            Some(edition) => edition.parse().map_err(|error| format!("edition {edition:?}: {error}"))?,
            None => EditionChoice::default(),
        };
        // What is built in was checked when it was built.
        let built_in = resources::scenario(&create.scenario);
        let text = built_in.unwrap_or(&create.scenario);
        // A text of JSON begins with a brace, and a name does not.
        if built_in.is_none() && !text.trim_start().starts_with('{') {
            let name: String = text.chars().take(40).collect();
            let known: Vec<&str> = resources::scenario_names().collect();
            return Err(format!(
                "There is no scenario {name:?}; there are {}, or send the whole text.",
                known.join(", ")
            ));
        }
        let problems = if built_in.is_some() { Vec::new() } else { resources::check(text) };
        if !problems.is_empty() {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            return Err(problems.join("\n"));
        }
        Setup::new(text, edition, create.timeout).map_err(|error| error.to_string())
    }

    fn command(raw: &Raw<'_>) -> Result<Command, String> {
        let command = read(raw)?;
        if let Command::Register { name } = &command {
            check_name(name)?;
        }
        Ok(command)
    }

    fn words<'a>(setup: &'a Setup, event: &'a Event) -> Option<Cow<'a, str>> {
        if let Event::CommandFailed { refusal } = event {
            return Some(refusal.to_string().into());
        }
        (*event == Event::Config {}).then(|| (&*setup.text).into())
    }

    fn scenario(setup: &Setup) -> Option<&str> {
        Some(&setup.text)
    }

    fn title(scenario: Option<&str>) -> String {
        scenario.and_then(resources::name_of).unwrap_or("custom").into()
    }

    fn script(header: &[u8], entries: &mut dyn Iterator<Item = &[u8]>) -> Option<Result<String, String>> {
        Some(Recording::of_log(header, entries).map(|recording| {
            let text = &recording.setup.text;
            recording.print(1, ScenarioText::of(text, resources::name_of(text)))
        }))
    }

    fn scenarios() -> Vec<&'static str> {
        resources::scenario_names().collect()
    }
}

/// In JSON also positional, `["Move", 7, 20]`. A wrong number of arguments is a command that the game refuses.
fn read(raw: &Raw<'_>) -> Result<Command, String> {
    let Some(json) = raw.json() else {
        return raw.decode().map_err(|refused| refused.message);
    };
    let value: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
    script::json_command(&value)
}
