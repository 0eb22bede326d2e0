//! The state of a game as a script sees it.

use serde::{Deserialize, Serialize};
use treasure_rules::{FortState, PlayersState, Terrain, TreasureState};

use crate::documents::y2022::state::{GameState, Node, Player};

/// The state of a game for one of its players. A script names the fields that matter, and `".."` for the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The client itself.
    me: Entrant,
    /// The opponent, once it is registered.
    opponent: Option<Entrant>,
    /// The known rows of the map, as letters: `G`, `M`, `W`, and `.` for an unknown field.
    map: Vec<String>,
    /// Where the client's avatar is: column and row.
    at: Vec<Place>,
    /// Where the opponent's avatar is. It is made up before action 16.
    opponent_at: Vec<Place>,
    /// Where the client's fort is.
    fort: Vec<Place>,
    /// Where the opponent's fort was seen.
    opponent_fort: Vec<Place>,
    /// Where the client's treasure was seen, until it is collected.
    treasure: Vec<Place>,
}

/// Column and row.
type Place = (i32, i32);

/// A player in the state of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entrant {
    first_name: String,
    last_name: String,
    account: String,
    /// `MustAct`, `MustWait`, `Won` or `Lost`.
    state: String,
    collected: bool,
}

impl Seen {
    /// What a document says to the client with this id.
    pub(super) fn of(state: &GameState, id: &str) -> Self {
        let entrant = |player: &Player| Entrant {
            first_name: player.first_name.clone(),
            last_name: player.last_name.clone(),
            account: player.account.clone(),
            state: format!("{:?}", player.standing),
            collected: player.collected_treasure,
        };
        let absent = || Entrant {
            first_name: String::new(),
            last_name: String::new(),
            account: String::new(),
            state: String::new(),
            collected: false,
        };
        let places = |what: fn(&Node) -> bool| {
            let mut places: Vec<Place> =
                state.nodes.iter().filter(|node| what(node)).map(|node| (node.x, node.y)).collect();
            places.sort_unstable();
            places
        };
        Self {
            me: state.players.iter().find(|player| player.id == id).map_or_else(absent, entrant),
            opponent: state.players.iter().find(|player| player.id != id).map(entrant),
            map: rows(&state.nodes),
            at: places(|node| {
                matches!(node.players, PlayersState::MyPlayerPosition | PlayersState::BothPlayerPosition)
            }),
            opponent_at: places(|node| {
                matches!(node.players, PlayersState::EnemyPlayerPosition | PlayersState::BothPlayerPosition)
            }),
            fort: places(|node| node.fort == FortState::MyFortPresent),
            opponent_fort: places(|node| node.fort == FortState::EnemyFortPresent),
            treasure: places(|node| node.treasure == TreasureState::MyTreasureIsPresent),
        }
    }
}

/// The longest side of a map that is shown.
const LONGEST: i32 = 1000;

fn rows(nodes: &[Node]) -> Vec<String> {
    let end = |side: fn(&Node) -> i32| nodes.iter().map(side).max().map_or(0, |last| last.clamp(-1, LONGEST) + 1);
    let (width, height) = (end(|node| node.x), end(|node| node.y));
    let letter = |x: i32, y: i32| match nodes.iter().find(|node| (node.x, node.y) == (x, y)).map(|node| node.terrain) {
        Some(Terrain::Grass) => 'G',
        Some(Terrain::Mountain) => 'M',
        Some(Terrain::Water) => 'W',
        None => '.',
    };
    (0..height).map(|y| (0..width).map(|x| letter(x, y)).collect()).collect()
}
