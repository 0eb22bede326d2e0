//! The table of hosts on the disk, and what is checked about it.

use std::{collections::BTreeMap, time::Duration};

use server::{
    cluster::{Incarnation, Member, MemberTable, Owner, PeerHost, Sighting},
    log::{GameKey, GameRecord},
    sync::lock,
};
use tokio::time::Instant;

use super::{disk::Disk, writes::Write};
use crate::{coverage::Covered, ledger::Finding, observer::Check, planted::Planted};

/// How long a host runs without any fault before its burial is a mistake.
const HEALTHY: Duration = Duration::from_secs(3);

/// Longer than every simulation.
const FOR_EVER: Duration = Duration::from_secs(3600);

/// The planted age at which a host counts as dead by the wall clock.
const OLD: Duration = Duration::from_secs(3);

/// The table of hosts.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) table: MemberTable,
    /// Until when a host was disturbed.
    disturbed: BTreeMap<Incarnation, Instant>,
    /// When each host has beaten last.
    beaten: BTreeMap<Incarnation, Instant>,
    /// The first owner of each game that another host asked for. Only a planted fault uses it.
    first_owners: BTreeMap<String, PeerHost>,
}

impl Members {
    /// A host does not run or does not reach the store for this time; without one, until the end.
    pub(super) fn disturb(&mut self, host: Incarnation, time: Option<Duration>) {
        let until = Instant::now() + time.unwrap_or(FOR_EVER);
        let known = self.disturbed.entry(host).or_insert(until);
        *known = until.max(*known);
    }

    /// Nothing ran for this time from now on: a host that was disturbed just before needs it to recover as well.
    pub(super) fn slept(&mut self, time: Duration) {
        let now = Instant::now();
        self.disturbed.values_mut().filter(|until| **until + HEALTHY > now).for_each(|until| *until += time);
    }

    /// A planted fault: buries all hosts whose last beat is old.
    fn bury_by_wall_clock(&mut self, by: Incarnation) -> Vec<Sighting> {
        let is_old = |member: &&Member| {
            let beaten = self.beaten.get(&member.incarnation);
            member.alive && member.incarnation != by && beaten.is_some_and(|beaten| beaten.elapsed() > OLD)
        };
        let old: Vec<Sighting> = self.table.members().iter().filter(is_old).map(Member::sighting).collect();
        old.into_iter().filter(|seen| self.table.bury(by, *seen).unwrap_or(false)).collect()
    }

    /// A planted fault: takes all games from the other hosts.
    fn disown_all(&mut self, by: Incarnation) {
        for other in self.table.members().iter().filter(|member| member.alive && member.incarnation != by) {
            let owned = self.table.owned(other.incarnation).unwrap_or_default();
            let games: Vec<_> = owned
                .iter()
                .map(|game| server::cluster::HandOver { key: game.key, elapsed_ms: game.elapsed_ms.unwrap_or(0) })
                .collect();
            let _it_lives = self.table.hand_over(other.incarnation, &games);
        }
    }
}

impl Disk {
    /// Whether a write of a host is stored.
    pub(super) fn passes(&self, by: Option<Incarnation>, write: &Write) -> bool {
        let Some(members) = &self.members else { return true };
        let Some(by) = by else { return false };
        let table = &lock(members).table;
        match write {
            Write::Create { .. } => table.is_alive(by),
            Write::Client { .. } | Write::Append { .. } | Write::Finish { .. } if self.plants(Planted::ForgetFence) => {
                true
            }
            Write::Client { game, .. } | Write::Append { game, .. } | Write::Finish { game, .. } => {
                table.may_write(by, *game)
            }
            Write::Resume { game, .. } => table.may_write(by, *game) || self.unfinished(*game).is_none(),
        }
    }

    /// Whether a host owns a game; one that is alone owns all.
    pub(super) fn owns(&self, by: Option<Incarnation>, game: GameKey) -> bool {
        let Some(members) = &self.members else { return true };
        by.is_some_and(|by| lock(members).table.may_write(by, game))
    }

