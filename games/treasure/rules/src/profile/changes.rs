//! Profiles of a course: a named profile with other numbers.

use alloc::{borrow::Cow, string::String};
use core::{fmt, ops::RangeInclusive};

use serde::Deserialize;

use super::Profile;

/// The numbers that differ from those of another profile.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Changes {
    name: Option<String>,
    base: Option<String>,
    least_grass: Option<u8>,
    least_mountain: Option<u8>,
    least_water: Option<u8>,
    most_water_across: Option<u8>,
    most_water_down: Option<u8>,
    least_water_across: Option<u8>,
    least_water_down: Option<u8>,
    most_forts: Option<u8>,
    least_crossable_percent: Option<u8>,
    action_limit: Option<u32>,
    disguised: Option<u32>,
    think_ms: Option<u64>,
    game_ms: Option<u64>,
    lobby_ms: Option<u64>,
}

/// The reasons why numbers are not a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the line of a variant explains its fields")]
pub enum ProfileError {
    /// No profile has this name.
    UnknownName { name: String },
    /// A profile of one's own needs a name that no other has, of 1 to 20 letters, digits, `-` and `_`.
    WrongName { name: String },
    /// A number is outside of its limits.
    OutOfRange { what: &'static str, found: u64, least: u64, most: u64 },
    /// The protocol of the year has no such rule.
    NotInYear { what: &'static str },
    /// No half was found that keeps the rules.
    NoHalf,
}

/// The limits of the times, in milliseconds.
const TIMES_MS: RangeInclusive<u64> = 100..=86_400_000;

impl Changes {
    /// The profile with these numbers. `usual` is the profile that they change if they do not name one.
    pub(crate) fn apply(self, usual: &Profile) -> Result<Profile, ProfileError> {
        let base = match self.base {
            Some(name) => Profile::named(&name).ok_or_else(|| ProfileError::unknown(&name))?,
            None => usual,
        };
        let fields = base.size() as u64;
        let (across, down) = (u64::from(base.width), u64::from(base.height));
        let small = |what, found: Option<u8>, usual: u8, most: u64| {
            within(what, found.map(u64::from), 0..=most).map(|found| found.map_or(usual, |found| found as u8))
        };
        let time =
            |what, found: Option<u64>, usual: Option<u64>| within(what, found, TIMES_MS).map(|found| found.or(usual));
        let count = |what, found: Option<u32>, usual: u32, least: u64| {
            within(what, found.map(u64::from), least..=10_000).map(|found| found.map_or(usual, |found| found as u32))
        };
        let most_water_down = within("most_water_down", self.most_water_down.map(u64::from), 0..=down)?;
        let profile = Profile {
            name: Cow::Owned(own_name(self.name)?),
            year: base.year,
            least_grass: small("least_grass", self.least_grass, base.least_grass, fields)?.max(2),
            least_mountain: small("least_mountain", self.least_mountain, base.least_mountain, fields)?,
            least_water: small("least_water", self.least_water, base.least_water, fields)?,
            most_water_across: small("most_water_across", self.most_water_across, base.most_water_across, across)?,
            most_water_down: most_water_down.map(|most| most as u8).or(base.most_water_down),
            least_water_across: small("least_water_across", self.least_water_across, base.least_water_across, across)?,
            least_water_down: small("least_water_down", self.least_water_down, base.least_water_down, down)?,
            most_forts: small("most_forts", self.most_forts, base.most_forts, fields)?.max(1),
            least_crossable_percent: small(
                "least_crossable_percent",
                self.least_crossable_percent,
                base.least_crossable_percent,
                100,
            )?,
            action_limit: count("action_limit", self.action_limit, base.action_limit, 3)?,
            disguised: count("disguised", self.disguised, base.disguised, 0)?,
            think_ms: time("think_ms", self.think_ms, Some(base.think_ms))?.unwrap_or(base.think_ms),
            game_ms: time("game_ms", self.game_ms, base.game_ms)?,
            lobby_ms: time("lobby_ms", self.lobby_ms, base.lobby_ms)?,
            ..base.clone()
        };
        profile.check()
    }
}

impl Profile {
    /// The profile, if its protocol has all of its rules.
    fn check(self) -> Result<Self, ProfileError> {
        let only_2022 = [
            ("least_crossable_percent", self.least_crossable_percent > 0),
            ("most_forts", self.most_forts > 1),
            ("disguised", self.disguised > 0),
            ("game_ms", self.game_ms.is_some()),
            ("lobby_ms", self.lobby_ms.is_some()),
        ];
        if self.halves_any_order
            && let Some((what, _)) = only_2022.into_iter().find(|(_, is_set)| *is_set)
        {
            return Err(ProfileError::NotInYear { what });
        }
        Ok(self)
    }
}

/// The name of a profile of one's own.
fn own_name(name: Option<String>) -> Result<String, ProfileError> {
    let name = name.unwrap_or_default();
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if (1..=20).contains(&name.len()) && name.chars().all(is_letter) && Profile::named(&name).is_none() {
        return Ok(name);
    }
    Err(ProfileError::WrongName { name: short(&name) })
}

fn within(what: &'static str, found: Option<u64>, limits: RangeInclusive<u64>) -> Result<Option<u64>, ProfileError> {
    match found.filter(|found| !limits.contains(found)) {
        Some(found) => Err(ProfileError::OutOfRange { what, found, least: *limits.start(), most: *limits.end() }),
        None => Ok(found),
    }
}

/// The beginning of a text that a client sent.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

impl ProfileError {
    pub(crate) fn unknown(name: &str) -> Self {
        Self::UnknownName { name: short(name) }
    }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { name } => {
                write!(f, "There is no profile {name:?}; there are")?;
                let mut between = "";
                for profile in Profile::NAMED {
                    write!(f, "{between} {}", profile.name)?;
                    between = ",";
                }
                f.write_str(".")
            }
            Self::WrongName { name } => write!(
                f,
                "A profile of your own needs a \"name\" of 1 to 20 letters, digits, - and _ that no built-in profile has, not {name:?}."
            ),
            Self::OutOfRange { what, found, least, most } => {
                write!(f, "The profile's {what} is {found}; it must be {least} to {most}.")
            }
            Self::NotInYear { what } => write!(f, "The protocol of 2017 has no {what}."),
            Self::NoHalf => f.write_str("No half keeps the rules of this profile."),
        }
    }
}

impl core::error::Error for ProfileError {}
