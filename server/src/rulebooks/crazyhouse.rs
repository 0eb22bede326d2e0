//! Crazyhouse on a host.

use std::borrow::Cow;

use commlib::{Create, Raw};
use crazyhouse::{Command, Event, Game, Position, SCENARIOS, Setup, Side};
use engine::{CommId, Rulebook, from_json};
use serde_json::{Value, json};

use super::check_name;
use crate::hosted::Hosted;

/// More than any move has; the rules say what is wrong with shorter ones.
const LONGEST_MOVE: usize = 64;
/// More than the rules take, in bytes.
const LONGEST_REASON: usize = 1000;

impl Hosted for Game {
    fn setup(create: &Create) -> Result<Setup, String> {
        if let Some(edition) = create.edition.as_ref().filter(|edition| *edition != "standard") {
            return Err(format!("There is no edition {edition:?}; there is one, standard."));
        }
        Setup::new(&create.scenario, create.timeout).map_err(|error| error.to_string())
    }

    fn command(raw: &Raw<'_>) -> Result<Command, String> {
        let command = read(raw)?;
        match &command {
            Command::Join { name, .. } => check_name(name)?,
            // What cannot be a move or a reason is not worth a place in the log.
            Command::Move { text } if text.len() > LONGEST_MOVE => {
                return Err(format!("a move has at most {LONGEST_MOVE} bytes, like b3-c4 or P-e6"));
            }
            Command::Resign { because: Some(because) } if because.len() > LONGEST_REASON => {
                return Err(format!("a reason has at most {LONGEST_REASON} bytes"));
            }
            Command::Move { .. }
            | Command::OfferDraw {}
            | Command::AcceptDraw {}
            | Command::DeclineDraw {}
            | Command::Resign { .. } => {}
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
            rulebook: Some(Self::NAME.into()),
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
    from_json(&value)
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
