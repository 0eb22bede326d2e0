//! Computer players of the project game.
//!
//! An [`Agent`] has no clock and no connection. It gets inputs with their times, and returns messages to send. So the same
//! agent plays over a [`network`] and, in simulated time, in an [`arena`].

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
pub use trace::TraceTarget;

/// A strategy of a computer player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Chooses random possible actions.
    Random,
    /// Plays without the help of its team.
    Solo,
    /// Works together with its team.
    Team,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Self; 3] = [Self::Random, Self::Solo, Self::Team];

    /// The name of the strategy on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Solo => "solo",
            Self::Team => "team",
        }
    }

    /// The description of the strategy for the help text.
    pub fn about(self) -> &'static str {
        match self {
            Self::Random => "chooses any possible action",
            Self::Solo => {
                "follows the distance to pieces, tests them if that saves time, tries the goal area tile by tile; ignores its team"
            }
            Self::Team => "plays like solo, but divides the goal area among its team and exchanges knowledge",
        }
    }

    /// Finds a strategy by its name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name)
    }
}

/// How long actions take, in milliseconds, as far as a player knows. The Game Master does not send the costs: they are a guess
/// that helps the player to choose. The player itself waits for the duration of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// The costs of actions.
    pub actions: project_rules::Costs,
    /// The cost of an exchange of knowledge.
    pub exchange: u64,
}

impl Costs {
    /// Default costs, for a player that does not know the real ones.
    pub const SENSIBLE: Self = Self {
        actions: project_rules::Costs { r#move: 100, discover: 450, test: 500, pick_up: 100, place: 100 },
        exchange: knowledge::EXCHANGE_COST_MS,
    };
}

/// An input of an [`Agent`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentInput {
    /// The player has joined: for the first time, or again after a lost connection.
    Confirmed {
        /// The number of the player.
        player: u32,
    },
    /// The Game Master has assigned a team.
    TeamGiven {
        /// The team.
        team: Team,
        /// Whether the player leads the team.
        leader: bool,
    },
    /// The game runs. A returning player gets this again, with its current position.
    Started {
        /// All players with their teams.
        players: Arc<[(u32, Team)]>,
        /// Width of the board.
        width: i32,
        /// Height of the board.
        height: i32,
        /// The position of the player.
        position: Position,
    },
    /// The Game Master answers a request.
    Answered {
        /// The id of the request.
        context: Arc<str>,
        /// The answer.
        answer: Answer,
    },
    /// Another player sends a step of an exchange.
    Exchange {
        /// The other player.
        from: u32,
        /// The id of the request that began the exchange.
        id: Arc<str>,
        /// The step.
        step: ExchangeStep,
    },
    /// The game is over.
    Ended(End),
    /// The time that [`Agent::wakes_at`] returned has come.
    TimePassed,
    /// The connection is lost. The agent sends nothing until it is confirmed again.
    Lost,
}

/// A step of an exchange of knowledge, sent by another player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExchangeStep {
    /// The other player asks for an exchange.
    Request,
    /// The other player answers a request.
    Response {
        /// Whether the other player agrees.
        allow: bool,
    },
    /// The other player sends its knowledge.
    Data {
        /// The tiles that the other player knows.
        tiles: Vec<knowledge::Shared>,
    },
}

/// An output of an [`Agent`]: a message to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Say {
    /// To the Game Master: asks for a team.
    Setup {
        /// The id of the request.
        id: Arc<str>,
        /// The preferred team.
        team: Team,
    },
    /// To the Game Master: asks for an action.
    Request {
        /// The id of the request.
        id: Arc<str>,
        /// The action.
        action: Action,
    },
    /// A message to another player.
    Tell(knowledge::Say),
}

/// The end of a game, as the Game Master sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Why it ended.
    pub reason: EndReason,
    /// The winner; meaningless in a tie.
    pub winner: Team,
    /// The number of completed goals, Blue first.
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
