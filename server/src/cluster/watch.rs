//! Decides when another host counts as dead.

use std::{collections::BTreeMap, time::Duration};

use tokio::time::Instant;

use super::{Incarnation, Member, Sighting};

/// The time between two beats of a host. A host may die just after a beat, and another may see this beat only with its next one: so
/// a dead host is found within [`SILENCE`] and two of these times, if the store is quick.
pub(crate) const BEAT_EVERY: Duration = Duration::from_millis(500);

/// How many beats this host commits, and how much time passes by its own monotonic clock, while the beat of a dead host does not
/// change. Both must be over. The time is a little less than six beats take, so that it is over with the sixth. On a busy machine
/// beats are late, and fewer are enough.
const OWN_BEATS: u32 = 4;
const SILENCE: Duration = Duration::from_millis(2900);

/// If this host committed no beat for so long, the store was away, and all hosts get the whole time to beat again. It is longer than
/// a beat that is late can take: the store has to answer within two seconds.
const PAUSE: Duration = Duration::from_secs(3);

/// How long after the beginning of a committed beat no other host can have buried this one. Other hosts count from when they saw
/// the beat, which is later. The difference to [`SILENCE`] is for clocks that do not run equally fast.
pub(crate) const CERTAIN: Duration = Duration::from_millis(2500);

/// The beats of other hosts, as this one saw them.
#[derive(Debug, Default)]
pub(crate) struct PeerWatch {
    seen: BTreeMap<Incarnation, Seen>,
    /// When this host committed its last beat.
    beaten: Option<Instant>,
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
        let beaten = self.beaten.replace(now);
        if beaten.is_some_and(|beaten| now.duration_since(beaten) >= PAUSE) {
            before.clear();
        }
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
    async fn a_host_is_dead_after_four_beats_and_three_seconds() {
        let every = |ms: u64, beats: u64| (0..=beats).map(|beat| (beat * ms, 7)).collect::<Vec<_>>();
        assert_eq!(check(&every(1000, 3)), None, "three beats of its own");
        assert_eq!(check(&every(1000, 4)), Some(4000));
        assert_eq!(check(&every(725, 4)), Some(2900), "beats are late");
        assert_eq!(check(&every(500, 6)), Some(3000));
        assert_eq!(check(&every(483, 6)), None, "less than the time");
        assert_eq!(check(&[every(500, 5), vec![(3000, 8), (3500, 8), (5500, 8)]].concat()), None, "it lives");
        assert_eq!(check(&[vec![(0, 8)], every(500, 6)].concat()), Some(3000), "any change counts");
    }

    #[tokio::test]
    async fn a_pause_of_the_store_makes_nobody_dead() {
        let away = |until: u64, beats: u64| {
            let before = (0..5).map(|beat| (beat * 500, 7));
            before.chain((0..=beats).map(|beat| (until + beat * 500, 7))).collect::<Vec<_>>()
        };
        assert_eq!(check(&away(4999, 0)), Some(4999), "it was not away for three seconds");
        assert_eq!(check(&away(5000, 5)), None);
        assert_eq!(check(&away(5000, 6)), Some(8000), "the others had the whole time to beat again");
        assert_eq!(check(&[away(27_000, 4), vec![(29_500, 8), (32_000, 8)]].concat()), None);
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
