//! Bots for the treasure game, and the protocols that they speak.
//!
//! Without the network: [`half`] builds halves, [`mind`] and [`walker`] decide where to go. With it: [`http`] is the client, and
//! [`y2022`] and [`y2017`] play a game to its end.

pub mod dummy;
pub mod half;
pub mod http;
pub mod land;
pub mod mind;
mod plan;
pub mod scene;
pub mod walker;
pub mod y2017;
pub mod y2022;

use std::fmt;

use engine::JavaRandom;
use treasure_rules::{Position, Profile};

use self::{half::Half, http::Fault, land::Land, mind::Guide, scene::Scene};

/// The names that a player registers with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: String,
    /// The account; in 2017 the matriculation number.
    pub account: String,
}

/// How a bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Builds a half that is good to play on, and searches systematically.
    Mind,
    /// Builds a random half, and walks between random fields.
    Walker,
}

impl Style {
    fn half(self, profile: &Profile, random: &mut JavaRandom) -> Half {
        match self {
            Self::Mind => half::good(profile, random),
            Self::Walker => half::random(profile, random),
        }
    }

    fn guide(self, profile: &'static Profile, land: Land, fort: Position, random: &mut JavaRandom) -> Box<dyn Guide> {
        match self {
            Self::Mind => Box::new(mind::Mind::new(profile, land, fort)),
            Self::Walker => Box::new(walker::Walker::new(profile, land, fort, JavaRandom::new(random.next_long()))),
        }
    }
}

/// News of a running game, for people who watch the bot.
#[derive(Debug)]
pub enum Notice<'n> {
    /// Something happened.
    Line(&'n str),
    /// The bot has new knowledge of the game.
    Scene(&'n Scene),
}

/// How a game ended for a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Whether the player has won.
    pub won: bool,
    /// The server's words, or the player's guess.
    pub reason: String,
    /// The number of the player's actions. A half counts as an action if the rules count it.
    pub actions: u32,
}

/// The reasons why a game could not be played to its end.
#[derive(Debug)]
pub enum Failure {
    /// The server was away for too long.
    Fault(Fault),
    /// The answer does not belong to the protocol.
    Odd(String),
    /// The server refused a valid request.
    Refused(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => write!(f, "{fault}"),
            Self::Odd(what) => write!(f, "the answer does not belong to the protocol: {what}"),
            Self::Refused(what) => write!(f, "the server refused: {what}"),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Fault(fault) => Some(fault),
            Self::Odd(_) | Self::Refused(_) => None,
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}
