//! Finds a piece and brings it to a goal.

use engine::JavaRandom;
use project_rules::{Action, Direction, Position};

use super::{
    goals,
    mates::Mates,
    mind::{Hands, Mind, taken},
    search::Hunt,
};

/// The next action of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Act(Action),
    /// Sends two actions at once. The answer to the second shows whether the first was answered with silence.
    Both(Action, Action),
    /// Asks a player for an exchange.
    Ask(u32),
    /// Does nothing for this many milliseconds.
    Wait(u64),
}

/// How long a player waits if it can do nothing, in milliseconds.
pub(super) const PAUSE_MS: u64 = 300;

/// A decision of a player.
#[derive(Debug)]
pub(super) struct Errand<'e> {
    pub(super) mind: &'e mut Mind,
    /// The team, if the player works together with it.
    pub(super) mates: Option<&'e mut Mates>,
    pub(super) random: &'e mut JavaRandom,
    pub(super) now: u64,
}

impl Errand<'_> {
    pub(super) fn decide(&mut self) -> Wish {
        match self.mind.hands {
            Hands::Full => Wish::Both(Action::Test, Action::Discover),
            Hands::Empty | Hands::Unsure if self.mind.has_piece_here() => Wish::Act(Action::PickUp),
            Hands::Empty | Hands::Unsure => self.fetch(),
            Hands::Untested | Hands::Valid => self.deliver(),
        }
    }

    fn fetch(&mut self) -> Wish {
        match self.mind.hunt() {
            Hunt::Nothing => self.idle(),
            Hunt::Anywhere(tiles) => {
                let from = self.mind.position();
                let free = tiles.into_iter().filter(|tile| !self.is_pursued(*tile));
                let to = free.min_by_key(|tile| tile.distance(from));
                if let Some(to) = to { self.walk(to) } else { self.idle() }
            }
            Hunt::Among(tiles) => self.close_in(tiles),
        }
    }

    /// Whether another player of the team is on its way to a tile.
    fn is_pursued(&self, tile: Position) -> bool {
        self.mind.knowledge.is_pursued(tile, self.now)
    }

    /// Moves closer to most of the tiles where the piece may be, or discovers first if that saves time.
    fn close_in(&mut self, mut tiles: Vec<(Position, u32)>) -> Wish {
        tiles.retain(|(tile, _)| !self.is_pursued(*tile));
        if tiles.is_empty() {
            return self.idle();
        }
        let target = if let [(only, _)] = tiles[..] { Some(only) } else { None };
        self.mind.knowledge.pursue(target);
        if let Some(only) = target {
            return self.walk(only);
        }

        let from = self.mind.position();
        let all: f64 = tiles.iter().map(|(_, weight)| f64::from(*weight)).sum();
        let nearer = |way: Direction| -> f64 {
            let to = from.toward(way);
            let closer = |tile: &&(Position, u32)| tile.0.distance(to) < tile.0.distance(from);
            tiles.iter().filter(closer).map(|(_, weight)| f64::from(*weight)).sum::<f64>() / all
        };
        let mut ways = self.mind.walker(self.now).ways(&self.mind.crowd);
        self.random.shuffle(&mut ways);
        let best = ways.iter().map(|way| (nearer(*way), *way)).max_by(|one, other| one.0.total_cmp(&other.0));
        match best {
            None => Wish::Wait(PAUSE_MS),
            Some((share, _)) if self.discovering_pays(share) => Wish::Act(Action::Discover),
            Some((_, way)) => Wish::Act(Action::Move(way)),
        }
    }

    /// Whether to discover before a step. The player has to take back a step in the wrong direction.
    fn discovering_pays(&self, right: f64) -> bool {
        let costs = &self.mind.costs.actions;
        2.0 * (1.0 - right) * taken(costs.r#move) > taken(costs.discover)
    }

    /// Waits for pieces in the middle of the board.
    fn idle(&mut self) -> Wish {
        self.mind.knowledge.pursue(None);
        if let Some(partner) = self.mates.as_deref_mut().and_then(|mates| mates.partner_when_idle(self.now)) {
            return Wish::Ask(partner);
        }
        let area = self.mind.area();
        let middle = area.height / 2;
        let here = self.mind.position();
        if (here.y - middle).abs() > 1 {
            return self.walk(Position { x: here.x, y: middle });
        }
        Wish::Act(Action::Discover)
    }

    fn deliver(&mut self) -> Wish {
        let goal = match self.goal() {
            Ok(goal) => goal,
            Err(wish) => return wish,
        };
        self.mind.knowledge.pursue(Some(goal));
        let here = self.mind.position();
        let untested = self.mind.hands == Hands::Untested;
        if untested && self.mind.testing_pays(here.distance(goal)) {
            return Wish::Act(Action::Test);
        }
        if here != goal {
            return self.walk(goal);
        }
        // On a tile without a goal the piece stays, and the player picks it up again. A sham gets no answer.
        if untested { Wish::Both(Action::Place, Action::PickUp) } else { Wish::Act(Action::Place) }
    }

    /// The tile to try next, or the action to do instead.
    fn goal(&mut self) -> Result<Position, Wish> {
        if let Some(mates) = self.mates.as_deref_mut() {
            return mates.goal(self.mind, self.now);
        }
        let mut open = self.mind.open_anywhere();
        open.retain(|tile| !self.mind.crowd.is_at(*tile, self.now) && !self.is_pursued(*tile));
        goals::nearest(self.mind.position(), &open).ok_or(Wish::Wait(PAUSE_MS))
    }

    fn walk(&mut self, to: Position) -> Wish {
        let way = self.mind.walker(self.now).toward(to, &self.mind.crowd, self.random);
        way.map_or(Wish::Wait(PAUSE_MS), |way| Wish::Act(Action::Move(way)))
    }
}
