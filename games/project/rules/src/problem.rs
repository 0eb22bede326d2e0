//! What can be wrong with a setup, and the words for it.

use alloc::{string::String, vec::Vec};
use core::fmt;

use crate::{
    area::Zone,
    setup::Setup,
    words::{Position, Team},
};

/// The longest side of a board: whatever is larger is a slip, and costs memory.
pub const LONGEST_SIDE: i32 = 1000;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    TooNarrow { width: i32 },
    TooLow { height: i32 },
    TooLarge { width: i32, height: i32 },
    NoPlayers { players: i32 },
    TooManyPlayers { players: i32, tiles: i64 },
    ShamsPercentage { percentage: i32 },
    TooManyPieces { pieces: i32, tiles: i64 },
    TooFewPieces { valid: i64, goals: usize },
    NoGoal,
    GoalTwice { goal: Position },
    GoalOutside { goal: Position },
    NotIpv4 { address: String },
}

impl Problem {
    pub(crate) fn all_of(setup: &Setup) -> Vec<Self> {
        let mut problems = Vec::new();
        Self::of_size(setup, &mut problems);
        Self::of_players(setup, &mut problems);
        Self::of_pieces(setup, &mut problems);
        Self::of_goals(setup, &mut problems);
        if setup.server().is_none() {
            problems.push(Self::NotIpv4 { address: setup.address.chars().take(60).collect() });
        }
        problems
    }

    fn of_size(setup: &Setup, problems: &mut Vec<Self>) {
        let Setup { width, height, .. } = *setup;
        if width < 2 {
            problems.push(Self::TooNarrow { width });
        }
        if height < 4 {
            problems.push(Self::TooLow { height });
        }
        if width > LONGEST_SIDE || height > LONGEST_SIDE {
            problems.push(Self::TooLarge { width, height });
        }
    }

    fn of_players(setup: &Setup, problems: &mut Vec<Self>) {
        let (players, tiles) = (setup.players_per_team, setup.area().size(Zone::Goal(Team::Blue)));
        if players < 1 {
            problems.push(Self::NoPlayers { players });
        }
        if i64::from(players) > tiles {
            problems.push(Self::TooManyPlayers { players, tiles });
        }
    }

    fn of_pieces(setup: &Setup, problems: &mut Vec<Self>) {
        let (pieces, percentage) = (setup.pieces, setup.shams_percentage);
        if !(0..=100).contains(&percentage) {
            problems.push(Self::ShamsPercentage { percentage });
        }
        if i64::from(pieces) > setup.task_tiles() {
            problems.push(Self::TooManyPieces { pieces, tiles: setup.task_tiles() });
        }
        let (valid, goals) = (i64::from(pieces) - setup.shams(), setup.goals.len());
        if valid < goals as i64 {
            problems.push(Self::TooFewPieces { valid, goals });
        }
    }

    fn of_goals(setup: &Setup, problems: &mut Vec<Self>) {
        if setup.goals.is_empty() {
            problems.push(Self::NoGoal);
        }
        let mut sorted = setup.goals.clone();
        sorted.sort_unstable();
        let mut twice: Vec<Position> =
            sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        twice.dedup();
        problems.extend(twice.into_iter().map(|goal| Self::GoalTwice { goal }));
        sorted.dedup();
        let outside = sorted.into_iter().filter(|goal| setup.area().zone(*goal) != Some(Zone::Goal(Team::Blue)));
        problems.extend(outside.map(|goal| Self::GoalOutside { goal }));
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooNarrow { width } => write!(f, "The board is {width} wide; it must be at least 2."),
            Self::TooLow { height } => write!(f, "The board is {height} high; it must be at least 4."),
            Self::TooLarge { width, height } => {
                write!(f, "The board is {width} x {height}; each side must be at most {LONGEST_SIDE}.")
            }
            Self::NoPlayers { players } => write!(f, "A team has {players} players; it must have at least 1."),
            Self::TooManyPlayers { players, tiles } => {
                write!(f, "A team has {players} players, and its goal area only {tiles} tiles.")
            }
            Self::ShamsPercentage { percentage } => {
                write!(f, "The percentage of shams is {percentage}; it must be 0 to 100.")
            }
            Self::TooManyPieces { pieces, tiles } => {
                write!(f, "There are {pieces} pieces, and the task area has only {tiles} tiles.")
            }
            Self::TooFewPieces { valid, goals } => {
                write!(f, "There are {valid} pieces that are no shams, and a team has {goals} goals.")
            }
            Self::NoGoal => write!(f, "There is no goal."),
            Self::GoalTwice { goal } => write!(f, "The goal {goal} is there twice."),
            Self::GoalOutside { goal } => write!(f, "The goal {goal} is outside Blue's goal area."),
            Self::NotIpv4 { address } => write!(f, "The address {address:?} is no IPv4 address."),
        }
    }
}
