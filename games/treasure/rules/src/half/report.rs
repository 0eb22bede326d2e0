//! The figures of a half, for the log.

use core::fmt;

use serde::{Deserialize, Serialize};

/// The figures of a half. If a field was sent twice, the first one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The number of fields that were sent.
    pub fields: u32,
    /// The number of grass fields.
    pub grass: u8,
    /// The number of mountain fields.
    pub mountain: u8,
    /// The number of water fields.
    pub water: u8,
    /// The number of forts.
    pub forts: u32,
    /// The number of water fields on each edge. A corner counts on both of its edges.
    pub edges: Edges,
    /// Whether all fields that are not water are connected.
    pub connected: bool,
}

/// A number for each edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edges {
    /// The upper edge.
    pub top: u8,
    /// The lower edge.
    pub bottom: u8,
    /// The left edge.
    pub left: u8,
    /// The right edge.
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
