//! Notices: who is connected, whose turn it is, and chat. They go to connections that asked for them, outside of the numbered
//! events, and nothing of them is in the log. `chat` stores lines before they are told.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use commlib::{Channel, ConnectionId, Notice, Presence as PlayerPresence, Reason, Refused, Snapshot, ToClient};
use engine::{CommId, Rulebook, Shown};
use tokio::time::Instant;

use super::{Room, chat::Chat};
use crate::{
    adapter::Adapter,
    peer::{Peer, Wish},
    presence::Presence,
    stream::Subscriber,
};

/// The time between two counts of spectators. Many of them may come at once.
const COUNT_EVERY: Duration = Duration::from_secs(1);

/// The state of notices in a room.
pub(crate) struct Notices {
    pub(super) presence: Presence,
    pub(super) chat: Chat,
    /// When the room began. Players that it never saw are away since then.
    began: Instant,
    /// Whether connections or seats may have changed since the presence was computed, and the number of connections then.
    pub(super) is_stale: bool,
    connections: usize,
    spectators: u32,
    /// The number of spectators that was told, and when.
    told_spectators: (u32, Instant),
    thinks: Option<String>,
    /// Whether entries were told since the turn was computed.
    pub(super) has_moved: bool,
}

impl Notices {
    pub(super) fn new(at_once: u32) -> Self {
        let now = Instant::now();
        Self {
            presence: Presence::default(),
            chat: Chat::new(at_once),
            began: now,
            is_stale: true,
            connections: 0,
            spectators: 0,
            told_spectators: (0, now),
            thinks: None,
            has_moved: false,
        }
    }

    /// When the number of spectators may be told.
    pub(super) fn count_due(&self) -> Option<Instant> {
        let (told, at) = self.told_spectators;
        (told != self.spectators).then_some(at + COUNT_EVERY)
    }
}

impl<A: Adapter> Room<A> {
    /// A connection asks for notices, or for no more of them.
    pub(super) fn ask_notices(&mut self, connection: ConnectionId, wanted: bool) {
        let has_notices = !self.services.one_game;
        let is_read = self.notices.chat.is_read() || self.services.moderation.is_off;
        let Some(peer) = self.peers.iter_mut().find(|peer| peer.connection == connection) else { return };
        if !has_notices {
            let refused = Refused::new(Reason::BadMessage, "This server has no notices.");
            peer.tell(&ToClient::Notice(Notice::Refused(refused)));
        } else if !wanted {
            peer.notices = Wish::Unasked;
        } else if is_read {
            self.tell_snapshot(connection);
        } else {
            peer.notices = Wish::Waiting;
            self.read_chat();
        }
    }

    /// Sends snapshots to all connections that wait for one.
    pub(super) fn tell_waiting(&mut self) {
        let waiting = self.peers.iter().filter(|peer| peer.notices == Wish::Waiting);
        let waiting: Vec<ConnectionId> = waiting.map(|peer| peer.connection).collect();
        waiting.into_iter().for_each(|connection| self.tell_snapshot(connection));
    }

    fn tell_snapshot(&mut self, connection: ConnectionId) {
        self.refresh_presence();
        if self.waiting.is_empty() {
            self.notices.thinks = self.turn();
        }
        let players = self.notices.presence.players.clone();
        let players = players.into_iter().map(|(client, away)| self.presence_of(client, away)).collect();
        let Some(at) = self.peers.iter().position(|peer| peer.connection == connection) else { return };
        let writes = self.channel_of(&self.peers[at]);
        let is_off = self.services.moderation.is_off;
        let mut chat = if is_off { Some(Vec::new()) } else { self.notices.chat.readable(writes) };
        let muted = &self.peers[at].muted;
        chat.iter_mut().for_each(|lines| lines.retain(|line| !muted.contains(&line.by)));
        let (spectators, thinks) = (self.notices.spectators, self.notices.thinks.clone());
        let snapshot = Snapshot { players, spectators, thinks, writes, chat };
        let peer = &mut self.peers[at];
        peer.notices = Wish::Told;
        peer.tell(&ToClient::Notice(Notice::Snapshot(snapshot)));
    }

