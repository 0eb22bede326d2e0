//! The connected clients and their roles.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
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

/// The connected clients. The Game Master stays in the table even while it is not connected.
///
/// A caller may cache a client that it looked up by id until [`Self::version`] changes.
#[derive(Debug, Default)]
pub(super) struct Table {
    version: Arc<AtomicU64>,
    /// The clients by the numbers of their connections, oldest first.
    members: BTreeMap<u64, Member>,
    /// The connection numbers of the players, by player id.
    players: HashMap<i32, u64>,
    master: Option<Master>,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) peer: Arc<Peer>,
    pub(super) standing: Standing,
    /// The hash in the client's open request to the Game Master. A player may send another request.
    pub(super) asking: Option<Guid>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Stranger { since: Instant },
    Player { id: i32, hash: Guid },
    Master { hash: Guid },
}

/// How far a Game Master has ended its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The game goes on.
    None,
    /// Some players were sent the end. The Game Master may come back for the others.
    Begun,
    /// Every player was sent the end, or the Game Master said that the game is over.
    Complete,
}

/// The Game Master, which has connected at least once.
#[derive(Debug)]
pub(super) struct Master {
    pub(super) hash: Guid,
    /// The connection of the Game Master, while it is connected.
    pub(super) here: Option<Arc<Peer>>,
    pub(super) said_over: bool,
    /// Whether it has sent the end of the game to a player.
    said_end: bool,
    /// Players that take part and were not sent the end of the game.
    without_end: BTreeSet<i32>,
    /// Players that were lost while the Game Master was away.
    pub(super) missed: Vec<Guid>,
}

impl Master {
    /// How far it had ended the game when it left.
    pub(super) fn ending(&self) -> Ending {
        match (self.said_over, self.said_end, self.without_end.is_empty()) {
            (true, _, _) | (false, true, true) => Ending::Complete,
            (false, true, false) => Ending::Begun,
            (false, false, _) => Ending::None,
        }
    }
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

    /// The client that has joined with this id.
    pub(super) fn joined(&self, id: i32) -> Option<&Arc<Peer>> {
        if id == MASTER {
            return self.master.as_ref()?.here.as_ref();
        }
        self.members.get(self.players.get(&id)?).map(|member| &member.peer)
    }

    /// The hash of a client that has joined.
    pub(super) fn hash(&self, number: u64) -> Option<Guid> {
        match self.members.get(&number)?.standing {
            Standing::Stranger { .. } => None,
            Standing::Player { hash, .. } | Standing::Master { hash } => Some(hash),
        }
    }

    /// The client that has an open request to the Game Master with this hash.
    pub(super) fn asking(&mut self, hash: &str) -> Option<&mut Member> {
        self.members.values_mut().find(|member| member.asking.is_some_and(|asking| asking.is_same(hash)))
    }

    /// The other clients with this hash, as players or in an open request.
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

    /// Assigns an id to a player.
    pub(super) fn seat(&mut self, number: u64, id: i32, hash: Guid) {
        if let Some(member) = self.members.get_mut(&number) {
            member.standing = Standing::Player { id, hash };
            member.asking = None;
            member.peer.set_id(Some(id));
            member.peer.set_hash(hash);
            self.players.insert(id, number);
            if let Some(master) = &mut self.master {
                master.without_end.insert(id);
            }
            self.changed();
        }
    }

    /// Makes a client the Game Master, perhaps again. Returns the old connection of the Game Master, and the players that were
    /// lost meanwhile.
    pub(super) fn seat_master(&mut self, number: u64, hash: Guid) -> (Option<Member>, Vec<Guid>) {
        let Some(member) = self.members.get_mut(&number) else {
            return (None, Vec::new());
        };
        member.standing = Standing::Master { hash };
        member.asking = None;
        member.peer.set_id(Some(MASTER));
        let here = Arc::clone(&member.peer);
        let new = || Master {
            hash,
            here: None,
            said_over: false,
            said_end: false,
            without_end: BTreeSet::new(),
            missed: Vec::new(),
        };
        let master = self.master.get_or_insert_with(new);
        let (old, missed) = (master.here.replace(here), std::mem::take(&mut master.missed));
        self.changed();
        (old.and_then(|old| self.remove(old.number)), missed)
    }

    pub(super) fn master(&mut self) -> Option<&mut Master> {
        self.master.as_mut()
    }

    /// The Game Master has sent a player the end of the game, or a message after that.
    pub(super) fn hears_end(&mut self, id: i32, is_end: bool) {
        let Some(master) = &mut self.master else { return };
        master.said_end = is_end;
        if is_end {
            master.without_end.remove(&id);
        } else {
            master.without_end.insert(id);
        }
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

    /// A counter that changes whenever a client joins or leaves.
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

    /// The client that has been connected longest without joining. Clients that wait for the Game Master's answer come last.
    pub(super) fn oldest_stranger(&self) -> Option<&Arc<Peer>> {
        let strangers = self.members.values().filter_map(|member| match member.standing {
            Standing::Stranger { since } => Some(((member.asking.is_some(), since, member.peer.number), &member.peer)),
            Standing::Player { .. } | Standing::Master { .. } => None,
        });
        strangers.min_by_key(|(order, _)| *order).map(|(_, peer)| peer)
    }

    /// Closes all connections. Their loss is not reported, because the server ends.
    pub(super) fn close_all(&mut self) {
        let all = std::mem::take(self);
        all.changed();
        all.members.values().for_each(|member| member.peer.close("the server ends"));
    }
}
