//! Working together: everybody has a share of the goal area, and helps where more is left.

use std::collections::{BTreeMap, BTreeSet};

use project_rules::Position;

use super::{
    errand::{PAUSE, Wish},
    goals,
    mind::{Mind, taken},
};

/// How long what a mate has told counts as known, in milliseconds.
const FRESH: u64 = 10_000;
/// How often a player asks who has nothing else to do.
const IDLE: u64 = 5_000;

/// The own team.
#[derive(Clone, Debug)]
pub(super) struct Mates {
    /// The leader first.
    members: Vec<u32>,
    me: usize,
    /// Of each member.
    shares: Vec<Vec<Position>>,
    /// What this player tries.
    part: Vec<Position>,
    /// When each was asked last.
    asked: BTreeMap<u32, u64>,
    /// Who has declined.
    unwilling: BTreeSet<u32>,
}

impl Mates {
    pub(super) fn new(mind: &Mind, members: Vec<u32>) -> Self {
        let me = members.iter().position(|member| *member == mind.knowledge.me()).unwrap_or(0);
        let shares = goals::shares(mind.area(), mind.team, members.len());
        let part = shares[me].clone();
        Self { members, me, shares, part, asked: BTreeMap::new(), unwilling: BTreeSet::new() }
    }

    /// A mate was asked, or has told by itself.
    pub(super) fn met(&mut self, partner: u32, now: u64) {
        self.asked.insert(partner, now);
    }

    /// A mate was asked and declined.
    pub(super) fn declined(&mut self, partner: u32) {
        self.unwilling.insert(partner);
    }

    pub(super) fn has(&self, player: u32) -> bool {
        self.members.contains(&player)
    }

    /// The tile to try next. Each has a part of the goal area; when nothing is left of it, what is left of all is shared out
    /// again, as far as the player knows.
    pub(super) fn goal(&mut self, mind: &mut Mind, now: u64) -> Result<Position, Wish> {
        if mind.open(&self.part).is_empty() {
            if let Some(partner) = self.partner_before_sharing_out(mind, now) {
                return Err(Wish::Ask(partner));
            }
            self.share_out(mind);
        }
        let mut open = mind.open_anywhere();
        open.retain(|tile| !mind.crowd.is_at(*tile, now) && !mind.knowledge.is_pursued(*tile, now));
        let (own, others): (BTreeSet<Position>, BTreeSet<Position>) =
            open.into_iter().partition(|tile| self.part.contains(tile));
        let from = mind.position();
        goals::nearest(from, &own).or_else(|| goals::nearest(from, &others)).ok_or(Wish::Wait(PAUSE))
    }

    /// Everything that is left, as far as the player knows, in parts as at the start. Where fewer tiles are left than there are
    /// players, several try the same.
    fn share_out(&mut self, mind: &mut Mind) {
        let open = mind.open_anywhere();
        let line = goals::line(mind.area(), mind.team).into_iter().filter(|tile| open.contains(tile));
        let line: Vec<Position> = line.collect();
        self.part = goals::part(&line, self.members.len(), self.me);
        if self.part.is_empty() {
            self.part.extend(line.get(self.me * line.len() / self.members.len()));
        }
    }

    /// The leader, who hears from all; then the one of whose share most is left.
    fn partner_before_sharing_out(&self, mind: &Mind, now: u64) -> Option<u32> {
        let left = |at: usize| mind.open(&self.shares[at]).len();
        let all: usize = (0..self.members.len()).map(left).sum();
        let is_due = |member: u32| self.asked.get(&member).is_none_or(|when| when + FRESH < now);
        if self.me != 0 && is_due(self.members[0]) && asking_pays(mind, all) {
            return Some(self.members[0]);
        }
        let most = (0..self.members.len()).filter(|at| *at != self.me).max_by_key(|at| left(*at))?;
        let owner = self.members[most];
        (is_due(owner) && !self.unwilling.contains(&owner) && asking_pays(mind, left(most))).then_some(owner)
    }

    /// Whom to ask while there is nothing else to do: the one who was not asked for longest.
    pub(super) fn partner_when_idle(&mut self, now: u64) -> Option<u32> {
        let others = self.members.iter().copied().filter(|member| *member != self.members[self.me]);
        let longest = others.min_by_key(|member| self.asked.get(member).copied().unwrap_or(0))?;
        let due = self.asked.get(&longest).is_none_or(|when| when + IDLE < now);
        due.then_some(longest)
    }
}

/// Whether to ask about so many tiles before trying them: half of them, say, were tried already.
fn asking_pays(mind: &Mind, tiles: usize) -> bool {
    let costs = &mind.costs.actions;
    let wasted = taken(costs.place) + taken(costs.pick_up) + taken(costs.r#move);
    tiles as f64 / 2.0 * wasted > mind.costs.exchange as f64
}
