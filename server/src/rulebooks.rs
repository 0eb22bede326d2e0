//! The registration table: the only place of this crate that names a rulebook.

use std::borrow::Cow;

use colony::{Command, EditionChoice, Event, Game, Setup};
use commlib::{Create, Raw};
use engine::Rulebook;

use crate::{
    host::{Playable, Rules},
    hosted::Hosted,
};

/// Every rulebook that a host offers; the first one is meant where a client names none.
pub const RULEBOOKS: &[&dyn Playable] = &[&Rules::<Game>::NEW];

impl Hosted for Game {
    fn setup(create: &Create) -> Result<Setup, String> {
        let EditionChoice(edition) = match &create.edition {
            Some(edition) => edition.parse().map_err(|error| format!("edition {edition:?}: {error}"))?,
            None => EditionChoice::default(),
        };
        let text = resources::scenario(&create.scenario).unwrap_or(&create.scenario);
        let problems = resources::check(text);
        if !problems.is_empty() {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            return Err(problems.join("\n"));
        }
        Setup::new(text, edition, create.timeout).map_err(|error| error.to_string())
    }

    /// In JSON also positional, `["Move", 7, 20]`. A wrong number of arguments is a command that the game refuses.
    fn command(raw: &Raw) -> Result<Command, String> {
        let Some(json) = raw.json() else {
            return raw.decode().map_err(|error| error.to_string());
        };
        let value: serde_json::Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let (name, arguments) = match value {
            serde_json::Value::Array(mut list) if list.first().is_some_and(serde_json::Value::is_string) => {
                let arguments = list.split_off(1);
                (list.remove(0), arguments)
            }
            named => return script::named_command(&named).map_err(|error| error.to_string()),
        };
        script::command(name.as_str().unwrap_or_default(), &arguments).map_err(|error| error.to_string())
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

    fn players(&self) -> Vec<String> {
        self.board().players.iter().map(|player| player.name.to_string()).collect()
    }
}
