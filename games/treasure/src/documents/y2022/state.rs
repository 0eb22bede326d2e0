//! The state of a game for one of its players.

use treasure_rules::Terrain;
pub use treasure_rules::{FortState, PlayersState, Standing, TreasureState};

use super::{
    TERRAINS,
    answer::{data, envelope},
    word,
};
use xml::{Element, Problem, Writer};

/// The state of a game for one of its players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameState {
    /// An id that differs after every change, and only then.
    pub id: String,
    /// The registered players.
    pub players: Vec<Player>,
    /// The known fields.
    pub nodes: Vec<Node>,
}

/// A player. Only the id of the client itself is real.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The id; made up for the opponent.
    pub id: String,
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: String,
    /// The account.
    pub account: String,
    /// Whether it must act, must wait, has won or has lost.
    pub standing: Standing,
    /// Whether it has its treasure.
    pub collected_treasure: bool,
}

/// A field of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The column, from 0.
    pub x: i32,
    /// The row, from 0.
    pub y: i32,
    /// The terrain.
    pub terrain: Terrain,
    /// The avatars there.
    pub players: PlayersState,
    /// Whether the client's treasure is known to be there.
    pub treasure: TreasureState,
    /// Whether a fort is known to be there.
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
    /// Reads the `data` of an envelope.
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

    /// Writes the whole answer with its envelope.
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

    /// An answer has up to a hundred of these. They are written fast, from words that need no escaping.
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
