//! Finds the order in which to look at fields, so that the expected time until the searched thing is entered is short.

use super::land::{NO_WAY, NONE, Place, Places, Roads, each};

/// A way that shows every wanted field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The fields of the way, without its start.
    pub(super) way: Vec<Place>,
    /// The sum over all wanted fields: the time at which the field is entered, if the thing is there.
    pub(super) cost: u64,
}

/// A partial walk.
#[derive(Clone, Copy)]
struct Walk {
    at: Place,
    /// The wanted fields that it has not seen yet.
    left: Places,
    /// The costs of the fields that it has seen.
    paid: u32,
    /// An estimate of the total cost, with the fields that are not seen yet.
    guess: u32,
    /// The index of the walk without its last step.
    before: usize,
}

/// A limit above the longest walk that a game allows.
const LONGEST: usize = 400;

/// Finds a good way to search for one thing that is on each of the wanted fields with the same chance. This is a beam search:
/// it keeps the best `width` walks for every point of time. All wanted fields must be reachable.
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

/// The walk after it has reached a field.
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
