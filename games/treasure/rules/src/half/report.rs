//! The figures of a half, for the log.

use core::fmt;

use serde::{Deserialize, Serialize};

/// How many fields of what a half has. Of fields that were sent twice the first counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// How many fields were sent.
    pub fields: u32,
    pub grass: u8,
    pub mountain: u8,
    pub water: u8,
    pub forts: u32,
    /// Water on each edge; a corner counts on both of its edges.
    pub edges: Edges,
    /// Whether all fields that are not water are connected.
    pub connected: bool,
}

/// A number for each edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edges {
    pub top: u8,
    pub bottom: u8,
    pub left: u8,
    pub right: u8,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fields, grass, mountain, water, forts, edges, connected } = self;
        let Edges { top, bottom, left, right } = edges;
        write!(f, "{fields} fields, {grass} grass, {mountain} mountain, {water} water, {forts} fort, ")?;
        write!(f, "water on edges: top {top}, bottom {bottom}, left {left}, right {right}; ")?;
        f.write_str(if *connected { "connected" } else { "not connected" })
    }
}
