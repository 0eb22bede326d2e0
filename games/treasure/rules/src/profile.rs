//! The differences between the years of the protocol, and between the courses of a year. The rules look at these switches and
//! numbers, never at the year.

mod changes;

use alloc::borrow::Cow;
use core::fmt;

pub(crate) use changes::Changes;
pub use changes::ProfileError;

use serde::{Deserialize, Serialize};

use crate::map::Terrain;

/// A year of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Year {
    /// The protocol of 2022.
    Y2022,
    /// The protocol of 2017.
    Y2017,
}

/// The numbers and switches of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The name, for people.
    pub name: Cow<'static, str>,
    /// The year of the protocol.
    pub year: Year,
    /// The columns of a half.
    pub width: u8,
    /// The rows of a half.
    pub height: u8,
    /// The least grass fields of a half.
    pub least_grass: u8,
    /// The least mountain fields of a half.
    pub least_mountain: u8,
    /// The least water fields of a half.
    pub least_water: u8,
    /// The most water on the upper and on the lower edge of a half.
    pub most_water_across: u8,
    /// The most water on the left and on the right edge of a half, if there is a limit.
    pub most_water_down: Option<u8>,
    /// The least water on the upper and on the lower edge of a half.
    pub least_water_across: u8,
    /// The least water on the left and on the right edge of a half.
    pub least_water_down: u8,
    /// The most fields of a half that its sender may mark as a fort. The server draws one of them.
    pub most_forts: u8,
    /// The least fields, in percent of the border between the halves, where it can be crossed.
    pub least_crossable_percent: u8,
    /// Whether halves may also be joined side by side.
    pub side_by_side: bool,
    /// The most actions of both players together.
    pub action_limit: u32,
    /// If true, halves count as actions, and at the limit the player to act loses. If false, only updates count, and both
    /// players lose with the last update, regardless of its content.
    pub halves_count: bool,
    /// The number of actions after which real positions are shown; before, the opponent is shown at a made-up place.
    pub disguised: u32,
    /// Whether halves may come in any order, even before the opponent registers. If false, they take turns like moves.
    pub halves_any_order: bool,
    /// Whether the starter is drawn. If false, the first player starts.
    pub draws_starter: bool,
    /// Whether an update counts down the commands of a step.
    pub counts_down: bool,
    /// Whether each player is told the opponent's account, and whether the opponent has its treasure.
    pub tells_other: bool,
    /// How long the player to act may think.
    pub think_ms: u64,
    /// How long a game may take from its creation.
    pub game_ms: Option<u64>,
    /// How long a game waits for two players.
    pub lobby_ms: Option<u64>,
    /// The least characters of a name or account.
    pub least_name: usize,
    /// The most characters of a name.
    pub most_name: usize,
    /// The most characters of an account.
    pub most_account: usize,
}

const Y2022: Profile = Profile {
    name: Cow::Borrowed("2022"),
    year: Year::Y2022,
    width: 10,
    height: 5,
    least_grass: 24,
    least_mountain: 5,
    least_water: 7,
    most_water_across: 4,
    most_water_down: Some(2),
    least_water_across: 0,
    least_water_down: 0,
    most_forts: 1,
    least_crossable_percent: 0,
    side_by_side: true,
    action_limit: 320,
    halves_count: true,
    disguised: 16,
    halves_any_order: false,
    draws_starter: true,
    counts_down: false,
    tells_other: true,
    think_ms: 5_000,
    game_ms: Some(10 * 60 * 1000),
    lobby_ms: Some(2 * 60 * 1000),
    least_name: 1,
    most_name: 50,
    most_account: 50,
};

const Y2017: Profile = Profile {
    name: Cow::Borrowed("2017"),
    year: Year::Y2017,
    width: 8,
    height: 4,
    least_grass: 5,
    least_mountain: 3,
    least_water: 4,
    most_water_across: 3,
    most_water_down: None,
    least_water_across: 0,
    least_water_down: 0,
    most_forts: 1,
    least_crossable_percent: 0,
    side_by_side: false,
    action_limit: 200,
    halves_count: false,
    disguised: 0,
    halves_any_order: true,
    draws_starter: false,
    counts_down: true,
    tells_other: false,
    think_ms: 3_000,
    game_ms: None,
    lobby_ms: None,
    least_name: 0,
    most_name: 30,
    most_account: 9,
};

/// As 2022, but a sender may mark up to six fields as a fort.
const Y2025S: Profile = Profile { name: Cow::Borrowed("2025s"), most_forts: 6, ..Y2022 };

/// As 2022, but at least 40 % of each edge can be walked on, and at least 20 % of it is water; at least 40 % of the border can be
/// crossed.
const Y2025W: Profile = Profile {
    name: Cow::Borrowed("2025w"),
    most_water_across: 6,
    most_water_down: Some(3),
    least_water_across: 2,
    least_water_down: 1,
    least_crossable_percent: 40,
    ..Y2022
};

impl Year {
    /// All years.
    pub const ALL: [Self; 2] = [Self::Y2022, Self::Y2017];

    /// The rules of the year.
    pub const fn profile(self) -> &'static Profile {
        match self {
            Self::Y2022 => &Y2022,
            Self::Y2017 => &Y2017,
        }
    }

    /// The year as text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Y2022 => "2022",
            Self::Y2017 => "2017",
        }
    }

    /// The year as a number.
    pub const fn number(self) -> u32 {
        match self {
            Self::Y2022 => 2022,
            Self::Y2017 => 2017,
        }
    }
}

impl Profile {
    /// The profiles that have a name.
    pub const NAMED: [&'static Self; 4] = [&Y2022, &Y2017, &Y2025S, &Y2025W];

    /// The profile with a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::NAMED.into_iter().find(|profile| profile.name == name)
    }

    /// The rules for halves in a version of the rulebook. Version 1 limited the short edges of 2017, too.
    #[must_use]
    pub fn halves_in_version(&self, version: u32) -> Self {
        let most_water_down = match (self.year, version) {
            (Year::Y2017, 1) => Some(1),
            (Year::Y2017 | Year::Y2022, _) => self.most_water_down,
        };
        Self { most_water_down, ..self.clone() }
    }

    /// The least pairs of fields where a border of this length can be crossed.
    pub fn least_crossable(&self, length: usize) -> usize {
        (length * usize::from(self.least_crossable_percent)).div_ceil(100)
    }

    /// The number of fields of a half.
    pub const fn size(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The least fields of a terrain in a half.
    pub const fn least(&self, terrain: Terrain) -> u8 {
        match terrain {
            Terrain::Grass => self.least_grass,
            Terrain::Mountain => self.least_mountain,
            Terrain::Water => self.least_water,
        }
    }
}

impl fmt::Display for Year {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
