//! Builds halves of maps: random valid ones, and ones that are good to play on.

use engine::JavaRandom;
use treasure_rules::{Field, Profile, Terrain};

use super::{
    land::{Land, NO_WAY, NONE, Place, Places, Roads, each, only, tells_sight},
    plan,
};

/// A half with its fort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Half {
    /// Its fields.
    pub land: Land,
    /// The field of its fort.
    pub fort: Place,
}

impl Half {
    /// The fields of the half for a request, row by row.
    pub fn fields(&self) -> Vec<Field> {
        let field = |place| Field {
            at: self.land.position(place),
            terrain: self.land.terrain(place),
            fort: place == self.fort,
        };
        self.land.places().map(field).collect()
    }

    /// Whether the rules of a year allow the half, in every interpretation of them.
    pub fn is_valid(&self, profile: &Profile) -> bool {
        let Self { land, fort } = self;
        let (columns, rows) = (usize::from(profile.width), usize::from(profile.height));
        let size = (land.width(), land.height()) == (columns, rows);
        let count = |terrain| land.all(terrain).count_ones();
        let enough = Terrain::ALL.into_iter().all(|terrain| count(terrain) >= least(profile, terrain).into());
        let wet = |edge: Places| (land.all(Terrain::Water) & edge).count_ones();
        let (across, down) = (profile.most_water_across, most_water_down(profile));
        let dry = [0, rows - 1].iter().all(|&y| wet(land.within(0, y, columns, 1)) <= across.into())
            && [0, columns - 1].iter().all(|&x| wet(land.within(x, 0, 1, rows)) <= down.into());
        size && enough && dry && land.terrain(*fort) == Terrain::Grass && is_connected(land, *fort)
    }
}

/// The least number of fields of a terrain. The rules of 2017 leave open whether the fort's field counts as grass, so the bot
/// builds one more.
fn least(profile: &Profile, terrain: Terrain) -> u8 {
    profile.least(terrain) + u8::from(terrain == Terrain::Grass && profile.counts_down)
}

/// The most water on a short edge. The rules of 2017 have no limit. Other servers may have one, so the bot keeps to the least.
fn most_water_down(profile: &Profile) -> u8 {
    profile.most_water_down.unwrap_or(1)
}

/// Whether all fields that are not water can be reached.
fn is_connected(land: &Land, from: Place) -> bool {
    let (mut reached, mut open) = (only(from), vec![from]);
    while let Some(at) = open.pop() {
        for (_, next) in land.neighbours(at) {
            if reached & only(next) == NONE {
                reached |= only(next);
                open.push(next);
            }
        }
    }
    reached == !land.all(Terrain::Water) & land.within(0, 0, land.width(), land.height())
}

/// A random valid half, with up to two more fields of water and of mountain than required.
pub fn random(profile: &Profile, random: &mut JavaRandom) -> Half {
    loop {
        let mut few = |terrain| usize::from(profile.least(terrain)) + random.next_below(3) as usize;
        let (water, mountain) = (few(Terrain::Water), few(Terrain::Mountain));
        let half = scattered(profile, profile.size() - water - mountain, water, random);
        if half.is_valid(profile) {
            return half;
        }
    }
}

/// A half with little grass, so that the treasure has few possible places.
fn sparse(profile: &Profile, random: &mut JavaRandom) -> Half {
    loop {
        let grass = usize::from(least(profile, Terrain::Grass)) + 1;
        let half = scattered(profile, grass, profile.least_water.into(), random);
        if half.is_valid(profile) {
            return half;
        }
    }
}

/// A random half with these numbers of grass and water fields. The other fields are mountains. It may break the rules.
fn scattered(profile: &Profile, grass: usize, water: usize, random: &mut JavaRandom) -> Half {
    let mut terrain = vec![Terrain::Mountain; profile.size()];
    terrain[..water].fill(Terrain::Water);
    terrain[water..water + grass].fill(Terrain::Grass);
    random.shuffle(&mut terrain);
    let land = Land::new(profile.width.into(), terrain);
    let grass: Vec<Place> = each(land.all(Terrain::Grass)).collect();
    Half { fort: clients::pick(&grass, random).unwrap_or_default(), land }
}

/// The number of changes that [`good`] tries, and the number of walks that the search keeps to judge a half.
const CHANGES: u32 = 400;
const WALKS: usize = 6;

/// A half on which the player finds its treasure soon and which it leaves soon, and whose fort is far away for the opponent.
pub fn good(profile: &Profile, random: &mut JavaRandom) -> Half {
    let mut best = sparse(profile, random);
    let mut worth = judge(&best, profile);
    for _ in 0..CHANGES {
        let changed = change(&best, random);
        if !changed.is_valid(profile) {
            continue;
        }
        let judged = judge(&changed, profile);
        if judged <= worth {
            (best, worth) = (changed, judged);
        }
    }
    best
}

/// A copy of the half with one or two changed fields, or with another fort.
fn change(half: &Half, random: &mut JavaRandom) -> Half {
    let mut terrain: Vec<Terrain> = half.land.places().map(|place| half.land.terrain(place)).collect();
    let count = i32::try_from(terrain.len()).expect("a half is small");
    let mut fort = half.fort;
    let (one, other) = (random.next_below(count) as usize, random.next_below(count) as usize);
    match random.next_below(4) {
        0 => terrain[one] = Terrain::ALL[random.next_below(3) as usize],
        1 => fort = one,
        _ => terrain.swap(one, other),
    }
    Half { land: Land::new(half.land.width(), terrain), fort }
}

/// The score of a half; lower is better. It is the cost of finding the treasure and leaving the half, minus the weighted cost
/// of the opponent's way to the fort.
fn judge(half: &Half, profile: &Profile) -> f64 {
    let Half { land, fort } = half;
    let roads = Roads::new(land, profile);
    let wanted = land.all(Terrain::Grass) & !only(*fort);
    let fields = f64::from(wanted.count_ones());
    let found = plan::search(&roads, *fort, wanted, WALKS).cost as f64 / fields;
    let edges = edges(land, profile);
    let count = edges.len() as f64;
    let way = |from: Place| edges.iter().map(|&edge| f64::from(nearest(&roads, from, edge))).sum::<f64>() / count;
    let out = each(wanted).map(way).sum::<f64>() / fields;
    found + out - distrust(profile) * way(*fort)
}

/// The weight of the opponent's way. These values won the most games against players with other values. In 2017, mountains show
/// nothing, but the opponent is seen when it starts on its fort. So only the length of the way protects the fort.
fn distrust(profile: &Profile) -> f64 {
    if tells_sight(profile) { 0.5 } else { 1.0 }
}

/// The edges that can be next to the other half.
fn edges(land: &Land, profile: &Profile) -> Vec<Places> {
    let (width, height) = (land.width(), land.height());
    let mut edges = vec![land.within(0, 0, width, 1), land.within(0, height - 1, width, 1)];
    if profile.side_by_side {
        edges.extend([land.within(0, 0, 1, height), land.within(width - 1, 0, 1, height)]);
    }
    edges
}

fn nearest(roads: &Roads, from: Place, edge: Places) -> u32 {
    each(edge).map(|place| roads.distance(from, place)).filter(|&cost| cost != NO_WAY).min().unwrap_or_default()
}
