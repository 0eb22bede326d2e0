//! Crazyhouse on a host.

use std::borrow::Cow;

use commlib::{Create, Raw};
use crazyhouse::{Command, Event, Game, Position, SCENARIOS, Setup, Side};
use engine::{CommId, from_arguments};
use serde_json::{Value, json};

use super::check_name;
use crate::hosted::Hosted;

impl Hosted for Game {
    fn setup(create: &Create) -> Result<Setup, String> {
        if let Some(edition) = create.edition.as_ref().filter(|edition| *edition != "standard") {
            return Err(format!("There is no edition {edition:?}; there is one, standard."));
        }
        Setup::new(&create.scenario, create.timeout).map_err(|error| error.to_string())
    }

    fn command(raw: &Raw<'_>) -> Result<Command, String> {
        let command = read(raw)?;
        if let Command::Join { name, .. } = &command {
            check_name(name)?;
        }
        Ok(command)
    }

    fn words<'a>(_: &'a Setup, event: &'a Event) -> Option<Cow<'a, str>> {
        match event {
            Event::Refused { refusal } => Some(refusal.to_string().into()),
            Event::Finished { outcome, .. } => Some(outcome.to_string().into()),
            Event::Seated { .. }
            | Event::Joined { .. }
            | Event::Began { .. }
            | Event::Moved { .. }
            | Event::DrawOffered { .. }
            | Event::DrawDeclined { .. } => None,
        }
    }

    fn scenario(setup: &Setup) -> Option<&str> {
        Some(&setup.text)
    }

    fn title(scenario: Option<&str>) -> String {
        let known = SCENARIOS.iter().find(|(_, text)| Some(*text) == scenario);
        known.map_or("custom", |(name, _)| name).into()
    }

    fn scenarios() -> Vec<&'static str> {
        SCENARIOS.iter().map(|(name, _)| *name).collect()
    }

    fn bots(setup: &Setup) -> Vec<(CommId, &str)> {
        Side::BOTH.iter().filter_map(|side| setup.bot(*side)).map(|(client, name)| (client, &**name)).collect()
    }

    fn rematch(&self, client: CommId) -> Option<Create> {
        self.side_of(client)?;
        let setup = self.public().setup();
        Some(Create {
            rulebook: Some("crazyhouse".into()),
            scenario: setup.with_sides_changed(),
            edition: None,
            seed: None,
            timeout: Some(setup.timeout),
        })
    }

    fn explain(question: &str, about: &str) -> Option<Result<Value, String>> {
        (question == "position").then(|| position(about))
    }
}

fn read(raw: &Raw<'_>) -> Result<Command, String> {
    let Some(json) = raw.json() else {
        return raw.decode().map_err(|refused| refused.message);
    };
    let value: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
    match &value {
        Value::Array(list) => match list.split_first() {
            Some((Value::String(name), arguments)) => {
                from_arguments(name, arguments).map_err(|error| format!("{name}: {error}"))
            }
            Some(_) | None => Err("a command is {\"Name\": {..}} or [\"Name\", arguments ..]".into()),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            serde_json::from_value(value).map_err(|error| error.to_string())
        }
    }
}

/// What a page draws of a position text, with or without whose move it is.
fn position(text: &str) -> Result<Value, String> {
    let side = text.contains(' ');
    let position: Position = match side {
        true => text.parse(),
        false => Position::read_board(text, Side::White),
    }
    .map_err(|error| error.to_string())?;
    let moves = position.moves_text();
    let check = Side::BOTH.iter().find(|side| position.in_check(**side));
    Ok(json!({
        "board": position.board(),
        "next": side.then(|| position.turn()),
        "check": check,
        "mate": side && position.is_mate(),
        "moves": if side { moves.split_whitespace().collect() } else { Vec::new() },
    }))
}
