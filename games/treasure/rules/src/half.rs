//! The rules for half a map.

mod drawing;
mod report;
mod sheet;
mod violation;

use alloc::vec::Vec;

pub use drawing::random;
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
    /// The terrain, row by row.
    pub terrain: Vec<Terrain>,
    /// The fort, as a field of the half.
    pub fort: Position,
    /// The figures.
    pub report: Report,
}

/// Checks a half by all rules.
///
/// # Errors
///
/// All violations.
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

/// The figures of a half, valid or not.
pub fn report(profile: &Profile, fields: &[Field]) -> Report {
    Sheet::new(profile, fields).report()
}
