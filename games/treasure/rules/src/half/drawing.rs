//! Draws random halves.

use alloc::vec::Vec;

use engine::JavaRandom;

use crate::{
    half::check,
    map::{Field, Position, Terrain},
    profile::Profile,
};

/// How many random halves are drawn to find a valid one.
const TRIES: u32 = 20_000;

/// A random half that keeps all rules.
pub fn random(profile: &Profile, random: &mut JavaRandom) -> Vec<Field> {
    loop {
        if let Some(fields) = draw(profile, random) {
            return fields;
        }
    }
}

/// Whether there is a half that keeps all rules.
pub(crate) fn exists(profile: &Profile) -> bool {
    let least: usize = Terrain::ALL.into_iter().map(|terrain| usize::from(profile.least(terrain))).sum();
    let mut random = JavaRandom::new(0);
    least <= profile.size() && (0..TRIES).any(|_| draw(profile, &mut random).is_some())
}

/// A random half, if it keeps all rules.
fn draw(profile: &Profile, random: &mut JavaRandom) -> Option<Vec<Field>> {
    let fields = random_fields(profile, random);
    check(profile, &fields).is_ok().then_some(fields)
}

/// Random fields, with at least the required number of each terrain. They are often a valid half.
fn random_fields(profile: &Profile, random: &mut JavaRandom) -> Vec<Field> {
    let mut terrain: Vec<Terrain> =
        Terrain::ALL.into_iter().flat_map(|terrain| (0..profile.least(terrain)).map(move |_| terrain)).collect();
    terrain.resize_with(profile.size(), || Terrain::ALL[random.next_below(2) as usize]);
    random.shuffle(&mut terrain);
    let grass: Vec<usize> = (0..terrain.len()).filter(|place| terrain[*place] == Terrain::Grass).collect();
    let fort = grass[random.next_below(grass.len() as i32) as usize];
    let columns = usize::from(profile.width);
    let field = |(place, terrain)| Field {
        at: Position::new((place % columns) as u8, (place / columns) as u8),
        terrain,
        fort: place == fort,
    };
    terrain.into_iter().enumerate().map(field).collect()
}
