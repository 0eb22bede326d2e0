//! Half a map as a text.

use std::fmt;

use serde::{Deserialize, Serialize};
use treasure_rules::{Field, Terrain};

use crate::documents::y2022::request::HalfNode;

/// A half as rows of letters: `G` grass, `M` mountain, `W` water, `F` the fort on grass, `m` and `w` a fort on a mountain and on water,
/// `.` a field that is not sent. After the rows, `3/4=G` is a further field, at column 3 and row 4.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HalfText {
    text: String,
    nodes: Vec<HalfNode>,
}

/// Why a text is not a half.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAHalf(String);

impl fmt::Display for NotAHalf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let forms = "rows of G, M, W, F, m, w and ., and then fields such as 3/4=G";
        write!(f, "{:?} is no part of a half, which has {forms}", self.0)
    }
}

impl std::error::Error for NotAHalf {}

impl HalfText {
    /// The text of a half with these fields.
    pub(super) fn of(fields: &[Field]) -> Self {
        let [width, height] =
            [fields.iter().map(|field| field.at.x).max(), fields.iter().map(|field| field.at.y).max()]
                .map(|last| last.map_or(0, |last| usize::from(last) + 1));
        let mut rows = vec![vec!['.'; width]; height];
        let mut more = String::new();
        let mut nodes = Vec::new();
        for Field { at, terrain, fort } in fields {
            let letter = letter(*terrain, *fort);
            let place = &mut rows[usize::from(at.y)][usize::from(at.x)];
            if *place == '.' {
                *place = letter;
            } else {
                more += &format!(" {}/{}={letter}", at.x, at.y);
            }
            nodes.push(HalfNode { x: at.x.into(), y: at.y.into(), fort: *fort, terrain: *terrain });
        }
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        Self { text: rows.join(" ") + &more, nodes }
    }

    /// The fields of the half.
    pub(super) fn nodes(&self) -> Vec<HalfNode> {
        self.nodes.clone()
    }
}

fn letter(terrain: Terrain, fort: bool) -> char {
    match (terrain, fort) {
        (Terrain::Grass, false) => 'G',
        (Terrain::Grass, true) => 'F',
        (Terrain::Mountain, false) => 'M',
        (Terrain::Mountain, true) => 'm',
        (Terrain::Water, false) => 'W',
        (Terrain::Water, true) => 'w',
    }
}

fn field(letter: char) -> Option<(Terrain, bool)> {
    let all =
        [Terrain::Grass, Terrain::Mountain, Terrain::Water].into_iter().flat_map(|one| [(one, false), (one, true)]);
    all.into_iter().find(|(terrain, fort)| self::letter(*terrain, *fort) == letter)
}

/// Reads `3/4=G`.
fn further(word: &str) -> Option<HalfNode> {
    let (place, is) = word.split_once('=')?;
    let (x, y) = place.split_once('/')?;
    let mut letters = is.chars();
    let (terrain, fort) = field(letters.next()?)?;
    let node = HalfNode { x: x.parse().ok()?, y: y.parse().ok()?, fort, terrain };
    letters.next().is_none().then_some(node)
}

impl TryFrom<String> for HalfText {
    type Error = NotAHalf;

    fn try_from(text: String) -> Result<Self, NotAHalf> {
        let mut nodes = Vec::new();
        let mut y = 0;
        for word in text.split_whitespace() {
            let wrong = || NotAHalf(word.into());
            if word.contains('=') {
                nodes.push(further(word).ok_or_else(wrong)?);
                continue;
            }
            for (x, letter) in (0..).zip(word.chars()).filter(|(_, letter)| *letter != '.') {
                let (terrain, fort) = field(letter).ok_or_else(wrong)?;
                nodes.push(HalfNode { x, y, fort, terrain });
            }
            y += 1;
        }
        Ok(Self { text, nodes })
    }
}

impl From<HalfText> for String {
    fn from(half: HalfText) -> Self {
        half.text
    }
}

#[cfg(test)]
mod tests {
    use super::HalfText;
    use crate::gateway::status;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let came = match HalfText::try_from(text.to_owned()) {
            Ok(half) => half
                .nodes
                .iter()
                .map(|node| format!("{} {} {:?} {}; ", node.x, node.y, node.terrain, node.fort))
                .collect(),
            Err(error) => error.to_string(),
        };
        assert_eq!(came, expected, "{text}");
    }

    #[test]
    fn texts() {
        check("GF\n.w", "0 0 Grass false; 1 0 Grass true; 1 1 Water true; ");
        check("M 0/0=m -1/7=W", "0 0 Mountain false; 0 0 Mountain true; -1 7 Water false; ");
        let wrong = |word| {
            format!(
                "{word:?} is no part of a half, which has rows of G, M, W, F, m, w and ., and then fields such as 3/4=G"
            )
        };
        for word in ["GX", "3=G", "3/4=", "3/4=GG", "a/4=G"] {
            check(word, &wrong(word));
        }
    }

    #[test]
    fn fields_of_a_log() {
        for text in ["GFM WWG", "GF. W.G", "GFM WWG 1/1=M"] {
            let half = HalfText::try_from(text.to_owned()).expect("a half");
            let fields: Vec<_> = half.nodes.iter().map(status::field).collect();
            assert_eq!(HalfText::of(&fields).text, text);
        }
    }
}