    /// Tells what has changed since the last call. Returns whether anything was told.
    pub(super) fn refresh_notices(&mut self) -> bool {
        if self.services.one_game {
            return false;
        }
        let mut is_told = false;
        if self.notices.is_stale || self.notices.connections != self.peers.len() {
            is_told |= self.refresh_presence();
        }
        if self.notices.has_moved && self.waiting.is_empty() && self.peers.iter().any(is_told_notices) {
            self.notices.has_moved = false;
            let thinks = self.turn();
            if thinks != self.notices.thinks {
                self.notices.thinks.clone_from(&thinks);
                is_told |= self.tell_notice(&Notice::Thinks(thinks), |_| true);
            }
        }
        if self.notices.count_due().is_some_and(|due| due <= Instant::now()) {
            let spectators = self.notices.spectators;
            self.notices.told_spectators = (spectators, Instant::now());
            is_told |= self.tell_notice(&Notice::Spectators(spectators), |_| true);
        }
        is_told
    }

    /// Computes who is connected, and tells what has changed. Returns whether anything was told.
    fn refresh_presence(&mut self) -> bool {
        self.notices.is_stale = false;
        self.notices.connections = self.peers.len();
        let is_here = |client: CommId| self.peers.iter().any(|peer| client_of(peer) == Some(client));
        let now = Instant::now();
        let mut changed = Vec::new();
        let known = std::mem::take(&mut self.notices.presence.players);
        for client in self.streams.players().iter().copied() {
            let before = known.iter().find(|(player, _)| *player == client).map(|(_, away)| *away);
            let away = match (before, is_here(client)) {
                (_, true) => None,
                (Some(Some(since)), false) => Some(since),
                (Some(None), false) => Some(now),
                // A player with a protocol of its own never has a connection here.
                (None, false) if A::HANDLE => continue,
                (None, false) => Some(self.notices.began),
            };
            if before.is_none_or(|before| before.is_some() != away.is_some()) {
                changed.push((client, away));
            }
            self.notices.presence.players.push((client, away));
        }
        let connected = self.notices.presence.players.iter().filter(|(_, away)| away.is_none()).count();
        self.notices.spectators = u32::try_from(self.peers.len().saturating_sub(connected)).unwrap_or(u32::MAX);
        let mut is_told = false;
        for (client, away) in changed {
            let presence = self.presence_of(client, away);
            is_told |= self.tell_notice(&Notice::Presence(presence), |_| true);
        }
        is_told
    }

    fn presence_of(&self, client: CommId, away: Option<Instant>) -> PlayerPresence {
        let away_ms = away.map(|since| u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX));
        PlayerPresence { client: client.0, player: self.name_for_notices(client), away_ms }
    }

    /// The name of a client. It does not change the game, so a panic in it does not end the game.
    pub(super) fn name_for_notices(&self, client: CommId) -> String {
        let name = catch_unwind(AssertUnwindSafe(|| self.game.name_of(client))).ok().flatten();
        name.unwrap_or_else(|| format!("Guest {client}"))
    }

    /// The player whose turn it is, as far as the game tells.
    fn turn(&self) -> Option<String> {
        let turn = || A::Rules::moment(&self.game.board()).turn;
        if self.game.outcome().is_some() { None } else { catch_unwind(AssertUnwindSafe(turn)).ok().flatten() }
    }

    /// The chat that a connection writes to.
    pub(super) fn channel_of(&self, peer: &Peer) -> Channel {
        match client_of(peer) {
            Some(client) if self.streams.is_seated(client) => Channel::Players,
            Some(_) | None => Channel::Spectators,
        }
    }

    /// Sends a notice to all connections that receive notices and are chosen. Returns whether there are any.
    pub(super) fn tell_notice(&mut self, notice: &Notice, is_chosen: impl Fn(&Peer) -> bool) -> bool {
        let message = ToClient::Notice(notice.clone());
        let mut is_told = false;
        for peer in self.peers.iter_mut().filter(|peer| is_told_notices(peer)) {
            if is_chosen(peer) {
                peer.tell(&message);
                is_told = true;
            }
        }
        is_told
    }
}

/// The client of a connection; `None` for a spectator.
pub(super) fn client_of(peer: &Peer) -> Option<CommId> {
    match peer.subscriber {
        Subscriber::Client { client, .. } => Some(client),
        Subscriber::Watcher => None,
    }
}

fn is_told_notices(peer: &Peer) -> bool {
    peer.notices == Wish::Told
}
