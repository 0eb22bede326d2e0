//! The answers of the server.

use xml::{Element, Problem, Writer};

use super::{root, state::GameState};

const STATES: [(&str, bool); 2] = [("Okay", true), ("Error", false)];

/// The namespace of `xsi:type`.
const INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// A new game: `uniqueGameIdentifier`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameIdentifier(pub String);

/// All other answers: `responseEnvelope`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A half or a move was taken.
    Okay,
    /// The player is registered under this id.
    Player(String),
    /// The state of the game.
    State(GameState),
    /// The request was refused.
    Error {
        /// The name of the rule.
        name: String,
        /// The details, for people.
        message: String,
    },
}

impl GameIdentifier {
    /// Reads the document.
    ///
    /// # Errors
    ///
    /// The document is not XML, or not of this kind.
    pub fn read(bytes: &[u8]) -> Result<Self, Problem> {
        Ok(Self(root(bytes, "uniqueGameIdentifier")?.child("uniqueGameID")?.only_text()?.to_owned()))
    }

    /// Writes the document.
    pub fn write(&self) -> String {
        let mut writer = Writer::new(128);
        writer.open("uniqueGameIdentifier").leaf("uniqueGameID", &self.0).close("uniqueGameIdentifier");
        writer.finish()
    }
}

impl Answer {
    /// Reads the document.
    ///
    /// # Errors
    ///
    /// The document is not XML, or not of this kind.
    pub fn read(bytes: &[u8]) -> Result<Self, Problem> {
        let root = root(bytes, "responseEnvelope")?;
        let text = |name: &str| root.optional(name)?.map_or(Ok(""), Element::only_text);
        if !root.child("state")?.one_of(&STATES)? {
            return Ok(Self::Error { name: text("exceptionName")?.into(), message: text("exceptionMessage")?.into() });
        }
        let Some(data) = root.optional("data")? else {
            return Ok(Self::Okay);
        };
        // The sender chooses the prefix of the namespace.
        let kind = data.attributes.iter().find(|attribute| attribute.name.ends_with(":type"));
        match kind.map(|kind| &*kind.value) {
            Some("uniquePlayerIdentifier") => Ok(Self::Player(data.child("uniquePlayerID")?.only_text()?.to_owned())),
            Some("gameState") => Ok(Self::State(GameState::read(data)?)),
            Some(_) | None => {
                Err(data.problem("<data> has no xsi:type; what works: uniquePlayerIdentifier, gameState"))
            }
        }
    }

    /// Writes the document.
    pub fn write(&self) -> String {
        match self {
            Self::Okay => envelope(128, |_| {}),
            Self::Player(id) => envelope(320, |writer| {
                data(writer, "uniquePlayerIdentifier").leaf("uniquePlayerID", id).close("data");
            }),
            Self::State(state) => state.write(),
            Self::Error { name, message } => error(name, message),
        }
    }
}

/// The answer to a refused request.
pub fn error(name: &str, message: &str) -> String {
    refusal(name, message, |_| {})
}

/// The answer to a refused registration. It has an empty id, because the schema of this answer demands one.
pub fn registration_error(name: &str, message: &str) -> String {
    refusal(name, message, |writer| {
        data(writer, "uniquePlayerIdentifier").leaf("uniquePlayerID", "").close("data");
    })
}

fn refusal(name: &str, message: &str, data: impl FnOnce(&mut Writer)) -> String {
    let mut writer = Writer::new(384 + name.len() + message.len());
    writer.open("responseEnvelope").leaf("exceptionName", name).leaf("exceptionMessage", message);
    writer.leaf("state", "Error");
    data(&mut writer);
    writer.close("responseEnvelope");
    writer.finish()
}

/// The answer to an accepted request.
pub(super) fn envelope(capacity: usize, data: impl FnOnce(&mut Writer)) -> String {
    let mut writer = Writer::new(128 + capacity);
    writer.raw("<responseEnvelope><exceptionName/><exceptionMessage/><state>Okay</state>");
    data(&mut writer);
    writer.raw("</responseEnvelope>");
    writer.finish()
}

/// Opens the element `data` of a type.
pub(super) fn data<'w>(writer: &'w mut Writer, kind: &str) -> &'w mut Writer {
    writer.open("data").attribute("xmlns:xsi", INSTANCE).attribute("xsi:type", kind)
}