    /// Checks that the host of an entry that is being stored owns the game.
    pub(super) fn check_owner(&self, by: Option<Incarnation>, write: &Write) -> Result<(), Finding> {
        let Write::Append { game, row, .. } = write else { return Ok(()) };
        if self.owns(by, *game) {
            return Ok(());
        }
        let facts = format!("entry {} of game {game} is stored for {by:?}, which does not own it", row.sequence);
        Err(Finding::new(Check::OneOwner, facts))
    }

    pub(super) fn created(&self, by: Option<Incarnation>, record: &GameRecord) {
        if let (Some(members), Some(by)) = (&self.members, by) {
            lock(members).table.created(record.key, &record.name, &record.about, by);
        }
    }

    pub(super) fn finished(&self, game: GameKey) {
        self.members.iter().for_each(|members| lock(members).table.finished(game));
    }

    /// See [`Members::disturb`].
    pub(crate) fn disturb(&self, host: Incarnation, time: Option<Duration>) {
        if let Some(members) = &self.members {
            lock(members).disturb(host, time);
        }
    }

    /// A host knows that it has this incarnation.
    pub(super) fn is_heard_of(&self, host: Incarnation) {
        if let Some(members) = &self.members {
            lock(members).disturbed.remove(&host);
        }
    }

    /// The name of the host that owns a game and is alive.
    pub(crate) fn owner(&self, game: &str) -> Option<String> {
        match lock(self.members.as_ref()?).table.owner(None, game)? {
            Owner::Host(peer) => Some(peer.name),
            Owner::ThisHost(_) | Owner::Free => None,
        }
    }

    /// The owner of a game, as a host hears it.
    pub(super) fn told_owner(&self, members: &mut Members, by: Option<Incarnation>, game: &str) -> Option<Owner> {
        match members.table.owner(by, game)? {
            Owner::Host(peer) if self.plants(Planted::StaleForward) => {
                Some(Owner::Host(members.first_owners.entry(game.to_owned()).or_insert(peer).clone()))
            }
            owner @ (Owner::Host(_) | Owner::ThisHost(_) | Owner::Free) => Some(owner),
        }
    }

    /// Adds the published players of unfinished games.
    pub(super) fn with_players(&self, mut records: Vec<GameRecord>) -> Vec<GameRecord> {
        if let Some(members) = &self.members {
            let table = &lock(members).table;
            for record in records.iter_mut().filter(|record| record.end.is_none()) {
                record.players = table.players(record.key).map(<[String]>::to_vec);
            }
        }
        records
    }

    /// Notes a beat.
    pub(super) fn beaten(&self, members: &mut Members, by: Incarnation) {
        members.beaten.insert(by, Instant::now());
        if self.plants(Planted::BuryByWallClock) {
            for seen in members.bury_by_wall_clock(by) {
                self.check_burial(members, seen);
            }
        }
    }

    /// Lets a planted fault happen before a claim.
    pub(super) fn before_claim(&self, members: &mut Members, by: Incarnation) {
        if self.plants(Planted::DoubleClaim) {
            members.disown_all(by);
        }
    }

    /// Checks that a host that was buried had not run well for a while.
    pub(super) fn check_burial(&self, members: &Members, seen: Sighting) {
        let disturbed = members.disturbed.get(&seen.incarnation).copied();
        let is_gone = disturbed.is_some_and(|until| until > Instant::now() + FOR_EVER / 2);
        self.observer.cover(if is_gone { Covered::Buried } else { Covered::BuriedAlive });
        self.observer.step(|| format!("incarnation {} is buried", seen.incarnation));
        // A host that was disturbed while the store was away cannot beat before the store is back.
        let has_beaten = |until| members.beaten.get(&seen.incarnation).is_some_and(|beaten| *beaten > until);
        let healthy = disturbed.map(|until| if has_beaten(until) { until } else { until.max(self.reachable()) });
        if healthy.is_none_or(|since| since + HEALTHY < Instant::now()) {
            self.observer.fail(Check::Burial, || {
                format!("incarnation {} was buried, though it runs and reaches the store", seen.incarnation)
            });
        }
    }
}
