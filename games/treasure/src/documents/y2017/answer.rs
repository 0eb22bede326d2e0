//! What the server says.

use xml::{Problem, Writer, read};

use super::Spelling;
use crate::documents::LIMITS;

const NEW_PLAYER: &str = "NewPlayerResponse";
const NEW_MAP: &str = "CreateNewMapResponse";
const UPDATE: &str = "UpdateResponse";
const TROUBLE: &str = "ConnectionProblemResponse";
const POSITIONS: [&str; 4] = ["PlayerPositionX", "PlayerPositionY", "EnemyPositionX", "EnemyPositionY"];
const FLAGS: [&str; 3] = ["Treasure", "Win", "Loss"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Somebody takes part under this id.
    NewPlayer {
        id: i32,
    },
    /// The whole map. What the text says is in [`super::map_text`].
    NewMap {
        full: String,
    },
    Update(Updated),
    /// Something went wrong: whether the asker has lost.
    Trouble {
        loss: bool,
    },
}

/// How things stand after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Updated {
    pub x: i32,
    pub y: i32,
    pub enemy_x: i32,
    pub enemy_y: i32,
    pub treasure: bool,
    pub win: bool,
    pub loss: bool,
}

impl Answer {
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

    /// In the spelling of the request that is answered.
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
