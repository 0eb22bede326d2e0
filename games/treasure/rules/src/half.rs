//! The rules for half a map.

mod drawing;
mod report;
mod sheet;
mod violation;

use alloc::vec::Vec;

pub(crate) use drawing::exists;
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
    /// The fields of the half that its sender marked as a fort, row by row. The rules draw one of several.
    pub forts: Vec<Position>,
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
    sheet.find_wrong_edges(&mut violations);
    sheet.find_wrong_forts(&mut violations);
    sheet.find_islands(&mut violations);
    match sheet.whole() {
        Some(terrain) if violations.is_empty() => {
            let mut forts: Vec<Position> = sheet.forts().iter().map(|fort| fort.at).collect();
            forts.sort_unstable_by_key(|at| (at.y, at.x));
            Ok(Checked { terrain, forts, report: sheet.report() })
        }
        Some(_) | None => Err(violations),
    }
}

/// The figures of a half, valid or not.
pub fn report(profile: &Profile, fields: &[Field]) -> Report {
    Sheet::new(profile, fields).report()
}
