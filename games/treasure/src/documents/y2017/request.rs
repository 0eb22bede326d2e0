//! The requests of a client.

use xml::{Element, Problem, Writer, read, tagged};

use super::Spelling;
use crate::documents::LIMITS;

/// The longest name, in characters. The database records have room for it.
pub const LONGEST_NAME: usize = 30;
/// The longest matriculation number, in characters.
pub const LONGEST_NUMBER: usize = 9;

const FIRST_NAME: &str = "FirstName";
const LAST_NAMES: [&str; 2] = ["SurName", "SecondName"];
const NUMBERS: [&str; 2] = ["MatriculationNumber", "Matrikelnummer"];
const ID: &str = "ID";
const MAP_HALF: &str = "MapHalf";
const TURNS: [&str; 2] = ["TurnsUntilMovement", "TurnsLeft"];
const POSITIONS: [&str; 4] = ["PlayerPositionX", "PlayerPositionY", "WantedPositionX", "WantedPositionY"];

/// A registration: `NewPlayerRequest`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPlayer {
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: String,
    /// The matriculation number.
    pub number: String,
}

/// Half a map: `CreateNewMapRequest`. [`super::map_text`] reads the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMap {
    /// The player's id.
    pub id: i32,
    /// The text of the half.
    pub half: String,
}

/// One command of an avatar: `UpdateRequest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    /// The player's id.
    pub id: i32,
    /// The column of the avatar, from 1.
    pub x: i32,
    /// The row of the avatar, from 1.
    pub y: i32,
    /// The column that it goes to.
    pub wanted_x: i32,
    /// The row that it goes to.
    pub wanted_y: i32,
    /// The number of further updates until the step.
    pub turns: i32,
}

/// A question after a failed request: `ConnectionProblemRequest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The player's id.
    pub id: i32,
}

/// A parsed request and its spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<T> {
    /// The request.
    pub request: T,
    /// The spelling of its names.
    pub spelling: Spelling,
}

/// An unreadable request, and the parts of it that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Garbled {
    /// The error.
    pub problem: Problem,
    /// The spelling of its names, as far as it can be read.
    pub spelling: Spelling,
    /// The player's id, if it can be read.
    pub id: Option<i32>,
}

impl NewPlayer {
    /// Reads the request.
    ///
    /// # Errors
    ///
    /// The document is not XML, or not this request.
    pub fn read(bytes: &[u8]) -> Result<Parsed<Self>, Garbled> {
        parse(bytes, "NewPlayerRequest", |root| {
            let text = |names: &[&str], most| Ok(root.child_in_any_case(names)?.text_of(0, most)?.to_owned());
            Ok(Self {
                first_name: text(&[FIRST_NAME], LONGEST_NAME)?,
                last_name: text(&LAST_NAMES, LONGEST_NAME)?,
                number: text(&NUMBERS, LONGEST_NUMBER)?,
            })
        })
    }

    /// Writes the request.
    pub fn write(&self) -> String {
        let mut writer = Writer::new(256);
        writer.open("NewPlayerRequest").leaf(FIRST_NAME, &self.first_name).leaf(LAST_NAMES[0], &self.last_name);
        writer.leaf(NUMBERS[0], &self.number).close("NewPlayerRequest");
        writer.finish()
    }
}

impl NewMap {
    /// Reads the request.
    ///
    /// # Errors
    ///
    /// The document is not XML, or not this request.
    pub fn read(bytes: &[u8]) -> Result<Parsed<Self>, Garbled> {
        parse(bytes, "CreateNewMapRequest", |root| {
            let half = root.child_in_any_case(&[MAP_HALF])?.only_text()?.to_owned();
            Ok(Self { id: id_of(root)?, half })
        })
    }

    /// Writes the request.
    pub fn write(&self) -> String {
        let mut writer = Writer::new(256);
        writer.open("CreateNewMapRequest").leaf(ID, self.id).leaf(MAP_HALF, &self.half).close("CreateNewMapRequest");
        writer.finish()
    }
}

impl Update {
    /// Reads the request.
    ///
    /// # Errors
    ///
    /// The document is not XML, or not this request.
    pub fn read(bytes: &[u8]) -> Result<Parsed<Self>, Garbled> {
        parse(bytes, "UpdateRequest", |root| {
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

    /// Writes the request.
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
    /// Reads the request.
    ///
    /// # Errors
    ///
    /// The document is not XML, or not this request.
    pub fn read(bytes: &[u8]) -> Result<Parsed<Self>, Garbled> {
        parse(bytes, "ConnectionProblemRequest", |root| Ok(Self { id: id_of(root)? }))
    }

    /// Writes the request.
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
fn parse<T>(
    bytes: &[u8],
    name: &str,
    meaning: impl Fn(&Element<'_>) -> Result<T, Problem>,
) -> Result<Parsed<T>, Garbled> {
    let root = match read(bytes, &LIMITS) {
        Ok(root) => root,
        Err(problem) => return Err(Garbled { problem, spelling: Spelling::default(), id: None }),
    };
    let fields = [&[FIRST_NAME, ID, MAP_HALF][..], &LAST_NAMES, &NUMBERS, &TURNS, &POSITIONS].concat();
    let spelling = Spelling::from_element(&root, &fields);
    let request = if root.name.eq_ignore_ascii_case(name) {
        meaning(&root)
    } else {
        Err(root.problem(format!("the document is a {}, and has to be a <{name}>", tagged(root.name))))
    };
    match request {
        Ok(request) => Ok(Parsed { request, spelling }),
        Err(problem) => Err(Garbled { problem, spelling, id: id_of(&root).ok() }),
    }
}
