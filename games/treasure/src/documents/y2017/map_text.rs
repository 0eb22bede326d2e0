//! Maps as text: two characters per field, row by row from the top left.

use std::fmt;

pub use treasure_rules::Coding;
use treasure_rules::{Field, Position, Terrain};
use xml::quoted;

/// The width of a map and of a half.
pub const WIDTH: u8 = 8;

/// The number of fields of a whole map.
const MOST_FIELDS: usize = 64;

/// The reasons why a text is not a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapTextError {
    /// The number of characters is odd, or too large.
    Length {
        /// The number of characters, without white space.
        characters: usize,
    },
    /// A field has an unknown spelling.
    UnknownField {
        /// The field.
        at: Position,
        /// Its two characters.
        pair: String,
    },
}

impl fmt::Display for MapTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { characters } => {
                write!(f, "the map has {characters} characters, and has to have two for each of its fields")
            }
            Self::UnknownField { at, pair } => {
                let (column, row, pair) = (at.x + 1, at.y + 1, quoted(pair));
                write!(
                    f,
                    "the field in column {column}, row {row} is {pair}; what works: 01, 02, 03, 00, 04, 0G, 0M, 0W, 0C"
                )
            }
        }
    }
}

impl std::error::Error for MapTextError {}

/// Reads the fields of a half or of a whole map, and their coding. Skips white space. The rules judge the number and the
/// terrain of the fields.
///
/// # Errors
///
/// The text has a wrong length or an unknown field.
pub fn read(text: &str) -> Result<(Vec<Field>, Coding), MapTextError> {
    let characters: Vec<char> = text.chars().filter(|character| !character.is_ascii_whitespace()).collect();
    if !characters.len().is_multiple_of(2) || characters.len() > 2 * MOST_FIELDS {
        return Err(MapTextError::Length { characters: characters.len() });
    }
    let mut fields = Vec::with_capacity(characters.len() / 2);
    let mut coding = Coding::Digits0;
    for (pair, index) in characters.chunks_exact(2).zip(0_u8..) {
        let at = Position::new(index % WIDTH, index / WIDTH);
        let (terrain, fort) = match (pair[0], pair[1].to_ascii_uppercase()) {
            ('0', '1' | 'G') => (Terrain::Grass, false),
            ('0', '2' | 'M') => (Terrain::Mountain, false),
            ('0', '3' | 'W') => (Terrain::Water, false),
            ('0', '0' | '4' | 'C') => (Terrain::Grass, true),
            _ => return Err(MapTextError::UnknownField { at, pair: pair.iter().collect() }),
        };
        coding = match pair[1] {
            '0'..='3' => coding,
            '4' => Coding::Digits4,
            _ => Coding::Letters,
        };
        fields.push(Field { at, terrain, fort });
    }
    Ok((fields, coding))
}

/// Writes fields as text, in their order.
pub fn write(fields: impl IntoIterator<Item = (Terrain, bool)>, coding: Coding) -> String {
    let mut text = String::with_capacity(2 * MOST_FIELDS);
    for (terrain, fort) in fields {
        text.push_str(match (coding, fort, terrain) {
            (Coding::Digits0, true, _) => "00",
            (Coding::Digits4, true, _) => "04",
            (Coding::Letters, true, _) => "0C",
            (Coding::Digits0 | Coding::Digits4, false, Terrain::Grass) => "01",
            (Coding::Digits0 | Coding::Digits4, false, Terrain::Mountain) => "02",
            (Coding::Digits0 | Coding::Digits4, false, Terrain::Water) => "03",
            (Coding::Letters, false, Terrain::Grass) => "0G",
            (Coding::Letters, false, Terrain::Mountain) => "0M",
            (Coding::Letters, false, Terrain::Water) => "0W",
        });
    }
    text
}
