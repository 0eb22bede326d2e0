//! The numbers in which the years differ, as far as a player needs them.

/// A year's protocol and the rules that belong to it.
#[derive(Clone, Copy, Debug)]
pub struct Year {
    pub name: &'static str,
    /// Columns and rows of a half.
    pub half: (u8, u8),
    /// Grass (with the fort), mountains and water, at least.
    pub least: Least,
    /// Water fields on an edge, at most: on one as long as a row, and on one as high as a column. A corner is on two edges.
    pub wettest: (u8, u8),
    /// What a step costs beside leaving and entering.
    pub extra: u32,
    /// Whether a player is told what is seen from a mountain.
    pub sight: bool,
    /// Whether halves can be put side by side.
    pub beside: bool,
    /// How much the way of the other to the own fort counts when a half is judged, beside the own way.
    pub distrust: f64,
}

/// How many fields of a kind a half has, at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Least {
    pub grass: u8,
    pub mountain: u8,
    pub water: u8,
}

pub const Y2022: Year = Year {
    name: "2022",
    half: (10, 5),
    least: Least { grass: 24, mountain: 5, water: 7 },
    wettest: (4, 2),
    extra: 0,
    sight: true,
    beside: true,
    distrust: 0.5,
};

/// The fort is counted as something of its own in some readings of this year's rules, so there is a field of grass more.
pub const Y2017: Year = Year {
    name: "2017",
    half: (8, 4),
    least: Least { grass: 6, mountain: 3, water: 4 },
    wettest: (3, 1),
    extra: 1,
    sight: false,
    beside: false,
    distrust: 1.0,
};
