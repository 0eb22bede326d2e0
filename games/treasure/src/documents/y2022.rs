//! The protocol of 2022: [`request`] has the requests of clients, [`answer`] and [`state`] the answers of the server.
//!
//! Children may come in any order, and unknown ones are ignored. Prefixes and namespaces do not matter. Names of elements and values
//! are exactly as in the schema.

pub mod answer;
pub mod request;
pub mod state;

use treasure_rules::Terrain;
use xml::{Element, Problem, read, tagged};

use super::LIMITS;

const TERRAINS: [(&str, Terrain); 3] =
    [("Grass", Terrain::Grass), ("Mountain", Terrain::Mountain), ("Water", Terrain::Water)];

/// Reads a document whose root must have this name.
fn root<'x>(bytes: &'x [u8], name: &str) -> Result<Element<'x>, Problem> {
    let root = read(bytes, &LIMITS)?;
    if root.name == name {
        return Ok(root);
    }
    Err(root.problem(format!("the document is a {}, and has to be a <{name}>", tagged(root.name))))
}

/// The word for a value, from a table that has all values.
fn word<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word)
}
