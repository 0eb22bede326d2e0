//! The header of a script: the lines above its steps.

use std::fmt;

use crate::{
    call::LineError,
    client::{Client, RESERVED, is_client_name},
    game::{Games, ScriptedGame},
    token::header_value,
    transcript::{AUTO, ScenarioText},
};

#[derive(Default)]
pub(crate) struct Header {
    pub(crate) name: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) rulebook: Option<String>,
    pub(crate) edition: Option<String>,
    pub(crate) scenario: Option<ScenarioText>,
    pub(crate) seed: Option<i64>,
    pub(crate) timeout: Option<u32>,
    pub(crate) clients: Vec<Client>,
}

pub(crate) const KEYS: &[&str] =
    &["name", "tags", "edition", "scenario", "scenario text", "seed", "timeout", "players", RULEBOOK];

pub(crate) const RULEBOOK: &str = "rulebook";

/// The rulebook that the header of a script names. The meaning of all other lines depends on it.
pub(crate) fn rulebook_of(text: &str) -> Option<String> {
    let value = |line: &str| line.strip_prefix(RULEBOOK)?.strip_prefix(':').map(header_value);
    text.lines().find_map(value)?.ok()
}

/// Checks that a script of this game can name the edition.
///
/// # Errors
///
/// If it cannot. The error lists the editions.
pub fn check_edition(game: &dyn ScriptedGame, edition: &str) -> Result<(), UnknownEdition> {
    let editions = game.editions();
    if edition == AUTO || editions.contains(&edition) { Ok(()) } else { Err(UnknownEdition { editions }) }
}

/// An edition that the game does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEdition {
    /// The editions of the game, besides `auto`.
    pub editions: &'static [&'static str],
}

impl fmt::Display for UnknownEdition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.editions {
            [] => write!(f, "an edition is {AUTO}"),
            editions => write!(f, "an edition is {} or {AUTO}", editions.join(", ")),
        }
    }
}

impl std::error::Error for UnknownEdition {}

/// Whether a line begins with a key of the header.
pub(crate) fn is_header(text: &str) -> bool {
    text.split_once(':').is_some_and(|(key, _)| KEYS.contains(&key))
}

impl Header {
    /// Reads one line.
    pub(crate) fn read(&mut self, games: &Games, game: &dyn ScriptedGame, text: &str) -> Result<(), LineError> {
        let (key, rest) = text.split_once(':').unwrap_or((text, ""));
        let at = key.chars().count() + 1 + rest.chars().take_while(|c| c.is_whitespace()).count();
        let width = rest.trim().chars().count();
        let fault = |message: String, help: &str| LineError { at, width, message, help: help.into() };
        let value = header_value(rest).map_err(|error| fault(error.to_string(), ""))?;
        let twice = match key {
            "name" => self.name.replace(value).is_some(),
            "tags" => {
                let tags: Vec<String> = value.split(',').map(|tag| tag.trim().to_owned()).collect();
                if let Some(tag) = tags.iter().find(|tag| !is_client_name(tag)) {
                    return Err(fault(
                        format!("{tag:?} is not one word of letters and digits"),
                        "tags: moving, winter",
                    ));
                }
                !std::mem::replace(&mut self.tags, tags).is_empty()
            }
            RULEBOOK => {
                games.find(Some(&value)).map_err(|none| fault(none.to_string(), &none.help))?;
                self.rulebook.replace(value).is_some()
            }
            "edition" => {
                check_edition(game, &value).map_err(|error| fault(error.to_string(), ""))?;
                self.edition.replace(value).is_some()
            }
            "scenario" if !value.starts_with('{') => self.scenario.replace(ScenarioText::File(value)).is_some(),
            "scenario" | "scenario text" => self.scenario.replace(ScenarioText::Text(value)).is_some(),
            "seed" => {
                let seed =
                    value.parse().map_err(|_| fault(format!("{value} is not a seed"), "a whole number of 64 bits"))?;
                self.seed.replace(seed).is_some()
            }
            "timeout" => {
                let seconds = value.parse().ok().filter(|&seconds| seconds > 0);
                let seconds =
                    seconds.ok_or_else(|| fault(format!("{value} is not a timeout"), "a whole number of seconds"))?;
                self.timeout.replace(seconds).is_some()
            }
            _ => {
                let clients = read_players(&value).map_err(|error| fault(error.to_string(), "players: Ana, Bo"))?;
                !std::mem::replace(&mut self.clients, clients).is_empty()
            }
        };
        if twice { Err(fault(format!("{key} occurs twice"), "")) } else { Ok(()) }
    }
}

/// A mistake in the list of players.
enum PlayersError<'v> {
    NoNumber(&'v str),
    Reserved(&'v str),
    NotAWord(&'v str),
    Twice(&'v str),
}

impl fmt::Display for PlayersError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNumber(word) => write!(f, "{word} has no number of 32 bits"),
            Self::Reserved(name) => write!(f, "{name} means something else in a script"),
            Self::NotAWord(name) => write!(f, "{name:?} is not one word of letters and digits"),
            Self::Twice(word) => write!(f, "{word} occurs twice"),
        }
    }
}

/// Reads a list such as `Ana, Bo=7`. Numbers count up from 1, or from the last given number.
fn read_players(value: &str) -> Result<Vec<Client>, PlayersError<'_>> {
    let mut clients: Vec<Client> = Vec::new();
    let mut next = Some(1);
    for word in value.split(',').map(str::trim) {
        let (name, number) = match word.split_once('=') {
            Some((name, number)) => (name.trim(), number.trim().parse().ok()),
            None => (word, next),
        };
        let number = number.ok_or(PlayersError::NoNumber(word))?;
        if RESERVED.contains(&name) {
            return Err(PlayersError::Reserved(name));
        }
        if !is_client_name(name) {
            return Err(PlayersError::NotAWord(name));
        }
        if clients.iter().any(|client| client.name == name || client.number == number) {
            return Err(PlayersError::Twice(word));
        }
        next = u32::checked_add(number, 1);
        clients.push(Client { number, name: name.into() });
    }
    Ok(clients)
}
