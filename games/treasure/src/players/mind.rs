//! A guide that searches for the treasure and then for the fort, and remembers everything that it sees.

use treasure_rules::{Direction, Position, Profile, Terrain};

use super::{
    land::{Land, NO_WAY, NONE, Place, Places, Roads, only, tells_sight},
    plan,
};

/// Decides where to go.
pub trait Guide: Send {
    /// Takes the current knowledge. Called before every decision.
    fn learn(&mut self, news: &News);

    /// The direction of the next action. `None` if no field can be reached.
    fn next(&mut self) -> Option<Direction>;
}

/// The knowledge of a player at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct News {
    /// The position of the player.
    pub me: Position,
    /// The place of the player's own treasure, after it was seen and before it is collected.
    pub treasure: Option<Position>,
    /// Whether the player has its treasure.
    pub collected: bool,
    /// The place of the opponent's fort, once it was seen.
    pub enemy_fort: Option<Position>,
    /// The last known place of the opponent.
    pub enemy: Option<Enemy>,
}

/// The real position of the opponent, and the longest way that it can have walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enemy {
    /// The position.
    pub at: Position,
    /// The most actions that the opponent can have spent on walking.
    pub walked: u32,
}

/// The number of walks that a plan keeps for every point of time.
const WALKS: usize = 150;

/// A guide that looks at fields in the best order that it finds.
#[derive(Debug)]
pub struct Mind {
    profile: &'static Profile,
    land: Land,
    roads: Roads,
    me: Place,
    /// Fields of the player's own half that may have the treasure.
    treasures: Places,
    /// Fields that may have the opponent's fort: by the fields that were seen (`forts`), and by the positions of the opponent
    /// (`near_enemy`).
    forts: Places,
    near_enemy: Places,
    other_grass: Places,
    news: Option<News>,
    goal: Goal,
    /// The fields to enter, in reverse order.
    route: Vec<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Enter(Place),
    Look(Places),
}

impl Mind {
    /// Creates a guide for a whole map. It starts on its own fort.
    pub fn new(profile: &'static Profile, land: Land, fort: Position) -> Self {
        let roads = Roads::new(&land, profile);
        let me = land.place(fort).unwrap_or_default();
        let own = own_half(&land, profile, fort);
        let reachable = roads.around(me, NO_WAY - 1);
        let grass = land.all(Terrain::Grass) & reachable & !only(me);
        Self {
            profile,
            me,
            treasures: grass & own,
            forts: grass & !own,
            other_grass: grass & !own,
            near_enemy: Places::MAX,
            news: None,
            goal: Goal::Look(NONE),
            route: Vec::new(),
            land,
            roads,
        }
    }

    /// The current goal.
    fn goal(&mut self) -> Goal {
        let known = |at: Option<Position>| at.and_then(|at| self.land.place(at));
        let news = self.news;
        let collected = news.is_some_and(|news| news.collected);
        let seen = if collected {
            known(news.and_then(|news| news.enemy_fort))
        } else {
            known(news.and_then(|news| news.treasure))
        };
        if let Some(place) = seen {
            return Goal::Enter(place);
        }
        if !collected {
            return Goal::Look(self.treasures);
        }
        if self.forts & self.near_enemy == NONE {
            // The fort is not near the shown positions of the opponent, so these are ignored from now on.
            self.near_enemy = Places::MAX;
        }
        Goal::Look(self.forts & self.near_enemy)
    }

    /// Whether the route still leads to the goal: the goal is the same, or lacks only the fields that are visible from here.
    fn leads_to(&self, goal: Goal) -> bool {
        let expected = match self.goal {
            Goal::Look(wanted) => Goal::Look(wanted & !self.roads.sight(self.me)),
            Goal::Enter(place) => Goal::Enter(place),
        };
        let next_is_beside = self.route.last().is_some_and(|&next| self.land.towards(self.me, next).is_some());
        next_is_beside && (goal == self.goal || goal == expected)
    }
}

impl Guide for Mind {
    fn learn(&mut self, news: &News) {
        if let Some(me) = self.land.place(news.me) {
            if self.route.last() == Some(&me) {
                self.route.pop();
            }
            self.me = me;
        }
        let sight = self.roads.sight(self.me);
        self.treasures &= !sight;
        // In 2017, a player notices the fort only when it enters it with the treasure.
        if tells_sight(self.profile) || news.collected {
            self.forts &= !sight;
        }
        if let Some(Enemy { at, walked }) = news.enemy
            && let Some(place) = self.land.place(at)
        {
            // Ignores a position that contradicts all earlier ones.
            let near = self.near_enemy & self.roads.around(place, walked);
            if near & self.other_grass != NONE {
                self.near_enemy = near;
            }
        }
        self.news = Some(*news);
    }

    fn next(&mut self) -> Option<Direction> {
        let goal = self.goal();
        if !self.leads_to(goal) {
            self.route = match goal {
                Goal::Enter(place) => self.roads.way(self.me, place),
                Goal::Look(wanted) => plan::search(&self.roads, self.me, wanted, WALKS).way,
            };
            self.route.reverse();
        }
        self.goal = goal;
        let next = self.route.last().copied().or_else(|| Some(self.roads.steps(self.me).first()?.0))?;
        self.land.towards(self.me, next)
    }
}

/// The fields of the half that has this fort.
pub fn own_half(land: &Land, profile: &Profile, fort: Position) -> Places {
    let (columns, rows) = (usize::from(profile.width), usize::from(profile.height));
    let left = usize::from(fort.x) / columns * columns;
    let top = usize::from(fort.y) / rows * rows;
    land.within(left, top, columns, rows)
}
