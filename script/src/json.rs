//! The JSON form of a transcript: one object.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    client::{Client, default_names},
    game::{Games, NoScripts, ScriptedGame},
    header::{UnknownEdition, check_edition},
    step::Step,
    transcript::{Ending, ScenarioText, Transcript, Unsayable},
};

impl Transcript {
    /// Reads the JSON form; also returns the game.
    ///
    /// # Errors
    ///
    /// If the text is not a transcript, or a script cannot express it.
    pub fn parse(text: &str, games: &Games) -> Result<(Self, &'static dyn ScriptedGame), TranscriptError> {
        let form: Form = serde_json::from_str(text)?;
        let game = games.find(form.rulebook.as_deref())?;
        check_edition(game, &form.edition)?;
        let transcript = Self::of_form(form, game).map_err(TranscriptError::Unsayable)?;
        transcript.sayable().map_err(TranscriptError::Unsayable)?;
        Ok((transcript, game))
    }

    /// Writes the JSON form on one line.
    pub fn json(&self, game: &dyn ScriptedGame) -> String {
        serde_json::to_string(&self.form(game)).expect("strings and numbers can be written")
    }
}

/// The JSON object.
#[derive(Serialize, Deserialize)]
struct Form {
    name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    /// Omitted for the first game of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rulebook: Option<String>,
    edition: String,
    seed: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timeout: Option<u32>,
    clients: Vec<u32>,
    /// Omitted if the clients have their default names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    players: Option<Vec<String>>,
    #[serde(flatten)]
    scenario: ScenarioText,
    steps: Vec<Step>,
    end: Ending,
}

impl Transcript {
    fn of_form(form: Form, game: &dyn ScriptedGame) -> Result<Self, Unsayable> {
        let Form { name, tags, rulebook, edition, seed, timeout, clients, players, scenario, steps, end } = form;
        let players = players.unwrap_or_else(|| default_names(game.naming(), &clients, &steps));
        if players.len() != clients.len() {
            return Err(Unsayable::Players { clients: clients.len(), players: players.len() });
        }
        let clients = clients.into_iter().zip(players).map(|(number, name)| Client { number, name }).collect();
        Ok(Self { name, tags, rulebook, edition, seed, timeout, clients, scenario, steps, end })
    }

    fn form(&self, game: &dyn ScriptedGame) -> Form {
        let Self { name, tags, rulebook, edition, seed, timeout, clients, scenario, steps, end } = self.clone();
        let (numbers, names): (Vec<u32>, Vec<String>) = clients.into_iter().map(|c| (c.number, c.name)).unzip();
        let players = (names != default_names(game.naming(), &numbers, &steps)).then_some(names);
        Form { name, tags, rulebook, edition, seed, timeout, clients: numbers, players, scenario, steps, end }
    }
}

/// Why a text is not a transcript.
#[derive(Debug)]
pub enum TranscriptError {
    /// The text does not have the JSON form.
    Form(serde_json::Error),
    /// This program has no scripts for the transcript's game.
    Game(NoScripts),
    /// The transcript's game has no such edition.
    Edition(UnknownEdition),
    /// A script cannot express the transcript.
    Unsayable(Unsayable),
}

impl From<serde_json::Error> for TranscriptError {
    fn from(error: serde_json::Error) -> Self {
        Self::Form(error)
    }
}

impl From<NoScripts> for TranscriptError {
    fn from(error: NoScripts) -> Self {
        Self::Game(error)
    }
}

impl From<UnknownEdition> for TranscriptError {
    fn from(error: UnknownEdition) -> Self {
        Self::Edition(error)
    }
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error: &dyn fmt::Display = match self {
            Self::Form(error) => error,
            Self::Game(error) => error,
            Self::Edition(error) => error,
            Self::Unsayable(error) => error,
        };
        write!(f, "not a transcript: {error}")
    }
}

impl std::error::Error for TranscriptError {}
