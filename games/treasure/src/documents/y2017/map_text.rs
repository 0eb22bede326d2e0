//! Maps as text: two characters a field, row by row from the top left.

pub use treasure_rules::Coding;
use treasure_rules::{Field, Position, Terrain};
use xml::quoted;

/// How wide a map is, and so a half.
pub const WIDTH: u8 = 8;

/// More fields than a whole map has are nobody's map.
const MOST_FIELDS: usize = 64;

/// The fields of a half or of a whole map, and how they are written. White space is skipped. How many fields there are,
/// and what they are, is for the rules to judge.
pub fn read(text: &str) -> Result<(Vec<Field>, Coding), String> {
    let characters: Vec<char> = text.chars().filter(|character| !character.is_ascii_whitespace()).collect();
    if !characters.len().is_multiple_of(2) || characters.len() > 2 * MOST_FIELDS {
        let count = characters.len();
        return Err(format!("the map has {count} characters, and has to have two for each of its fields"));
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
            _ => {
                let pair = quoted(&String::from_iter(pair));
                let (column, row) = (at.x + 1, at.y + 1);
                return Err(format!(
                    "the field in column {column}, row {row} is {pair}; what works: 01, 02, 03, 00, 04, 0G, 0M, 0W, 0C"
                ));
            }
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

/// The text of fields, in their order.
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
