//! Exchanges of knowledge between players.

use project_rules::Tile;
use xml::{Element, Problem, Writer, quoted};

use super::{
    Timestamp,
    strict::{Parts, choice, one_of, only},
    tile::{PLAYER_OBJECTS, tile, tiles, word, write_tile},
};

const RESULTS: [(&str, bool); 2] = [("Allow", true), ("Decline", false)];
const TIMESTAMP: &str = "timestamp";

/// A step of an exchange of knowledge.
#[derive(Clone, Debug, PartialEq)]
pub enum Exchange {
    /// Asks for an exchange.
    Request,
    /// Answers a request.
    Response {
        /// Whether the player agrees.
        allow: bool,
    },
    /// Knowledge: at least one tile.
    Data(Vec<KnownTile>),
}

/// A tile as a player knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownTile {
    /// The tile.
    pub tile: Tile,
    /// Whether the sender is on its way to the tile.
    pub pursued: Option<bool>,
    /// When the tile was seen.
    pub timestamp: Option<Timestamp>,
}

impl Exchange {
    pub(super) fn from_element(element: &Element<'_>) -> Result<Self, Problem> {
        let kind = choice(element, &[], &["Request", "Response", "Data"])?;
        match kind.name {
            // The schema allows any content.
            "Request" => Ok(Self::Request),
            "Response" => Ok(Self::Response { allow: one_of(only(kind, "Result")?, &RESULTS)? }),
            _ => tiles(kind, usize::MAX)?.iter().map(KnownTile::from_element).collect::<Result<_, _>>().map(Self::Data),
        }
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.open("ExchangeKnowledge");
        match self {
            Self::Request => {
                writer.open("Request").close("Request");
            }
            Self::Response { allow } => {
                writer.open("Response").leaf("Result", word(&RESULTS, *allow)).close("Response");
            }
            Self::Data(tiles) => {
                writer.open("Data").open("Tiles");
                tiles.iter().for_each(|tile| tile.write(writer));
                writer.close("Tiles").close("Data");
            }
        }
        writer.close("ExchangeKnowledge");
    }
}

impl KnownTile {
    fn from_element(element: &Element<'_>) -> Result<Self, Problem> {
        let mut parts = Parts::new(element, &[TIMESTAMP])?;
        let timestamp = element.attribute(TIMESTAMP).map(|text| {
            let what =
                || format!("attribute {TIMESTAMP} of <Tile> is {}; what works: 2002-05-30T09:00:00Z", quoted(text));
            Timestamp::parse(text).ok_or_else(|| element.problem(what()))
        });
        let tile = Self {
            tile: tile(&mut parts, &PLAYER_OBJECTS)?,
            pursued: parts.optional("IsPursued").map(Element::boolean).transpose()?,
            timestamp: timestamp.transpose()?,
        };
        parts.end()?;
        Ok(tile)
    }

    fn write(&self, writer: &mut Writer) {
        writer.open("Tile");
        if let Some(timestamp) = &self.timestamp {
            writer.attribute(TIMESTAMP, timestamp);
        }
        write_tile(writer, &self.tile);
        if let Some(pursued) = self.pursued {
            writer.leaf("IsPursued", pursued);
        }
        writer.close("Tile");
    }
}
