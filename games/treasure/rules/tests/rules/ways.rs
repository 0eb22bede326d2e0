//! Random halves, and ways over a map.

use std::collections::VecDeque;

use engine::JavaRandom;
use treasure_rules::{Chart, Direction, Field, Position, Profile, Terrain, half};

/// A random valid half.
pub(crate) fn random_half(profile: &Profile, random: &mut JavaRandom) -> Vec<Field> {
    loop {
        let fields = random_fields(profile, random);
        if half::check(profile, &fields).is_ok() {
            return fields;
        }
    }
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

/// The first step of a shortest way over dry fields.
pub(crate) fn toward(chart: &Chart, from: Position, to: Position) -> Option<Direction> {
    let mut steps = vec![None; 20 * 20];
    let place = |at: Position| usize::from(at.y) * 20 + usize::from(at.x);
    let mut queue = VecDeque::from([to]);
    while let Some(at) = queue.pop_front() {
        if at == from {
            return steps[place(at)];
        }
        for (direction, back) in [
            (Direction::Up, Direction::Down),
            (Direction::Down, Direction::Up),
            (Direction::Left, Direction::Right),
            (Direction::Right, Direction::Left),
        ] {
            let next = chart.step(at, direction).filter(|next| is_dry(chart, *next) && *next != to);
            if let Some(next) = next.filter(|next| steps[place(*next)].is_none()) {
                steps[place(next)] = Some(back);
                queue.push_back(next);
            }
        }
    }
    None
}

pub(crate) fn is_dry(chart: &Chart, at: Position) -> bool {
    chart.terrain(at).is_some_and(|terrain| terrain != Terrain::Water)
}
