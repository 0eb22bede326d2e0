//! What a client asks.

use xml::{Element, Problem, Writer, read, tagged};

use super::Spelling;
use crate::documents::LIMITS;

/// How long names and numbers of matriculation may be, in characters: what the records have room for.
pub const LONGEST_NAME: usize = 30;
pub const LONGEST_NUMBER: usize = 9;

const FIRST_NAME: &str = "FirstName";
const LAST_NAMES: [&str; 2] = ["SurName", "SecondName"];
const NUMBERS: [&str; 2] = ["MatriculationNumber", "Matrikelnummer"];
const ID: &str = "ID";
const MAP_HALF: &str = "MapHalf";
const TURNS: [&str; 2] = ["TurnsUntilMovement", "TurnsLeft"];
const POSITIONS: [&str; 4] = ["PlayerPositionX", "PlayerPositionY", "WantedPositionX", "WantedPositionY"];

/// Somebody wants to play: `NewPlayerRequest`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPlayer {
    pub first_name: String,
    pub last_name: String,
    pub number: String,
}

/// Half a map: `CreateNewMapRequest`. What the text says is in [`super::map_text`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMap {
    pub id: i32,
    pub half: String,
}

/// One command of an avatar: `UpdateRequest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    pub id: i32,
    pub x: i32,
    pub y: i32,
    pub wanted_x: i32,
    pub wanted_y: i32,
    pub turns: i32,
}

/// What is the matter? `ConnectionProblemRequest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    pub id: i32,
}

/// A request, and how it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard<T> {
    pub request: T,
    pub spelling: Spelling,
}

/// A request that says nothing, with what can be read of it all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Garbled {
    pub problem: Problem,
    pub spelling: Spelling,
    pub id: Option<i32>,
}

impl NewPlayer {
    pub fn read(bytes: &[u8]) -> Result<Heard<Self>, Garbled> {
        heard(bytes, "NewPlayerRequest", |root| {
            let text = |names: &[&str], most| Ok(root.child_in_any_case(names)?.text_of(0, most)?.to_owned());
            Ok(Self {
                first_name: text(&[FIRST_NAME], LONGEST_NAME)?,
                last_name: text(&LAST_NAMES, LONGEST_NAME)?,
                number: text(&NUMBERS, LONGEST_NUMBER)?,
            })
        })
    }

    pub fn write(&self) -> String {
        let mut writer = Writer::new(256);
        writer.open("NewPlayerRequest").leaf(FIRST_NAME, &self.first_name).leaf(LAST_NAMES[0], &self.last_name);
        writer.leaf(NUMBERS[0], &self.number).close("NewPlayerRequest");
        writer.finish()
    }
}

impl NewMap {
    pub fn read(bytes: &[u8]) -> Result<Heard<Self>, Garbled> {
        heard(bytes, "CreateNewMapRequest", |root| {
            let half = root.child_in_any_case(&[MAP_HALF])?.only_text()?.to_owned();
            Ok(Self { id: id_of(root)?, half })
        })
    }

    pub fn write(&self) -> String {
        let mut writer = Writer::new(256);
        writer.open("CreateNewMapRequest").leaf(ID, self.id).leaf(MAP_HALF, &self.half).close("CreateNewMapRequest");
        writer.finish()
    }
}

impl Update {
    pub fn read(bytes: &[u8]) -> Result<Heard<Self>, Garbled> {
        heard(bytes, "UpdateRequest", |root| {
            let int = |names: &[&str]| root.child_in_any_case(names)?.int();
            let [x, y, wanted_x, wanted_y] = POSITIONS;
            Ok(Self {
                id: id_of(root)?,
                x: int(&[x])?,
                y: int(&[y])?,
                wanted_x: int(&[wanted_x])?,
                wanted_y: int(&[wanted_y])?,
                turns: int(&TURNS)?,
            })
        })
    }

    pub fn write(&self) -> String {
        let mut writer = Writer::new(512);
        writer.open("UpdateRequest").leaf(ID, self.id);
        for (name, value) in POSITIONS.into_iter().zip([self.x, self.y, self.wanted_x, self.wanted_y]) {
            writer.leaf(name, value);
        }
        writer.leaf(TURNS[0], self.turns).close("UpdateRequest");
        writer.finish()
    }
}

impl Trouble {
    pub fn read(bytes: &[u8]) -> Result<Heard<Self>, Garbled> {
        heard(bytes, "ConnectionProblemRequest", |root| Ok(Self { id: id_of(root)? }))
    }

    pub fn write(&self) -> String {
        let mut writer = Writer::new(128);
        writer.open("ConnectionProblemRequest").leaf(ID, self.id).close("ConnectionProblemRequest");
        writer.finish()
    }
}

fn id_of(root: &Element<'_>) -> Result<i32, Problem> {
    root.child_in_any_case(&[ID])?.int()
}

/// Reads a request with this root.
fn heard<T>(
    bytes: &[u8],
    name: &str,
    meaning: impl Fn(&Element<'_>) -> Result<T, Problem>,
) -> Result<Heard<T>, Garbled> {
    let root = match read(bytes, &LIMITS) {
        Ok(root) => root,
        Err(problem) => return Err(Garbled { problem, spelling: Spelling::default(), id: None }),
    };
    let fields = [&[FIRST_NAME, ID, MAP_HALF][..], &LAST_NAMES, &NUMBERS, &TURNS, &POSITIONS].concat();
    let spelling = Spelling::of(&root, &fields);
    let request = if root.name.eq_ignore_ascii_case(name) {
        meaning(&root)
    } else {
        Err(root.problem(format!("the document is a {}, and has to be a <{name}>", tagged(root.name))))
    };
    match request {
        Ok(request) => Ok(Heard { request, spelling }),
        Err(problem) => Err(Garbled { problem, spelling, id: id_of(&root).ok() }),
    }
}
