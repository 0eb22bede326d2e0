//! Players of the treasure game that are programs, and the protocols that they speak.
//!
//! What needs no network comes first: [`half`] builds halves, [`mind`] decides where to go, [`walker`] goes anywhere. Then
//! [`http`] is a line to a server, and [`y2022`] and [`y2017`] play a game on it to its end.

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

/// Who plays, as it registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    pub first_name: String,
    pub last_name: String,
    /// Of 2017 the matriculation number.
    pub account: String,
}

/// How somebody plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Builds a half that is good to play on, and searches.
    Mind,
    /// Builds any half, and walks anywhere.
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

/// What somebody who looks over a player's shoulder is told.
#[derive(Debug)]
pub enum Told<'t> {
    /// Something that happened once.
    Line(&'t str),
    /// What is known now, if it is something else than before.
    Scene(&'t Scene),
}

/// How a game ended for a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    pub won: bool,
    /// As the server says it, or as far as it can be known.
    pub reason: String,
    /// How many actions the player made, its half included where that is one.
    pub actions: u32,
}

/// Why a game could not be played to its end.
#[derive(Debug)]
pub enum Failure {
    /// The server was away for longer than one is patient.
    Fault(Fault),
    /// It answered with something that is not of the protocol.
    Odd(String),
    /// It refused what it should take.
    Refused(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => write!(f, "{fault}"),
            Self::Odd(what) => write!(f, "the answer is not of the protocol: {what}"),
            Self::Refused(what) => write!(f, "the server refused it: {what}"),
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
