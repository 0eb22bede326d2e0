//! Decides when another host counts as dead.

use std::{collections::BTreeMap, time::Duration};

use tokio::time::Instant;

use super::{Incarnation, Member, Sighting};

/// The time between two beats of a host. A host may die just after a beat, and another may see this beat only with its next one: so
/// a dead host is found within seven of these times.
pub(crate) const BEAT_EVERY: Duration = Duration::from_millis(500);

/// How many beats this host commits, and how much time passes by its own monotonic clock, while the beat of a dead host does not
/// change. Both must be over: after a pause of the store, all hosts get the time to beat again.
const OWN_BEATS: u32 = 6;
const SILENCE: Duration = Duration::from_secs(3);

/// How long after the beginning of a committed beat no other host can have buried this one. Other hosts count from when they saw
/// the beat, which is later. The difference to [`SILENCE`] is for clocks that do not run equally fast.
pub(crate) const CERTAIN: Duration = Duration::from_millis(2500);

/// The beats of other hosts, as this one saw them.
#[derive(Debug, Default)]
pub(crate) struct PeerWatch {
    seen: BTreeMap<Incarnation, Seen>,
}

#[derive(Debug)]
struct Seen {
    beat: u64,
    /// When this host saw the beat for the first time.
    since: Instant,
    /// The beats that this host has committed since then.
    own_beats: u32,
}

impl PeerWatch {
    /// Takes the table that the store returned with a beat of this host, and returns the hosts to bury.
    pub(crate) fn observe(&mut self, now: Instant, me: Incarnation, members: &[Member]) -> Vec<Sighting> {
        let peers = members.iter().filter(|member| member.alive && member.incarnation != me);
        let mut before = std::mem::take(&mut self.seen);
        let mut dead = Vec::new();
        for peer in peers {
            let seen = match before.remove(&peer.incarnation) {
                Some(seen) if seen.beat == peer.beat => Seen { own_beats: seen.own_beats + 1, ..seen },
                Some(_) | None => Seen { beat: peer.beat, since: now, own_beats: 0 },
            };
            if seen.own_beats >= OWN_BEATS && now.duration_since(seen.since) >= SILENCE {
                dead.push(peer.sighting());
            }
            self.seen.insert(peer.incarnation, seen);
        }
        dead
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::{HostInfo, HostState};

    /// The beats of this host: when each was committed, and the beat of the other host in its answer. Returns the time of the
    /// first burial.
    fn check(beats: &[(u64, u64)]) -> Option<u64> {
        let (me, other) = (Incarnation(1), Incarnation(2));
        let row = |incarnation, beat| Member {
            incarnation,
            info: HostInfo::default(),
            beat,
            alive: true,
            state: HostState::default(),
        };
        let began = Instant::now();
        let mut watch = PeerWatch::default();
        let buries = |(at, beat): &&(u64, u64)| {
            let members = [row(me, *at), row(other, *beat)];
            let dead = watch.observe(began + Duration::from_millis(*at), me, &members);
            assert!(dead.iter().all(|seen| *seen == Sighting { incarnation: other, beat: *beat }));
            !dead.is_empty()
        };
        beats.iter().find(buries).map(|(at, _)| *at)
    }

    #[tokio::test]
    async fn a_host_is_dead_after_six_beats_and_three_seconds() {
        let every = |ms: u64, beats: u64| (0..=beats).map(|beat| (beat * ms, 7)).collect::<Vec<_>>();
        assert_eq!(check(&every(1000, 5)), None, "five beats of its own");
        assert_eq!(check(&every(1000, 6)), Some(6000));
        assert_eq!(check(&every(500, 6)), Some(3000));
        assert_eq!(check(&every(499, 6)), None, "less than three seconds");
        assert_eq!(check(&[every(400, 7), vec![(2999, 7), (3000, 7)]].concat()), Some(3000), "three seconds");
        assert_eq!(check(&[every(500, 5), vec![(3000, 8), (3500, 8), (5500, 8)]].concat()), None, "it lives");
        let after_a_pause = [(0, 7), (25_000, 7), (25_500, 7), (26_000, 7), (26_500, 7), (27_000, 7), (27_500, 8)];
        assert_eq!(check(&after_a_pause), None, "the store was away for 25 seconds");
        assert_eq!(check(&[vec![(0, 8)], every(500, 6)].concat()), Some(3000), "any change counts");
    }

    #[tokio::test]
    async fn the_dead_and_the_gone_are_not_watched() {
        let mut watch = PeerWatch::default();
        let row = |alive| Member {
            incarnation: Incarnation(2),
            info: HostInfo::default(),
            beat: 1,
            alive,
            state: HostState::default(),
        };
        let now = Instant::now();
        for second in 0..10 {
            assert_eq!(watch.observe(now + Duration::from_secs(second), Incarnation(1), &[row(false)]), []);
            assert_eq!(watch.observe(now + Duration::from_secs(second), Incarnation(2), &[row(true)]), [], "itself");
        }
        assert!(watch.seen.is_empty());
    }
}
