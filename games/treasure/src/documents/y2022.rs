//! Protocol 2022: what clients ask is in [`request`], what the server says in [`answer`] and [`state`].
//!
//! Children may come in any order and unknown ones are ignored; prefixes and namespaces do not matter. Names of elements
//! and values are as in the schema, letter by letter.

pub mod answer;
pub mod request;
pub mod state;

use treasure_rules::Terrain;
use xml::{Element, Problem, read, tagged};

use super::LIMITS;

const TERRAINS: [(&str, Terrain); 3] =
    [("Grass", Terrain::Grass), ("Mountain", Terrain::Mountain), ("Water", Terrain::Water)];

/// The root of a document, which has to have this name.
fn root<'x>(bytes: &'x [u8], name: &str) -> Result<Element<'x>, Problem> {
    let root = read(bytes, &LIMITS)?;
    if root.name == name {
        return Ok(root);
    }
    Err(root.problem(format!("the document is a {}, and has to be a <{name}>", tagged(root.name))))
}

/// The word for a value in a table that has all of them.
fn word<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word)
}
