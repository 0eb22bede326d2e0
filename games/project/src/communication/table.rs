//! Who is connected as whom.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;

use super::peer::Peer;
use crate::documents::Guid;

/// The Game Master's id.
pub(super) const MASTER: i32 = 0;

/// Everybody who is connected, and the Game Master even if it is not.
///
/// Whoever looks somebody up by id may keep what was found until the [`Self::version`] is another.
#[derive(Debug, Default)]
pub(super) struct Table {
    version: Arc<AtomicU64>,
    members: HashMap<u64, Member>,
    /// Connections by the id that they have as players.
    players: HashMap<i32, u64>,
    master: Option<Master>,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) peer: Arc<Peer>,
    pub(super) standing: Standing,
    /// Under which hash its request is with the Game Master. A player may have asked again.
    pub(super) asking: Option<Guid>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Stranger { since: Instant },
    Player { id: i32, hash: Guid },
    Master { hash: Guid },
}

/// The Game Master, once there was one.
#[derive(Debug)]
pub(super) struct Master {
    pub(super) hash: Guid,
    /// Its connection.
    pub(super) here: Option<Arc<Peer>>,
    pub(super) said_over: bool,
    /// Who was lost while it was away.
    pub(super) missed: Vec<Guid>,
}

impl Table {
    pub(super) fn admit(&mut self, peer: Arc<Peer>) {
        let standing = Standing::Stranger { since: Instant::now() };
        self.members.insert(peer.number, Member { peer, standing, asking: None });
    }

    pub(super) fn member(&mut self, number: u64) -> Option<&mut Member> {
        self.members.get_mut(&number)
    }

    pub(super) fn members(&mut self) -> impl Iterator<Item = &mut Member> {
        self.members.values_mut()
    }

    /// Whoever has joined, by id.
    pub(super) fn joined(&self, id: i32) -> Option<&Arc<Peer>> {
        if id == MASTER {
            return self.master.as_ref()?.here.as_ref();
        }
        self.members.get(self.players.get(&id)?).map(|member| &member.peer)
    }

    /// The hash of somebody who has joined.
    pub(super) fn hash(&self, number: u64) -> Option<Guid> {
        match self.members.get(&number)?.standing {
            Standing::Stranger { .. } => None,
            Standing::Player { hash, .. } | Standing::Master { hash } => Some(hash),
        }
    }

    /// Who has asked the Game Master under a hash.
    pub(super) fn asking(&mut self, hash: &str) -> Option<&mut Member> {
        self.members.values_mut().find(|member| member.asking.is_some_and(|asking| asking.is_same(hash)))
    }

    /// Who else uses a hash, as a player or to become one.
    pub(super) fn others_with(&self, hash: Guid, number: u64) -> Vec<u64> {
        let is_same = |known: Guid| known.is_same(hash.as_str());
        let uses = |member: &Member| {
            let plays = matches!(member.standing, Standing::Player { hash, .. } if is_same(hash));
            plays || member.asking.is_some_and(is_same)
        };
        self.members
            .iter()
            .filter(|(other, member)| **other != number && uses(member))
            .map(|(other, _)| *other)
            .collect()
    }

    /// Gives a player its id.
    pub(super) fn seat(&mut self, number: u64, id: i32, hash: Guid) {
        if let Some(member) = self.members.get_mut(&number) {
            member.standing = Standing::Player { id, hash };
            member.asking = None;
            member.peer.set_id(Some(id));
            self.players.insert(id, number);
            self.changed();
        }
    }

    /// Somebody is the Game Master, perhaps again. Says which connection it had, and whom it has not heard to be lost.
    pub(super) fn seat_master(&mut self, number: u64, hash: Guid) -> (Option<Member>, Vec<Guid>) {
        let Some(member) = self.members.get_mut(&number) else {
            return (None, Vec::new());
        };
        member.standing = Standing::Master { hash };
        member.asking = None;
        member.peer.set_id(Some(MASTER));
        let here = Arc::clone(&member.peer);
        let new = || Master { hash, here: None, said_over: false, missed: Vec::new() };
        let master = self.master.get_or_insert_with(new);
        let (old, missed) = (master.here.replace(here), std::mem::take(&mut master.missed));
        self.changed();
        (old.and_then(|old| self.remove(old.number)), missed)
    }

    pub(super) fn master(&mut self) -> Option<&mut Master> {
        self.master.as_mut()
    }

    pub(super) fn remove(&mut self, number: u64) -> Option<Member> {
        let member = self.members.remove(&number)?;
        if let Standing::Player { id, .. } = member.standing {
            self.players.retain(|known, holder| *known != id || *holder != number);
        }
        if let Some(master) = &mut self.master {
            master.here.take_if(|here| here.number == number);
        }
        member.peer.set_id(None);
        self.changed();
        Some(member)
    }

    /// Becomes another whenever somebody joins or leaves.
    pub(super) fn version(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.version)
    }

    fn changed(&self) {
        self.version.fetch_add(1, Ordering::Release);
    }

    pub(super) fn is_strange_for(&self, number: u64, longest: Duration) -> bool {
        let is_strange = |member: &Member| match member.standing {
            Standing::Stranger { since } => member.asking.is_none() && since.elapsed() >= longest,
            Standing::Player { .. } | Standing::Master { .. } => false,
        };
        self.members.get(&number).is_some_and(is_strange)
    }

    /// Who has been there longest without taking part; whoever waits for the Game Master only if there is nobody else.
    pub(super) fn oldest_stranger(&self) -> Option<&Arc<Peer>> {
        let strangers = self.members.values().filter_map(|member| match member.standing {
            Standing::Stranger { since } => Some(((member.asking.is_some(), since, member.peer.number), &member.peer)),
            Standing::Player { .. } | Standing::Master { .. } => None,
        });
        strangers.min_by_key(|(order, _)| *order).map(|(_, peer)| peer)
    }

    /// Closes all connections. None of them is lost any more: there is nobody to tell.
    pub(super) fn close_all(&mut self) {
        let all = std::mem::take(self);
        all.changed();
        all.members.values().for_each(|member| member.peer.close("the server ends"));
    }
}
