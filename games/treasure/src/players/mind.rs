//! Who looks for the treasure and then for the fort, and remembers everything.

use treasure_rules::{Direction, Position, Profile, Terrain};

use super::{
    land::{Land, NO_WAY, NONE, Place, Places, Roads, only, tells_sight},
    plan,
};

/// Decides where to go.
pub trait Guide: Send {
    /// Takes in what is known now. It is called before every decision.
    fn learn(&mut self, news: &News);

    /// Where to go, one action of it; none where there is no way to anywhere.
    fn next(&mut self) -> Option<Direction>;
}

/// What a player knows at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct News {
    /// Where the player stands.
    pub me: Position,
    /// Where the own treasure lies, as soon as it was seen and until it is collected.
    pub treasure: Option<Position>,
    /// Whether the player has its treasure.
    pub collected: bool,
    /// Where the other's fort is, once it was seen.
    pub enemy_fort: Option<Position>,
    /// The last known place of the opponent.
    pub enemy: Option<Enemy>,
}

/// Where the other really is, and how much it can have walked at most to get there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enemy {
    /// Its place.
    pub at: Position,
    /// The most actions that it can have walked.
    pub walked: u32,
}

/// How many walks are kept in mind for every point of time of a plan.
const WALKS: usize = 150;

/// Looks at fields in the best order that it finds.
#[derive(Debug)]
pub struct Mind {
    profile: &'static Profile,
    land: Land,
    roads: Roads,
    me: Place,
    /// Fields of the own half on which the treasure can be.
    treasures: Places,
    /// Fields of the other half on which the fort can be by all that was seen of it, and by all that was seen of the other.
    forts: Places,
    near_enemy: Places,
    other_grass: Places,
    news: Option<News>,
    goal: Goal,
    /// The fields to enter, the last one first.
    route: Vec<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Enter(Place),
    Look(Places),
}

impl Mind {
    /// On a whole map, with the own fort, on which it starts.
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

    /// What to do now, and where it can be done.
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
            // It was not where it was shown. Then nothing is known of it.
            self.near_enemy = Places::MAX;
        }
        Goal::Look(self.forts & self.near_enemy)
    }

    /// Whether the route still leads to the goal: of what was to be looked at, only what is seen from here is done.
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
        // Without sight, a player does not learn that this is the fort until it enters it with the treasure.
        if tells_sight(self.profile) || news.collected {
            self.forts &= !sight;
        }
        if let Some(Enemy { at, walked }) = news.enemy
            && let Some(place) = self.land.place(at)
        {
            // What contradicts everything that was seen before is not believed.
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
