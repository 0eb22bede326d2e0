//! What a program that plays knows, and how it shares that with others. No clock and no connection: times are arguments,
//! in milliseconds since 1970.

mod exchange;

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};

pub use exchange::{EXCHANGE_COST, Exchanges, Heard, PATIENCE, Say};

use crate::{
    answer::Answer,
    area::Area,
    seen::{self, Seen, Tiles},
    team::Team,
    words::{Position, Tile},
};

/// So long team mates leave alone what somebody is on its way to, in milliseconds.
pub const PURSUIT: u64 = 10_000;

/// So many tiles are told at a time, the longest known first: on the wire a tile takes up to 150 bytes, and a document has to
/// stay well below the mebibyte that a server passes on.
pub const MOST_TOLD: usize = 2000;

/// A tile as it is sent to another player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    pub tile: Tile,
    /// When it was seen.
    pub timestamp: u64,
    /// Whether the sender is on its way to this piece or goal.
    pub pursued: bool,
}

/// Everything that a player knows of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    me: u32,
    players: Arc<[(u32, Team)]>,
    area: Area,
    position: Position,
    tiles: Tiles,
    /// How fresh each known tile is.
    fresh: BTreeMap<Position, Fresh>,
    /// Counts changes: the number of the last.
    changes: u64,
    /// Up to which change each player was told.
    told: BTreeMap<u32, u64>,
    /// Until when team mates are on their way to a tile.
    pursuits: BTreeMap<Position, u64>,
    /// What this player is on its way to.
    target: Option<Position>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fresh {
    /// When the tile was seen.
    at: u64,
    /// The number of its last change.
    change: u64,
    /// Who told of it, if it was not seen.
    from: Option<u32>,
}

impl Fresh {
    /// Whether a player has not heard of it who was told up to a change, and did not tell of it itself.
    fn is_news(&self, partner: u32, told: u64) -> bool {
        self.change > told && self.from != Some(partner)
    }
}

impl Knowledge {
    /// At the start: who plays, each leader first of its team, the board, and where the player stands.
    pub fn new(me: u32, players: Arc<[(u32, Team)]>, area: Area, position: Position, now: u64) -> Self {
        let mut knowledge = Self {
            me,
            players,
            area,
            position,
            tiles: Tiles::new(),
            fresh: BTreeMap::new(),
            changes: 0,
            told: BTreeMap::new(),
            pursuits: BTreeMap::new(),
            target: None,
        };
        knowledge.stand_at(position, now);
        knowledge
    }

    pub fn me(&self) -> u32 {
        self.me
    }

    pub fn area(&self) -> Area {
        self.area
    }

    pub fn position(&self) -> Position {
        self.position
    }

    /// Every known tile.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// When a tile was last seen, by whomever.
    pub fn seen_at(&self, tile: Position) -> Option<u64> {
        self.fresh.get(&tile).map(|fresh| fresh.at)
    }

    pub fn team_of(&self, player: u32) -> Option<Team> {
        self.players.iter().find(|(id, _)| *id == player).map(|(_, team)| *team)
    }

    /// The first of a team.
    pub fn leader(&self, team: Team) -> Option<u32> {
        self.players.iter().find(|(_, of)| *of == team).map(|(id, _)| *id)
    }

    /// Whether this player has to allow that one's request: a leader those of his own team, a member those of his leader.
    pub fn must_allow(&self, asker: u32) -> bool {
        let (Some(own), Some(theirs)) = (self.team_of(self.me), self.team_of(asker)) else { return false };
        let leader = self.leader(own);
        own == theirs && asker != self.me && (leader == Some(self.me) || leader == Some(asker))
    }

    /// Learns from the Game Master's answer.
    pub fn hear(&mut self, answer: &Answer, now: u64) {
        if let Answer::Moved { position, .. } = answer {
            self.position = *position;
        }
        for tile in seen::hear(&mut self.tiles, self.area, self.position, answer) {
            self.touch(tile, now, None);
        }
    }

    /// The Game Master says, at the start or after a lost connection, where the player stands.
    pub fn stand_at(&mut self, position: Position, now: u64) {
        self.position = position;
        self.tiles.entry(position).or_insert(Seen::UNKNOWN);
        self.touch(position, now, None);
    }

    /// Learns from another player what is news. What cannot be is ignored.
    pub fn learn(&mut self, from: u32, shared: &[Shared], now: u64) {
        for Shared { tile, timestamp, pursued } in shared {
            if self.area.zone(tile.position).is_none() {
                continue;
            }
            // A clock that is ahead must not win against everything to come.
            let at = (*timestamp).min(now);
            let known = self.tiles.get(&tile.position).copied().zip(self.seen_at(tile.position));
            if let Some((seen, at)) = seen::learn(known, tile, at) {
                self.tiles.insert(tile.position, seen);
                self.touch(tile.position, at, Some(from));
            }
            if *pursued && from != self.me && self.team_of(from) == self.team_of(self.me) {
                self.pursuits.insert(tile.position, now.saturating_add(PURSUIT));
            }
        }
    }

    /// Whether a team mate is on its way to a tile.
    pub fn is_pursued(&self, tile: Position, now: u64) -> bool {
        self.pursuits.get(&tile).is_some_and(|until| now < *until)
    }

    /// From now on this player is on its way to a tile, or to none. Others learn of it at the next exchange, if the tile is
    /// known.
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

    /// What changed since the last exchange with a player, but for what it told itself; at least the own tile.
    pub fn news_for(&self, partner: u32) -> Vec<Shared> {
        self.news_since(partner, self.told(partner))
    }

    pub(crate) fn told(&self, partner: u32) -> u64 {
        self.told.get(&partner).copied().unwrap_or(0)
    }

    pub(crate) fn news_since(&self, partner: u32, told: u64) -> Vec<Shared> {
        let horizon = self.horizon(partner, told);
        let is_told = |fresh: &Fresh| fresh.is_news(partner, told) && fresh.change <= horizon;
        let news: Vec<Shared> =
            self.fresh.iter().filter(|(_, fresh)| is_told(fresh)).map(|(at, fresh)| self.share(*at, fresh)).collect();
        if !news.is_empty() {
            return news;
        }
        self.fresh.get(&self.position).map(|fresh| self.share(self.position, fresh)).into_iter().collect()
    }

    /// Up to which change a player is told now who was told up to another one.
    pub(crate) fn horizon(&self, partner: u32, told: u64) -> u64 {
        let mut news: Vec<u64> =
            self.fresh.values().filter(|fresh| fresh.is_news(partner, told)).map(|fresh| fresh.change).collect();
        if news.len() <= MOST_TOLD {
            return self.changes;
        }
        news.sort_unstable();
        news[MOST_TOLD - 1]
    }

    /// The number of the last change.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// A player has heard of everything up to a change.
    pub fn has_told(&mut self, partner: u32, change: u64) {
        let told = self.told.entry(partner).or_default();
        *told = change.max(*told);
    }

    /// The player itself is told of on its own tile, which it does not see among others.
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
