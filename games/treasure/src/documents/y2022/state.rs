//! How a game stands, as one of its players is told.

use treasure_rules::Terrain;
pub use treasure_rules::{FortState, PlayersState, Standing, TreasureState};

use super::{
    TERRAINS,
    answer::{data, envelope},
    word,
};
use xml::{Element, Problem, Writer};

/// How a game stands for one of its players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameState {
    /// Changes with every change, and only then.
    pub id: String,
    pub players: Vec<Player>,
    pub nodes: Vec<Node>,
}

/// One of the players. Only the own id is the real one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    pub id: String,
    pub first_name: String,
    pub last_name: String,
    pub account: String,
    pub standing: Standing,
    pub collected_treasure: bool,
}

/// A field of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub x: i32,
    pub y: i32,
    pub terrain: Terrain,
    pub players: PlayersState,
    pub treasure: TreasureState,
    pub fort: FortState,
}

const STANDINGS: [(&str, Standing); 4] = [
    ("Won", Standing::Won),
    ("Lost", Standing::Lost),
    ("MustAct", Standing::MustAct),
    ("MustWait", Standing::MustWait),
];

const PLAYERS_STATES: [(&str, PlayersState); 4] = [
    ("NoPlayerPresent", PlayersState::NoPlayerPresent),
    ("EnemyPlayerPosition", PlayersState::EnemyPlayerPosition),
    ("MyPlayerPosition", PlayersState::MyPlayerPosition),
    ("BothPlayerPosition", PlayersState::BothPlayerPosition),
];

const TREASURE_STATES: [(&str, TreasureState); 2] = [
    ("NoOrUnknownTreasureState", TreasureState::NoOrUnknownTreasureState),
    ("MyTreasureIsPresent", TreasureState::MyTreasureIsPresent),
];

const FORT_STATES: [(&str, FortState); 3] = [
    ("NoOrUnknownFortState", FortState::NoOrUnknownFortState),
    ("MyFortPresent", FortState::MyFortPresent),
    ("EnemyFortPresent", FortState::EnemyFortPresent),
];

impl GameState {
    /// From the `data` of an envelope.
    pub(super) fn read(data: &Element<'_>) -> Result<Self, Problem> {
        let players = data.child("players")?.all("player").map(Player::read);
        let nodes = match data.optional("map")? {
            Some(map) => map.optional("mapNodes")?.map(|nodes| nodes.all("mapNode").map(Node::read).collect()),
            None => None,
        };
        Ok(Self {
            id: data.child("gameStateId")?.only_text()?.to_owned(),
            players: players.collect::<Result<_, _>>()?,
            nodes: nodes.unwrap_or_else(|| Ok(Vec::new()))?,
        })
    }

    /// The whole answer with its envelope.
    pub fn write(&self) -> String {
        envelope(512 + 320 * self.players.len() + 224 * self.nodes.len(), |writer| {
            data(writer, "gameState").open("players");
            self.players.iter().for_each(|player| player.write(writer));
            writer.close("players").raw("<map><mapNodes>");
            self.nodes.iter().for_each(|node| node.write(writer));
            writer.raw("</mapNodes></map>").leaf("gameStateId", &self.id).close("data");
        })
    }
}

impl Player {
    fn read(player: &Element<'_>) -> Result<Self, Problem> {
        let text = |name: &str| Ok(player.child(name)?.only_text()?.to_owned());
        Ok(Self {
            id: text("uniquePlayerID")?,
            first_name: text("firstName")?,
            last_name: text("lastName")?,
            account: text("uaccount")?,
            standing: player.child("state")?.one_of(&STANDINGS)?,
            collected_treasure: player.child("collectedTreasure")?.boolean()?,
        })
    }

    fn write(&self, writer: &mut Writer) {
        writer.open("player").leaf("uniquePlayerID", &self.id).leaf("firstName", &self.first_name);
        writer.leaf("lastName", &self.last_name).leaf("uaccount", &self.account);
        writer.leaf("state", word(&STANDINGS, &self.standing)).leaf("collectedTreasure", self.collected_treasure);
        writer.close("player");
    }
}

impl Node {
    fn read(node: &Element<'_>) -> Result<Self, Problem> {
        Ok(Self {
            x: node.child("X")?.int()?,
            y: node.child("Y")?.int()?,
            terrain: node.child("terrain")?.one_of(&TERRAINS)?,
            players: node.child("playerPositionState")?.one_of(&PLAYERS_STATES)?,
            treasure: node.child("treasureState")?.one_of(&TREASURE_STATES)?,
            fort: node.child("fortState")?.one_of(&FORT_STATES)?,
        })
    }

    /// A hundred of these are most of an answer, so they are put together from words that need no escaping.
    fn write(&self, writer: &mut Writer) {
        for part in [
            "<mapNode><playerPositionState>",
            word(&PLAYERS_STATES, &self.players),
            "</playerPositionState><terrain>",
            word(&TERRAINS, &self.terrain),
            "</terrain><treasureState>",
            word(&TREASURE_STATES, &self.treasure),
            "</treasureState><fortState>",
            word(&FORT_STATES, &self.fort),
            "</fortState>",
        ] {
            writer.raw(part);
        }
        writer.leaf("X", self.x).leaf("Y", self.y).raw("</mapNode>");
    }
}
