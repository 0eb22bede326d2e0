//! Teamwork: each player tries a share of the goal area, and then helps the others.

use std::collections::{BTreeMap, BTreeSet};

use project_rules::Position;

use super::{
    errand::{PAUSE_MS, Wish},
    goals,
    mind::{Mind, taken},
};

/// How long a player waits after an exchange before it asks the same player again, in milliseconds.
const FRESH_MS: u64 = 10_000;
/// How often an idle player asks the same player, in milliseconds.
const IDLE_MS: u64 = 5_000;

/// The player's own team.
#[derive(Clone, Debug)]
pub(super) struct Mates {
    /// The members, the leader first.
    members: Vec<u32>,
    me: usize,
    /// The share of each member.
    shares: Vec<Vec<Position>>,
    /// The tiles that this player tries.
    part: Vec<Position>,
    /// When this player last asked each member.
    asked: BTreeMap<u32, u64>,
    /// Members that have declined.
    unwilling: BTreeSet<u32>,
}

impl Mates {
    pub(super) fn new(mind: &Mind, members: Vec<u32>) -> Self {
        let me = members.iter().position(|member| *member == mind.knowledge.me()).unwrap_or(0);
        let shares = goals::shares(mind.area(), mind.team, members.len());
        let part = shares[me].clone();
        Self { members, me, shares, part, asked: BTreeMap::new(), unwilling: BTreeSet::new() }
    }

    /// Notes that a member was asked, or has sent its knowledge.
    pub(super) fn met(&mut self, partner: u32, now: u64) {
        self.asked.insert(partner, now);
    }

    /// Notes that a member has declined.
    pub(super) fn declined(&mut self, partner: u32) {
        self.unwilling.insert(partner);
    }

    pub(super) fn has(&self, player: u32) -> bool {
        self.members.contains(&player)
    }

    /// The tile to try next. When the player has tried its whole part of the goal area, it divides all open tiles that it knows
    /// of again.
    pub(super) fn goal(&mut self, mind: &mut Mind, now: u64) -> Result<Position, Wish> {
        if mind.open(&self.part).is_empty() {
            if let Some(partner) = self.partner_before_dividing(mind, now) {
                return Err(Wish::Ask(partner));
            }
            self.divide(mind);
        }
        let mut open = mind.open_anywhere();
        open.retain(|tile| !mind.crowd.is_at(*tile, now) && !mind.knowledge.is_pursued(*tile, now));
        let (own, others): (BTreeSet<Position>, BTreeSet<Position>) =
            open.into_iter().partition(|tile| self.part.contains(tile));
        let from = mind.position();
        goals::nearest(from, &own).or_else(|| goals::nearest(from, &others)).ok_or(Wish::Wait(PAUSE_MS))
    }

    /// Divides all open tiles that the player knows of. If there are fewer tiles than players, several players try the same
    /// tile.
    fn divide(&mut self, mind: &mut Mind) {
        let open = mind.open_anywhere();
        let line = goals::line(mind.area(), mind.team).into_iter().filter(|tile| open.contains(tile));
        let line: Vec<Position> = line.collect();
        self.part = goals::part(&line, self.members.len(), self.me);
        if self.part.is_empty() {
            self.part.extend(line.get(self.me * line.len() / self.members.len()));
        }
    }

    /// The member to ask before the tiles are divided again: the leader, which collects the knowledge of all members; otherwise
    /// the member with the most open tiles.
    fn partner_before_dividing(&self, mind: &Mind, now: u64) -> Option<u32> {
        let left = |at: usize| mind.open(&self.shares[at]).len();
        let all: usize = (0..self.members.len()).map(left).sum();
        let is_due = |member: u32| self.asked.get(&member).is_none_or(|when| when + FRESH_MS < now);
        if self.me != 0 && is_due(self.members[0]) && asking_pays(mind, all) {
            return Some(self.members[0]);
        }
        let most = (0..self.members.len()).filter(|at| *at != self.me).max_by_key(|at| left(*at))?;
        let owner = self.members[most];
        (is_due(owner) && !self.unwilling.contains(&owner) && asking_pays(mind, left(most))).then_some(owner)
    }

    /// The member to ask while the player is idle: the one that was not asked for the longest time.
    pub(super) fn partner_when_idle(&mut self, now: u64) -> Option<u32> {
        let others = self.members.iter().copied().filter(|member| *member != self.members[self.me]);
        let longest = others.min_by_key(|member| self.asked.get(member).copied().unwrap_or(0))?;
        let due = self.asked.get(&longest).is_none_or(|when| when + IDLE_MS < now);
        due.then_some(longest)
    }
}

/// Whether it saves time to ask about this many tiles before trying them. The estimate assumes that others know half of them.
fn asking_pays(mind: &Mind, tiles: usize) -> bool {
    let costs = &mind.costs.actions;
    let wasted = taken(costs.place) + taken(costs.pick_up) + taken(costs.r#move);
    tiles as f64 / 2.0 * wasted > mind.costs.exchange as f64
}
