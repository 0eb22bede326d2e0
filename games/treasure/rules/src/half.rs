//! What makes half a map a good one.

mod report;
mod sheet;
mod violation;

use alloc::vec::Vec;

pub use report::{Edges, Report};
use sheet::Sheet;
pub use violation::{Edge, Violation};

use crate::{
    map::{Field, Position, Terrain},
    profile::Profile,
};

/// A half that keeps all rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Row by row.
    pub terrain: Vec<Terrain>,
    pub fort: Position,
    pub report: Report,
}

/// Judges a half by all rules: a good one in order, or everything that is wrong with it.
pub fn check(profile: &Profile, fields: &[Field]) -> Result<Checked, Vec<Violation>> {
    let sheet = Sheet::new(profile, fields);
    let mut violations = Vec::new();
    sheet.find_wrong_fields(&mut violations);
    sheet.find_shortages(&mut violations);
    sheet.find_wet_edges(&mut violations);
    sheet.find_wrong_forts(&mut violations);
    sheet.find_islands(&mut violations);
    match (sheet.whole(), sheet.forts().first()) {
        (Some(terrain), Some(fort)) if violations.is_empty() => {
            Ok(Checked { terrain, fort: fort.at, report: sheet.report() })
        }
        _ => Err(violations),
    }
}

/// The figures of a half, whether it is a good one or not.
pub fn report(profile: &Profile, fields: &[Field]) -> Report {
    Sheet::new(profile, fields).report()
}
