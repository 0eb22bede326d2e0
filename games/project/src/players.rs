//! Players of the project game that are programs.
//!
//! An [`Agent`] has no clock and no connection: it is told what it hears and when, and gives back what it says. So the same
//! agent plays over a network and, in [`arena`], in a time that is only counted.

mod agent;
pub mod arena;
mod errand;
mod goals;
mod ids;
mod link;
mod mates;
mod mind;
pub mod network;
mod random;
mod requests;
mod search;
mod trace;
mod walk;
mod wire;

use std::{fmt, sync::Arc};

use project_rules::{Action, Answer, EndReason, Position, Team, knowledge};

pub use crate::documents::{Guid, configuration::PlayerConfiguration};
pub use agent::{Agent, Nature};
pub use ids::Ids;
pub use trace::{TraceError, TraceTarget};

/// A way to play that people can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    Random,
    Solo,
    Team,
}

impl Strategy {
    pub const ALL: [Self; 3] = [Self::Random, Self::Solo, Self::Team];

    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Solo => "solo",
            Self::Team => "team",
        }
    }

    pub fn about(self) -> &'static str {
        match self {
            Self::Random => "does whatever looks as if it could be done",
            Self::Solo => {
                "follows the distance, tests when it pays, tries the goal area tile by tile; as if it were alone"
            }
            Self::Team => "the same, but shares out the goal area, and exchanges knowledge with its team",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name)
    }
}

/// What everything takes, in milliseconds. Nobody tells a player: it is a guess that helps to choose, and what an exchange
/// takes is kept by the player itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    pub actions: project_rules::Costs,
    pub exchange: u64,
}

impl Costs {
    pub const SENSIBLE: Self = Self {
        actions: project_rules::Costs { r#move: 100, discover: 450, test: 500, pick_up: 100, place: 100 },
        exchange: knowledge::EXCHANGE_COST,
    };
}

/// What reaches a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It takes part under this number, for the first time or again after a lost connection.
    Confirmed {
        player: u32,
    },
    TeamGiven {
        team: Team,
        leader: bool,
    },
    /// The game runs. Who was away is told again, and where it stands now.
    Started {
        players: Arc<[(u32, Team)]>,
        width: i32,
        height: i32,
        position: Position,
    },
    /// The Game Master's answer to the request with this id.
    Answered {
        context: Arc<str>,
        answer: Answer,
    },
    /// Of another player. The id is that of the request of the exchange.
    Told {
        from: u32,
        id: Arc<str>,
        told: Told,
    },
    Ended(End),
    TimePassed,
    /// The connection; what is said is lost until it is confirmed again.
    Lost,
}

/// What another player says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    Request,
    Response { allow: bool },
    Data { tiles: Vec<knowledge::Shared> },
}

/// What a player says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Say {
    /// To the Game Master: it would like to be in a team.
    Setup { id: Arc<str>, team: Team },
    /// To the Game Master.
    Request { id: Arc<str>, action: Action },
    /// To another player.
    Tell(knowledge::Say),
}

/// How a game ended, as players are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    pub reason: EndReason,
    pub winner: Team,
    /// Goals completed, Blue first.
    pub goals: [u32; 2],
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason, winner, goals: [blue, red] } = self;
        if blue == red {
            return write!(f, "{reason}: tie, Blue {blue}, Red {red}");
        }
        write!(f, "{reason}: {winner} wins, Blue {blue}, Red {red}")
    }
}
