//! The order in which to look at fields, so that one of them is entered as early as can be expected.

use super::land::{NO_WAY, NONE, Place, Places, Roads, each};

/// A way to see every field that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The fields of the way, without the one it starts on.
    pub(super) way: Vec<Place>,
    /// For each field that was asked for, when it would be entered if the thing is there; all together.
    pub(super) cost: u64,
}

/// A walk that has seen some of the fields.
#[derive(Clone, Copy)]
struct Walk {
    at: Place,
    /// What it has not seen yet.
    left: Places,
    /// The costs of what it has seen.
    paid: u32,
    /// What it would cost about to see the rest.
    guess: u32,
    /// The walk without its last step, by its number.
    before: usize,
}

/// More than the longest walk that a game allows.
const LONGEST: usize = 400;

/// The best way that is found to look for one thing that is on any of some fields with the same chance. Only so many walks are
/// kept for every point of time; none of the fields may be out of reach.
pub(super) fn search(roads: &Roads, from: Place, wanted: Places, width: usize) -> Plan {
    let mut walks: Vec<Walk> = Vec::new();
    let mut at_time: Vec<Vec<Walk>> = vec![Vec::new(); LONGEST];
    at_time[0].push(walk(roads, 0, from, wanted, 0, usize::MAX));
    let mut best: Option<(u32, usize)> = None;
    for time in 0..LONGEST {
        let mut now = std::mem::take(&mut at_time[time]);
        now.sort_unstable_by_key(|walk| (walk.at, walk.left, walk.paid));
        now.dedup_by_key(|walk| (walk.at, walk.left));
        now.sort_by_key(|walk| walk.guess);
        now.truncate(width);
        for found in now {
            let least = found.paid + found.left.count_ones() * time as u32;
            if best.is_some_and(|(cost, _)| least >= cost) {
                continue;
            }
            let number = walks.len();
            walks.push(found);
            if found.left == NONE {
                best = Some((found.paid, number));
                continue;
            }
            for &(next, cost) in roads.steps(found.at) {
                let then = time + cost as usize;
                if then < LONGEST {
                    at_time[then].push(walk(roads, then as u32, next, found.left, found.paid, number));
                }
            }
        }
    }
    let Some((cost, number)) = best else { return Plan { way: Vec::new(), cost: u64::MAX } };
    Plan { way: way(&walks, number), cost: cost.into() }
}

/// A walk as it is when it has come to a field.
fn walk(roads: &Roads, time: u32, at: Place, left: Places, paid: u32, before: usize) -> Walk {
    let seen = each(left & roads.sight(at)).map(|place| time + roads.distance(at, place)).sum::<u32>();
    let left = left & !roads.sight(at);
    let paid = paid + seen;
    let rest = each(left).map(|place| time + roads.distance(at, place).min(NO_WAY / 1024)).sum::<u32>();
    Walk { at, left, paid, guess: paid + rest, before }
}

fn way(walks: &[Walk], mut number: usize) -> Vec<Place> {
    let mut way = Vec::new();
    while walks[number].before != usize::MAX {
        way.push(walks[number].at);
        number = walks[number].before;
    }
    way.reverse();
    way
}
