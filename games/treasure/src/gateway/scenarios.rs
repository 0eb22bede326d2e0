//! The scenarios of the games that the gateway creates.

use std::time::Duration;

use treasure_rules::{Profile, Setup, SetupError, Year};

/// The profile of the games that a gateway creates. Games of the other year have the numbers of their protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServedProfile {
    chosen: Option<Chosen>,
    seed: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Chosen {
    year: Year,
    /// The profile in the JSON of a scenario.
    json: String,
    game_time: Option<Duration>,
    name: String,
}

impl ServedProfile {
    /// The profile with a name.
    ///
    /// # Errors
    ///
    /// No profile has this name.
    pub fn named(name: &str) -> Result<Self, SetupError> {
        Self::from_json(serde_json::Value::from(name).to_string())
    }

    /// A profile of numbers that change another one: the text of a JSON object.
    ///
    /// # Errors
    ///
    /// The text is not a profile.
    pub fn changed(text: &str) -> Result<Self, SetupError> {
        Self::from_json(text.trim().to_owned())
    }

    /// The profile of a scenario.
    ///
    /// # Errors
    ///
    /// The text is not a scenario.
    pub fn of_scenario(text: &str) -> Result<Self, SetupError> {
        Setup::new(text)?;
        let scenario: serde_json::Value =
            serde_json::from_str(text).map_err(|error| SetupError::NotJson { error: error.to_string() })?;
        match scenario.get("profile").filter(|profile| !profile.is_null()) {
            Some(profile) => Self::from_json(profile.to_string()),
            None => Ok(Self::default()),
        }
    }

    /// The same, with a seed for all new games.
    #[must_use]
    pub fn with_seed(self, seed: Option<i64>) -> Self {
        Self { seed, ..self }
    }

    fn from_json(json: String) -> Result<Self, SetupError> {
        let setup = match Setup::new(&scenario(Year::Y2022, false, false, Some(&json))) {
            Err(SetupError::ProfileOfYear { year }) => Setup::new(&scenario(year, false, false, Some(&json)))?,
            read => read?,
        };
        let profile: &Profile = setup.profile();
        let (name, game_time) = (profile.name.to_string(), profile.game_ms.map(Duration::from_millis));
        Ok(Self { chosen: Some(Chosen { year: setup.year, json, game_time, name }), seed: None })
    }

    /// The name of the profile for games of a year.
    pub fn name(&self, year: Year) -> &str {
        self.of(year).map_or(year.name(), |chosen| &chosen.name)
    }

    /// The scenario of a new game.
    pub(super) fn scenario(&self, year: Year, debug: bool, dummy: bool) -> String {
        scenario(year, debug, dummy, self.of(year).map(|chosen| &*chosen.json))
    }

    /// The seed of new games, if they all have the same.
    pub(super) fn seed(&self) -> Option<i64> {
        self.seed
    }

    /// How long a new game is served.
    pub(super) fn game_time(&self, year: Year) -> Option<Duration> {
        match self.of(year) {
            Some(chosen) => chosen.game_time,
            None => year.profile().game_ms.map(Duration::from_millis),
        }
    }

    fn of(&self, year: Year) -> Option<&Chosen> {
        self.chosen.as_ref().filter(|chosen| chosen.year == year)
    }
}

/// The text of a scenario. The text is as short as it was before there were profiles, if the game has none.
fn scenario(year: Year, debug: bool, dummy: bool, profile: Option<&str>) -> String {
    let options = match year {
        Year::Y2022 => format!(",\"debug\":{debug},\"dummy\":{dummy}"),
        Year::Y2017 => String::new(),
    };
    let profile = profile.map_or_else(String::new, |profile| format!(",\"profile\":{profile}"));
    format!("{{\"year\":{}{options}{profile}}}", year.number())
}
