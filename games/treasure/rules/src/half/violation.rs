//! The violations of a half, with the facts, and the words for them.

use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::map::{Position, Terrain};

/// A rule that a half breaks: where, how many, and the limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the line of a variant explains its fields")]
pub enum Violation {
    /// The half has too few or too many fields.
    WrongNumberOfFields { found: u32, expected: u32 },
    /// A field lies outside of the half.
    FieldOutside { at: Position, width: u8, height: u8 },
    /// A field is there more than once.
    FieldTwice { at: Position, times: u32 },
    /// A field of the half is missing.
    FieldMissing { at: Position },
    /// There is too little of a terrain.
    TooFewFields { terrain: Terrain, found: u8, least: u8, at: Vec<Position> },
    /// An edge has too much water.
    TooMuchWaterOnEdge { edge: Edge, found: u8, most: u8, at: Vec<Position> },
    /// The half has no fort, or several.
    WrongNumberOfForts { found: u32, at: Vec<Position> },
    /// The fort stands on another terrain than grass.
    FortNotOnGrass { at: Position, terrain: Terrain },
    /// Water cuts these fields off from the others.
    Island { at: Vec<Position>, connected: u32 },
    /// An edge has too little water.
    TooLittleWaterOnEdge { edge: Edge, found: u8, least: u8, at: Vec<Position> },
    /// The half has no fort, or more than the profile allows.
    TooManyForts { found: u32, most: u8, at: Vec<Position> },
    /// Too little of the border between the halves can be crossed.
    BorderBlocked { found: u8, least: u8, at: Vec<Position> },
}

/// An edge of a half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Edge {
    /// The upper edge.
    Top,
    /// The lower edge.
    Bottom,
    /// The left edge.
    Left,
    /// The right edge.
    Right,
}

impl Violation {
    /// The name of the rule. Names never change, because clients depend on them.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::WrongNumberOfFields { .. } => "WrongNumberOfFields",
            Self::FieldOutside { .. } => "FieldOutside",
            Self::FieldTwice { .. } => "FieldTwice",
            Self::FieldMissing { .. } => "FieldMissing",
            Self::TooFewFields { terrain: Terrain::Grass, .. } => "TooFewGrassFields",
            Self::TooFewFields { terrain: Terrain::Mountain, .. } => "TooFewMountainFields",
            Self::TooFewFields { terrain: Terrain::Water, .. } => "TooFewWaterFields",
            Self::TooMuchWaterOnEdge { .. } => "TooMuchWaterOnEdge",
            Self::WrongNumberOfForts { .. } => "WrongNumberOfForts",
            Self::FortNotOnGrass { .. } => "FortNotOnGrass",
            Self::Island { .. } => "Island",
            Self::TooLittleWaterOnEdge { .. } => "TooLittleWaterOnEdge",
            Self::TooManyForts { .. } => "WrongNumberOfForts",
            Self::BorderBlocked { .. } => "BorderBlocked",
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongNumberOfFields { found, expected } => {
                write!(f, "The half has {found} fields; it needs exactly {expected}.")
            }
            Self::FieldOutside { at, width, height } => {
                write!(f, "{at} is outside of the half; X is 0 to {}, Y is 0 to {}.", width - 1, height - 1)
            }
            Self::FieldTwice { at, times } => write!(f, "{at} is there {times} times; each coordinate comes once."),
            Self::FieldMissing { at } => write!(f, "{at} is missing; each coordinate comes once."),
            Self::TooFewFields { terrain, found, least, at } => {
                write!(f, "The half has {found} {} fields{}; it needs at least {least}.", terrain.noun(), List(at))
            }
            Self::TooMuchWaterOnEdge { edge, found, most, at } => {
                write!(f, "The {edge} edge has {found} water fields{}; at most {most} are allowed.", List(at))
            }
            Self::WrongNumberOfForts { found, at } => {
                write!(f, "The half has {found} forts{}; it needs exactly 1.", List(at))
            }
            Self::FortNotOnGrass { at, terrain } => {
                write!(f, "The fort at {at} is on {}; it must be on grass.", terrain.noun())
            }
            Self::Island { at, connected } => write!(
                f,
                "{} fields that are not water{} cannot be reached from the other {connected}; 0 are allowed.",
                at.len(),
                List(at)
            ),
            Self::TooLittleWaterOnEdge { edge, found, least, at } => {
                write!(f, "The {edge} edge has {found} water fields{}; it needs at least {least}.", List(at))
            }
            Self::TooManyForts { found, most, at } => {
                write!(f, "The half has {found} forts{}; it needs 1 to {most}.", List(at))
            }
            Self::BorderBlocked { found, least, at } => write!(
                f,
                "The border to the other half can be crossed at {found} fields{}; it needs at least {least}.",
                List(at)
            ),
        }
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Top => "top",
            Self::Bottom => "bottom",
            Self::Left => "left",
            Self::Right => "right",
        })
    }
}

/// A list of positions, with a word before it; empty if there are none.
struct List<'l>(&'l [Position]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = |place: usize| if place == 0 { " at " } else { ", " };
        self.0.iter().enumerate().try_for_each(|(place, at)| write!(f, "{}{at}", before(place)))
    }
}
