//! Pairings of a tournament: every pair in a round robin, or players of the same score in a Swiss tournament.

use std::collections::HashMap;

/// The kind of tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Every player meets every other.
    RoundRobin,
    /// In each round, players with about the same score meet. No pair meets twice while other pairs are possible.
    Swiss,
}

/// Two players who meet, by their numbers, the smaller one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// The smaller number.
    pub first: usize,
    /// The larger number.
    pub second: usize,
}

/// The pairings of each round of a round robin, by the circle method: one player stays, the others rotate.
pub fn round_robin(entrants: usize, times: u32) -> Vec<Vec<Pairing>> {
    let places = entrants + entrants % 2;
    let rounds = (0..places.saturating_sub(1)).map(|round| {
        let at = |place: usize| if place == 0 { 0 } else { 1 + (place - 1 + round) % (places - 1) };
        let pairs = (0..places / 2).map(|table| (at(table), at(places - 1 - table)));
        // With an odd number of players, one place is empty, and the player opposite rests.
        let pairs = pairs.filter(|(one, other)| *one < entrants && *other < entrants);
        pairs.map(|(one, other)| Pairing { first: one.min(other), second: one.max(other) }).collect()
    });
    let rounds: Vec<Vec<Pairing>> = rounds.collect();
    (0..times).flat_map(|_| rounds.clone()).collect()
}

/// The next round of a Swiss tournament, and the player who rests in it. `order` lists all players, the best first. `met` has
/// the rounds so far, and `rested` the players who rested in them.
pub fn swiss(order: &[usize], met: &[Vec<Pairing>], rested: &[usize]) -> (Vec<Pairing>, Option<usize>) {
    let mut order = order.to_vec();
    let resting = (order.len() % 2 == 1).then(|| {
        // The player who rests is the last one among those who rested least.
        let times = |who: usize| rested.iter().filter(|other| **other == who).count();
        let fewest = order.iter().map(|who| times(*who)).min().unwrap_or(0);
        let at = order.iter().rposition(|who| times(*who) == fewest).unwrap_or(0);
        order.remove(at)
    });
    let mut meetings: HashMap<Pairing, u32> = HashMap::new();
    met.iter().flatten().for_each(|pairing| *meetings.entry(*pairing).or_default() += 1);
    // Allows repeated meetings only if no pairing is found with fewer of them.
    let most = meetings.values().copied().max().unwrap_or(0);
    let found = (0..=most).find_map(|times| {
        let may_meet = |pairing: &Pairing| meetings.get(pairing).is_none_or(|met| *met <= times);
        pair(&order, &may_meet, &mut MOST_TRIES.clone())
    });
    let pairs = found.unwrap_or_default();
    (pairs, resting)
}

/// The number of tries before a repeated meeting is allowed.
const MOST_TRIES: u32 = 100_000;

/// Pairs the first player with the next possible opponent, and so on; backtracks if a player is left over.
fn pair(order: &[usize], may_meet: &dyn Fn(&Pairing) -> bool, tries: &mut u32) -> Option<Vec<Pairing>> {
    let Some((first, others)) = order.split_first() else { return Some(Vec::new()) };
    for (at, second) in others.iter().enumerate() {
        *tries = tries.checked_sub(1)?;
        let pairing = Pairing { first: *first.min(second), second: *first.max(second) };
        if !may_meet(&pairing) {
            continue;
        }
        let rest: Vec<usize> =
            others.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, who)| *who).collect();
        if let Some(mut pairs) = pair(&rest, may_meet, tries) {
            pairs.insert(0, pairing);
            return Some(pairs);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_pair_meets_once() {
        for entrants in 2..12 {
            let rounds = round_robin(entrants, 1);
            let all: Vec<Pairing> = rounds.iter().flatten().copied().collect();
            let different: HashSet<Pairing> = all.iter().copied().collect();
            assert_eq!((all.len(), different.len()), (entrants * (entrants - 1) / 2, entrants * (entrants - 1) / 2));
            for round in rounds {
                let players: HashSet<usize> = round.iter().flat_map(|pair| [pair.first, pair.second]).collect();
                assert_eq!(players.len(), 2 * round.len(), "each player has one game per round");
                assert_eq!(round.len(), entrants / 2);
            }
        }
        assert_eq!(round_robin(4, 3).len(), 9);
    }

    /// The stronger player always wins: after enough rounds the order is right, and no pair met twice.
    #[test]
    fn swiss_rounds() {
        for entrants in [5, 6, 8, 16] {
            let mut points = vec![0; entrants];
            let order = |points: &[u32]| {
                let mut order: Vec<usize> = (0..points.len()).collect();
                order.sort_by_key(|who| (std::cmp::Reverse(points[*who]), *who));
                order
            };
            let (mut met, mut rested) = (Vec::new(), Vec::new());
            for _ in 0..4 {
                let (pairs, resting) = swiss(&order(&points), &met, &rested);
                assert_eq!(pairs.len(), entrants / 2);
                for Pairing { first, second } in &pairs {
                    assert!(!met.iter().flatten().any(|old: &Pairing| (old.first, old.second) == (*first, *second)));
                    points[*first] += 1;
                }
                met.push(pairs);
                if let Some(resting) = resting {
                    assert!(!rested.contains(&resting));
                    rested.push(resting);
                    points[resting] += 2;
                }
            }
            assert_eq!(order(&points)[0], 0, "the strongest of {entrants}");
        }
    }

    #[test]
    fn pairs_meet_again_if_no_other_is_possible() {
        let old = vec![vec![Pairing { first: 0, second: 1 }]];
        assert_eq!(swiss(&[0, 1], &old, &[]), (vec![Pairing { first: 0, second: 1 }], None));
    }
}
