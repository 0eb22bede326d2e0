//! A player's knowledge of a game, drawn for people.

use std::fmt;

use treasure_rules::{Position, Terrain};

/// A player's knowledge of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// The known fields, in any order.
    pub fields: Vec<(Position, Terrain)>,
    /// The player's own position.
    pub me: Option<Position>,
    /// The position at which the server shows the opponent.
    pub enemy: Option<Position>,
    /// Whether the shown position is the opponent's real one.
    pub enemy_is_real: bool,
    /// The player's own fort.
    pub fort: Option<Position>,
    /// The opponent's fort, once seen.
    pub enemy_fort: Option<Position>,
    /// The player's own treasure, once seen.
    pub treasure: Option<Position>,
    /// Whether the player has its treasure.
    pub collected: bool,
    /// Whether the opponent has its treasure. Only the protocol of 2022 reports this.
    pub enemy_collected: Option<bool>,
    /// Whether it is the player's turn.
    pub must_act: bool,
    /// The number of the player's own actions.
    pub actions: u32,
    /// The first column and row, as the protocol counts them.
    pub origin: u8,
}

/// The letters of the map.
pub const LEGEND: &str = "\
. grass  ^ mountain  ~ water  F own fort  E opponent's fort  T own treasure  @ you  & the opponent  * both";

impl Scene {
    /// The changes since an earlier scene, in words.
    pub fn news(&self, before: &Self) -> Vec<String> {
        let mut news = Vec::new();
        if let Some(at) = self.treasure.filter(|_| before.treasure.is_none()) {
            news.push(format!("the treasure is at {}", self.named(at)));
        }
        if self.collected && !before.collected {
            news.push("the treasure is collected".into());
        }
        if self.enemy_collected == Some(true) && before.enemy_collected != Some(true) {
            news.push("the opponent has its treasure".into());
        }
        if let Some(at) = self.enemy_fort.filter(|_| before.enemy_fort.is_none()) {
            news.push(format!("the opponent's fort is at {}", self.named(at)));
        }
        news
    }

    /// A position as the protocol counts it.
    fn named(&self, at: Position) -> String {
        let wire = |number: u8| u16::from(number) + u16::from(self.origin);
        format!("({}, {})", wire(at.x), wire(at.y))
    }

    /// Two letters for a field: the ground, and the players on it.
    fn letters(&self, at: Position, terrain: Terrain) -> [char; 2] {
        let here = |place: Option<Position>| place == Some(at);
        let ground = match terrain {
            _ if here(self.fort) => 'F',
            _ if here(self.enemy_fort) => 'E',
            _ if here(self.treasure) => 'T',
            Terrain::Grass => '.',
            Terrain::Mountain => '^',
            Terrain::Water => '~',
        };
        let who = match (here(self.me), here(self.enemy)) {
            (true, true) => '*',
            (true, false) => '@',
            (false, true) => '&',
            (false, false) => ' ',
        };
        [ground, who]
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = |coordinate: fn(&Position) -> u8| self.fields.iter().map(|(at, _)| coordinate(at)).max();
        for y in 0..=last(|at| at.y).unwrap_or_default() {
            let mut row: Vec<&(Position, Terrain)> = self.fields.iter().filter(|(at, _)| at.y == y).collect();
            row.sort_by_key(|(at, _)| at.x);
            let mut line = String::new();
            for (at, terrain) in row {
                let column = 2 * usize::from(at.x);
                line.extend(std::iter::repeat_n(' ', column.saturating_sub(line.len())));
                line.extend(self.letters(*at, *terrain));
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        let named = |at: Option<Position>| at.map_or_else(|| "-".into(), |at| self.named(at));
        let guess = if self.enemy_is_real { "" } else { " (perhaps)" };
        let treasure = match (self.collected, self.treasure) {
            (true, _) => "collected".into(),
            (false, Some(at)) => self.named(at),
            (false, None) => "not found".into(),
        };
        write!(f, "action {}  you {}  opponent {}{guess}  ", self.actions, named(self.me), named(self.enemy))?;
        write!(f, "treasure {treasure}  opponent's fort {}", named(self.enemy_fort))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server may send a position outside of the map.
    #[test]
    fn positions_outside_of_the_map() {
        let scene = Scene { me: Some(Position::clamped(-1, 0)), origin: 1, ..Scene::default() };
        assert!(scene.to_string().contains("you (256, 1)"), "{scene}");
    }
}
