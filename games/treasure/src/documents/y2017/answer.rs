//! The answers of the server.

use xml::{Problem, Writer, read};

use super::Spelling;
use crate::documents::LIMITS;

const NEW_PLAYER: &str = "NewPlayerResponse";
const NEW_MAP: &str = "CreateNewMapResponse";
const UPDATE: &str = "UpdateResponse";
const TROUBLE: &str = "ConnectionProblemResponse";
const POSITIONS: [&str; 4] = ["PlayerPositionX", "PlayerPositionY", "EnemyPositionX", "EnemyPositionY"];
const FLAGS: [&str; 3] = ["Treasure", "Win", "Loss"];

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The player is registered.
    NewPlayer {
        /// The player's id.
        id: i32,
    },
    /// Both halves are there.
    NewMap {
        /// The whole map. [`super::map_text`] reads it.
        full: String,
    },
    /// The command was taken.
    Update(Updated),
    /// The request failed.
    Trouble {
        /// Whether the player has lost.
        loss: bool,
    },
}

/// The state of the game after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Updated {
    /// The column of the player's avatar, from 1.
    pub x: i32,
    /// The row of the player's avatar, from 1.
    pub y: i32,
    /// The column of the opponent's avatar.
    pub enemy_x: i32,
    /// The row of the opponent's avatar.
    pub enemy_y: i32,
    /// Whether the player has its treasure.
    pub treasure: bool,
    /// Whether the player has won.
    pub win: bool,
    /// Whether the player has lost.
    pub loss: bool,
}

impl Answer {
    /// Reads an answer.
    ///
    /// # Errors
    ///
    /// The document is not XML, or not an answer of this protocol.
    pub fn read(bytes: &[u8]) -> Result<Self, Problem> {
        let root = read(bytes, &LIMITS)?;
        let int = |name: &str| root.child_in_any_case(&[name])?.int();
        let flag = |name: &str| root.child_in_any_case(&[name])?.boolean();
        let is = |name: &str| root.name.eq_ignore_ascii_case(name);
        let ([x, y, enemy_x, enemy_y], [treasure, win, loss]) = (POSITIONS, FLAGS);
        if is(NEW_PLAYER) {
            Ok(Self::NewPlayer { id: int("ID")? })
        } else if is(NEW_MAP) {
            Ok(Self::NewMap { full: root.child_in_any_case(&["FullMap"])?.only_text()?.to_owned() })
        } else if is(UPDATE) {
            Ok(Self::Update(Updated {
                x: int(x)?,
                y: int(y)?,
                enemy_x: int(enemy_x)?,
                enemy_y: int(enemy_y)?,
                treasure: flag(treasure)?,
                win: flag(win)?,
                loss: flag(loss)?,
            }))
        } else if is(TROUBLE) {
            Ok(Self::Trouble { loss: flag(loss)? })
        } else {
            let known = [NEW_PLAYER, NEW_MAP, UPDATE, TROUBLE].join(">, <");
            Err(root.problem(format!("the document is a <{}>; what works: <{known}>", root.name)))
        }
    }

    /// Writes the answer in the spelling of its request.
    pub fn write(&self, spelling: &Spelling) -> String {
        let mut writer = Writer::new(512);
        let name = spelling.root(match self {
            Self::NewPlayer { .. } => NEW_PLAYER,
            Self::NewMap { .. } => NEW_MAP,
            Self::Update(_) => UPDATE,
            Self::Trouble { .. } => TROUBLE,
        });
        writer.open(&name);
        match self {
            Self::NewPlayer { id } => {
                writer.leaf(&spelling.field("ID"), id);
            }
            Self::NewMap { full } => {
                writer.leaf(&spelling.field("FullMap"), full);
            }
            Self::Update(updated) => {
                let numbers = [updated.x, updated.y, updated.enemy_x, updated.enemy_y];
                for (name, number) in POSITIONS.into_iter().zip(numbers) {
                    writer.leaf(&spelling.field(name), number);
                }
                for (name, flag) in FLAGS.into_iter().zip([updated.treasure, updated.win, updated.loss]) {
                    writer.leaf(&spelling.field(name), flag);
                }
            }
            Self::Trouble { loss } => {
                writer.leaf(&spelling.field("Loss"), loss);
            }
        }
        writer.close(&name);
        writer.finish()
    }
}
