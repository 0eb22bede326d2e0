//! The border between the halves.

use alloc::vec::Vec;

use crate::{
    chart::{Chart, Placement},
    half::Violation,
    map::{Position, Terrain},
    profile::Profile,
};

/// Looks whether enough of the border can be crossed with this half beside the one that is on the map.
pub(crate) fn blocked_border(
    profile: &Profile,
    chart: &Chart,
    terrain: impl Fn(Position) -> Option<Terrain>,
) -> Option<Violation> {
    let placement = chart.free_side(profile)?;
    let pairs: Vec<(Position, Position)> = pairs(profile, placement).collect();
    let is_dry = |terrain: Option<Terrain>| terrain.is_some_and(|terrain| terrain != Terrain::Water);
    let at: Vec<Position> = pairs
        .iter()
        .filter(|(own, other)| is_dry(terrain(*own)) && is_dry(chart.terrain(*other)))
        .map(|(own, _)| *own)
        .collect();
    let least = profile.least_crossable(pairs.len());
    (at.len() < least).then_some(Violation::BorderBlocked { found: at.len() as u8, least: least as u8, at })
}

/// Each field of a half at the border, and the field of the map across it.
fn pairs(profile: &Profile, placement: Placement) -> impl Iterator<Item = (Position, Position)> {
    let &Profile { width, height, .. } = profile;
    let length = match placement {
        Placement::Top | Placement::Bottom => width,
        Placement::Left | Placement::Right => height,
    };
    (0..length).map(move |place| match placement {
        Placement::Top => (Position::new(place, height - 1), Position::new(place, height)),
        Placement::Bottom => (Position::new(place, 0), Position::new(place, height - 1)),
        Placement::Left => (Position::new(width - 1, place), Position::new(width, place)),
        Placement::Right => (Position::new(0, place), Position::new(width - 1, place)),
    })
}
