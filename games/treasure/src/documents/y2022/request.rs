//! The requests of a client.

use treasure_rules::{Direction, Terrain};
use xml::{Element, Problem, Writer};

use super::{TERRAINS, root, word};
use crate::documents::LIMITS;

/// The longest name or account, in characters. Neither may be empty.
pub const LONGEST_NAME: usize = 50;

const DIRECTIONS: [(&str, Direction); 4] =
    [("Up", Direction::Up), ("Down", Direction::Down), ("Left", Direction::Left), ("Right", Direction::Right)];

/// A registration: `playerRegistration`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: String,
    /// The account.
    pub account: String,
}

/// Half a map: `playerHalfMap`. The rules judge the number and the places of its nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HalfMap {
    /// The player's id.
    pub player: String,
    /// The fields.
    pub nodes: Vec<HalfNode>,
}

/// A field of a half. Its position is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfNode {
    /// The column, from 0.
    pub x: i32,
    /// The row, from 0.
    pub y: i32,
    /// Whether the player's fort is there.
    pub fort: bool,
    /// The terrain.
    pub terrain: Terrain,
}

/// One command of an avatar: `playerMove`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The player's id.
    pub player: String,
    /// Where to go.
    pub direction: Direction,
}

impl Registration {
    /// Reads the document.
    ///
    /// # Errors
    ///
    /// The document is not XML, or not of this kind.
    pub fn read(bytes: &[u8]) -> Result<Self, Problem> {
        let root = root(bytes, "playerRegistration")?;
        let name = |field: &str| Ok(root.child(field)?.text_of(1, LONGEST_NAME)?.to_owned());
        Ok(Self {
            first_name: name("studentFirstName")?,
            last_name: name("studentLastName")?,
            account: name("studentUAccount")?,
        })
    }

    /// Writes the document.
    pub fn write(&self) -> String {
        let mut writer = Writer::new(320);
        writer.open("playerRegistration");
        writer.leaf("studentFirstName", &self.first_name);
        writer.leaf("studentLastName", &self.last_name);
        writer.leaf("studentUAccount", &self.account);
        writer.close("playerRegistration");
        writer.finish()
    }
}

impl HalfMap {
    /// Reads the document.
    ///
    /// # Errors
    ///
    /// The document is not XML, or not of this kind.
    pub fn read(bytes: &[u8]) -> Result<Self, Problem> {
        let root = root(bytes, "playerHalfMap")?;
        let player = player_of(&root)?;
        let nodes = root.child("playerHalfMapNodes")?.all("playerHalfMapNode").map(HalfNode::read);
        Ok(Self { player, nodes: nodes.collect::<Result<_, _>>()? })
    }

    /// Writes the document.
    pub fn write(&self) -> String {
        let mut writer = Writer::new(256 + 160 * self.nodes.len());
        writer.open("playerHalfMap").leaf("uniquePlayerID", &self.player).open("playerHalfMapNodes");
        for node in &self.nodes {
            writer.open("playerHalfMapNode").leaf("X", node.x).leaf("Y", node.y);
            writer.leaf("fortPresent", node.fort).leaf("terrain", word(&TERRAINS, &node.terrain));
            writer.close("playerHalfMapNode");
        }
        writer.close("playerHalfMapNodes").close("playerHalfMap");
        writer.finish()
    }
}

impl HalfNode {
    fn read(node: &Element<'_>) -> Result<Self, Problem> {
        Ok(Self {
            x: node.child("X")?.int()?,
            y: node.child("Y")?.int()?,
            fort: node.child("fortPresent")?.boolean()?,
            terrain: node.child("terrain")?.one_of(&TERRAINS)?,
        })
    }
}

impl Move {
    /// Reads the document.
    ///
    /// # Errors
    ///
    /// The document is not XML, or not of this kind.
    pub fn read(bytes: &[u8]) -> Result<Self, Problem> {
        let root = root(bytes, "playerMove")?;
        Ok(Self { player: player_of(&root)?, direction: root.child("move")?.one_of(&DIRECTIONS)? })
    }

    /// Writes the document.
    pub fn write(&self) -> String {
        let mut writer = Writer::new(192);
        writer.open("playerMove").leaf("uniquePlayerID", &self.player);
        writer.leaf("move", word(&DIRECTIONS, &self.direction)).close("playerMove");
        writer.finish()
    }
}

fn player_of(root: &Element<'_>) -> Result<String, Problem> {
    Ok(root.child("uniquePlayerID")?.only_text()?.to_owned())
}

/// The player's id in a half or a move that is otherwise wrong, if it can be read.
pub fn sender(bytes: &[u8]) -> Option<String> {
    let root = xml::read(bytes, &LIMITS).ok()?;
    player_of(&root).ok()
}
