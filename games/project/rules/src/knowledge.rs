//! The knowledge of a computer player, and how players share it. This module has no clock and no connection: times are
//! arguments, in milliseconds since 1970.

mod exchange;

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};

pub use exchange::{EXCHANGE_COST_MS, Exchanges, PATIENCE_MS, Received, Say};

use crate::{
    answer::Answer,
    area::Area,
    seen::{self, Seen, Tiles},
    team::Team,
    words::{Position, Tile},
};

/// How long players avoid a tile that a team mate is on its way to, in milliseconds.
pub const PURSUIT_MS: u64 = 10_000;

/// The maximum number of tiles in one exchange. The oldest news come first. A tile takes up to 150 bytes on the wire, and a
/// document must stay well below the server's limit of one mebibyte.
pub const MAX_SHARED_TILES: usize = 2000;

/// A tile in a message to another player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The tile.
    pub tile: Tile,
    /// When the tile was seen.
    pub timestamp: u64,
    /// Whether the sender is on its way to the piece or goal on this tile.
    pub pursued: bool,
}

/// A player's knowledge of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    me: u32,
    players: Arc<[(u32, Team)]>,
    area: Area,
    position: Position,
    tiles: Tiles,
    /// For each known tile: when and how the player learned of it.
    fresh: BTreeMap<Position, Fresh>,
    /// The number of changes so far.
    changes: u64,
    /// For each other player: the last change that it knows.
    shared: BTreeMap<u32, u64>,
    /// For each tile that a team mate is on its way to: until when this player avoids it.
    pursuits: BTreeMap<Position, u64>,
    /// The tile that this player is on its way to.
    target: Option<Position>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fresh {
    /// When the tile was seen.
    at: u64,
    /// The number of the tile's last change.
    change: u64,
    /// The player that shared the tile; `None` if this player saw it.
    from: Option<u32>,
}

impl Fresh {
    /// Whether the tile is news for a player that knows all changes up to `told`. A tile that the partner shared itself is not
    /// news.
    fn is_news(&self, partner: u32, told: u64) -> bool {
        self.change > told && self.from != Some(partner)
    }
}

impl Knowledge {
    /// The knowledge at the start. `players` lists the leader of each team before the other players of the team.
    pub fn new(me: u32, players: Arc<[(u32, Team)]>, area: Area, position: Position, now: u64) -> Self {
        let mut knowledge = Self {
            me,
            players,
            area,
            position,
            tiles: Tiles::new(),
            fresh: BTreeMap::new(),
            changes: 0,
            shared: BTreeMap::new(),
            pursuits: BTreeMap::new(),
            target: None,
        };
        knowledge.stand_at(position, now);
        knowledge
    }

    /// The number of this player.
    pub fn me(&self) -> u32 {
        self.me
    }

    /// The shape of the board.
    pub fn area(&self) -> Area {
        self.area
    }

    /// The position of this player.
    pub fn position(&self) -> Position {
        self.position
    }

    /// All known tiles.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// When any player last saw the tile.
    pub fn seen_at(&self, tile: Position) -> Option<u64> {
        self.fresh.get(&tile).map(|fresh| fresh.at)
    }

    /// The team of a player.
    pub fn team_of(&self, player: u32) -> Option<Team> {
        self.players.iter().find(|(id, _)| *id == player).map(|(_, team)| *team)
    }

    /// The leader of a team.
    pub fn leader(&self, team: Team) -> Option<u32> {
        self.players.iter().find(|(_, of)| *of == team).map(|(id, _)| *id)
    }

    /// Whether this player must allow a request of `asker`. A leader must allow requests of its team, and a member those of its
    /// leader.
    pub fn must_allow(&self, asker: u32) -> bool {
        let (Some(own), Some(theirs)) = (self.team_of(self.me), self.team_of(asker)) else { return false };
        let leader = self.leader(own);
        own == theirs && asker != self.me && (leader == Some(self.me) || leader == Some(asker))
    }

    /// Updates the knowledge with an answer of the Game Master.
    pub fn answered(&mut self, answer: &Answer, now: u64) {
        if let Answer::Moved { position, .. } = answer {
            self.position = *position;
        }
        for tile in seen::learn_answer(&mut self.tiles, self.area, self.position, answer) {
            self.touch(tile, now, None);
        }
    }

