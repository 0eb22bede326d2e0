//! The memory of a player, besides the knowledge that it can share.

use std::{collections::BTreeSet, sync::Arc};

use project_rules::{
    Action, Answer, Area, Placed, Position, Team, Tested, Zone,
    knowledge::{Knowledge, Shared},
};

use super::{
    Costs, goals,
    search::{Hunt, Sightings},
    walk::{Crowd, Walker},
};

/// The assumption before any piece is tested: one in four is a sham.
const EXPECTED_SHAMS: f64 = 1.0;
const EXPECTED_PIECES: f64 = 4.0;

#[derive(Clone, Debug)]
pub(super) struct Mind {
    pub(super) knowledge: Knowledge,
    pub(super) team: Team,
    pub(super) hands: Hands,
    pub(super) crowd: Crowd,
    pub(super) costs: Costs,
    sightings: Sightings,
    /// Tiles of the goal area where placing was refused without a reason.
    refused: BTreeSet<Position>,
    /// How many pieces were found to be valid or shams.
    judged: u32,
    /// How many of them were shams.
    shams: u32,
}

/// The piece that a player carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hands {
    Empty,
    /// A piece that may be a sham.
    Untested,
    Valid,
    /// The player does not know whether it carries a piece. Placing was answered with silence, so the piece was a sham and is
    /// gone, or the request was lost. Or the process was restarted.
    Unsure,
    /// As `Unsure`, but picking up a piece failed, so the player tests next.
    Full,
}

impl Mind {
    /// The mind of a player that begins, or whose process was restarted.
    pub(super) fn new(knowledge: Knowledge, team: Team, costs: Costs, hands: Hands) -> Self {
        Self {
            knowledge,
            team,
            hands,
            crowd: Crowd::default(),
            costs,
            sightings: Sightings::default(),
            refused: BTreeSet::new(),
            judged: 0,
            shams: 0,
        }
    }

    pub(super) fn area(&self) -> Area {
        self.knowledge.area()
    }

    pub(super) fn position(&self) -> Position {
        self.knowledge.position()
    }

    pub(super) fn walker(&self, now: u64) -> Walker {
        Walker { area: self.area(), team: self.team, from: self.position(), now }
    }

    /// The players of a team, the leader first.
    pub(super) fn members(players: &Arc<[(u32, Team)]>, team: Team) -> Vec<u32> {
        players.iter().filter(|(_, of)| *of == team).map(|(id, _)| *id).collect()
    }

    pub(super) fn is_goal_area(&self, at: Position) -> bool {
        self.area().zone(at) == Some(Zone::Goal(self.team))
    }

    pub(super) fn hunt(&self) -> Hunt {
        self.sightings.hunt(self.area())
    }

    /// Whether a piece lies at the player's position, as far as the player knows.
    pub(super) fn has_piece_here(&self) -> bool {
        let here = self.position();
        if self.is_goal_area(here) {
            return self.knowledge.tiles().get(&here).is_some_and(|seen| seen.piece);
        }
        self.sightings.newest_at(here).is_some_and(|sighting| sighting.least == 0)
    }

    /// The given tiles that may have an open goal.
    pub(super) fn open<'m>(&'m self, tiles: impl IntoIterator<Item = &'m Position>) -> BTreeSet<Position> {
        let is_open = |tile: &&Position| {
            let told = self.knowledge.tiles().get(tile).is_some_and(|seen| seen.goal.is_some());
            !told && !self.refused.contains(tile)
        };
        tiles.into_iter().filter(is_open).copied().collect()
    }

    /// All tiles that may have an open goal. If there are none, the player tries refused tiles again.
    pub(super) fn open_anywhere(&mut self) -> BTreeSet<Position> {
        let line = goals::line(self.area(), self.team);
        let open = self.open(&line);
        if !open.is_empty() {
            return open;
        }
        self.refused.clear();
        self.open(&line)
    }

    /// Whether it saves time to test a piece before carrying it this far. A sham wastes the way there and back.
    pub(super) fn testing_pays(&self, way: i32) -> bool {
        let costs = &self.costs.actions;
        let sham = (f64::from(self.shams) + EXPECTED_SHAMS) / (f64::from(self.judged) + EXPECTED_PIECES);
        let wasted = 2.0 * f64::from(way) * taken(costs.r#move) + taken(costs.place) + taken(costs.pick_up);
        sham * wasted > taken(costs.test)
    }

    pub(super) fn hear(&mut self, action: Action, answer: &Answer, now: u64) {
        let stood = self.position();
        self.knowledge.answered(answer, now);
        match answer {
            Answer::Moved { success, distance, .. } => self.hear_moved(action, stood, *success, *distance, now),
            Answer::Discovered { tiles } => {
                for tile in tiles.iter() {
                    self.sightings.distance(tile.position, tile.distance, now);
                    if tile.player.is_some() {
                        self.crowd.meet(tile.position, now);
                    }
                }
            }
            Answer::PickedUp { success } => self.hear_picked_up(stood, *success, now),
            Answer::Tested { result: Tested::Piece } => {
                self.judged += 1;
                self.hands = Hands::Valid;
            }
            Answer::Tested { result: Tested::Sham } => self.lose_sham(Hands::Empty),
            Answer::Placed { result } => self.hear_placed(stood, *result),
            Answer::Silence if action == Action::Place => self.lose_sham(Hands::Unsure),
            // The player carried nothing.
            Answer::Silence => self.hands = Hands::Empty,
        }
    }

    /// Notes the distances in tiles that another player has shared.
    pub(super) fn learn(&mut self, shared: &[Shared], now: u64) {
        for Shared { tile, timestamp, .. } in shared {
            let here = tile.position == self.position();
            if self.area().zone(tile.position).is_some() && !here && tile.distance >= 0 && *timestamp > 0 {
                self.sightings.distance(tile.position, tile.distance, (*timestamp).min(now));
            }
        }
    }

    fn hear_moved(&mut self, action: Action, stood: Position, success: bool, distance: Option<i32>, now: u64) {
        if let (true, Some(distance)) = (success, distance) {
            self.sightings.distance(self.position(), distance, now);
            self.crowd.pass();
        } else if let Action::Move(direction) = action {
            self.crowd.fail(stood.toward(direction), now);
        }
    }

    fn hear_picked_up(&mut self, stood: Position, success: bool, now: u64) {
        let expected = self.has_piece_here();
        if self.is_goal_area(stood) {
            // Only valid pieces lie in the goal area: a sham disappears when it is placed.
            if success {
                self.hands = Hands::Valid;
            }
            return;
        }
        self.sightings.none_at(stood, now);
        match (success, self.hands) {
            (true, _) => self.hands = Hands::Untested,
            (false, Hands::Unsure) if expected => self.hands = Hands::Full,
            (false, _) => {}
        }
    }

    fn hear_placed(&mut self, stood: Position, placed: Placed) {
        if self.hands == Hands::Untested && placed != Placed::Disallowed {
            self.judged += 1;
        }
        match placed {
            Placed::Completed | Placed::Meaningless => self.hands = Hands::Empty,
            Placed::Disallowed if self.is_goal_area(stood) => {
                self.refused.insert(stood);
            }
            Placed::Disallowed => {}
        }
    }

    fn lose_sham(&mut self, hands: Hands) {
        self.judged += 1;
        self.shams += 1;
        self.hands = hands;
    }
}

/// The time that an action takes. Even without a cost it takes the time of a message there and back.
pub(super) fn taken(cost: u64) -> f64 {
    cost.max(10) as f64
}