    /// Sets the position of this player, at the start or after a lost connection.
    pub fn stand_at(&mut self, position: Position, now: u64) {
        self.position = position;
        self.tiles.entry(position).or_insert(Seen::UNKNOWN);
        self.touch(position, now, None);
    }

    /// Updates the knowledge with tiles that another player shared. Ignores tiles that are off the board.
    pub fn learn(&mut self, from: u32, shared: &[Shared], now: u64) {
        for Shared { tile, timestamp, pursued } in shared {
            if self.area.zone(tile.position).is_none() {
                continue;
            }
            // A sender whose clock is ahead must not override later sightings.
            let at = (*timestamp).min(now);
            let known = self.tiles.get(&tile.position).copied().zip(self.seen_at(tile.position));
            if let Some((seen, at)) = seen::learn_tile(known, tile, at) {
                self.tiles.insert(tile.position, seen);
                self.touch(tile.position, at, Some(from));
            }
            if *pursued && from != self.me && self.team_of(from) == self.team_of(self.me) {
                self.pursuits.insert(tile.position, now.saturating_add(PURSUIT_MS));
            }
        }
    }

    /// Whether a team mate is on its way to a tile.
    pub fn is_pursued(&self, tile: Position, now: u64) -> bool {
        self.pursuits.get(&tile).is_some_and(|until| now < *until)
    }

    /// Sets the tile that this player is on its way to. If the tile is known, the next exchange shares this with other players.
    pub fn pursue(&mut self, target: Option<Position>) {
        if self.target == target {
            return;
        }
        self.target = target;
        if let Some(fresh) = target.and_then(|target| self.fresh.get_mut(&target)) {
            self.changes += 1;
            (fresh.change, fresh.from) = (self.changes, None);
        }
    }

    /// The tiles that changed since the last exchange with a player, without those that the player shared itself. Includes at
    /// least the tile on which this player stands.
    pub fn news_for(&self, partner: u32) -> Vec<Shared> {
        self.news_since(partner, self.told(partner))
    }

    pub(crate) fn told(&self, partner: u32) -> u64 {
        self.shared.get(&partner).copied().unwrap_or(0)
    }

    pub(crate) fn news_since(&self, partner: u32, told: u64) -> Vec<Shared> {
        let horizon = self.horizon(partner, told);
        let is_sent = |fresh: &Fresh| fresh.is_news(partner, told) && fresh.change <= horizon;
        let news: Vec<Shared> =
            self.fresh.iter().filter(|(_, fresh)| is_sent(fresh)).map(|(at, fresh)| self.share(*at, fresh)).collect();
        if !news.is_empty() {
            return news;
        }
        self.fresh.get(&self.position).map(|fresh| self.share(self.position, fresh)).into_iter().collect()
    }

    /// The last change that fits into the next exchange with a player that knows all changes up to `told`.
    pub(crate) fn horizon(&self, partner: u32, told: u64) -> u64 {
        let mut news: Vec<u64> =
            self.fresh.values().filter(|fresh| fresh.is_news(partner, told)).map(|fresh| fresh.change).collect();
        if news.len() <= MAX_SHARED_TILES {
            return self.changes;
        }
        news.sort_unstable();
        news[MAX_SHARED_TILES - 1]
    }

    /// The number of the last change.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Notes that a player knows all changes up to this one.
    pub fn mark_shared(&mut self, partner: u32, change: u64) {
        let told = self.shared.entry(partner).or_default();
        *told = change.max(*told);
    }

    /// A tile in the form in which it is sent. The player never sees itself on its own tile, so this adds it.
    fn share(&self, at: Position, fresh: &Fresh) -> Shared {
        let mut tile = self.tiles.get(&at).unwrap_or(&Seen::UNKNOWN).tile(at);
        if at == self.position {
            tile.player = self.team_of(self.me).map(|team| (self.me, team));
        }
        Shared { tile, timestamp: fresh.at, pursued: self.target == Some(at) }
    }

    fn touch(&mut self, tile: Position, at: u64, from: Option<u32>) {
        self.changes += 1;
        self.fresh.insert(tile, Fresh { at, change: self.changes, from });
    }
}
