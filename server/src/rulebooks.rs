//! The registration table: the only place of this crate that names a rulebook.

mod colony;
mod crazyhouse;
pub mod project;
mod treasure;

pub use treasure::{DUMMY_ACCOUNT, Dummy, TreasureGateway, TreasureOptions};

use crate::playable::{Playable, Rules};

/// The longest name of a player, in characters.
const LONGEST_NAME: usize = 64;

/// Every rulebook that a host offers; the first one is meant where a client names none.
pub const RULEBOOKS: &[&dyn Playable] = &[
    &Rules::<::colony::Game>::NEW,
    &Rules::<::crazyhouse::Game>::NEW,
    &Rules::<::treasure::Game>::NEW,
    &Rules::<::project::Game>::NEW,
];

/// Tables that rulebooks have in the store beside the log, which their `records` fill. What a released file has is never
/// changed, only added to.
pub(crate) const TABLES: &[&str] = &[treasure::TABLES];

/// Whether a player may be called this.
fn check_name(name: &str) -> Result<(), String> {
    let length = name.chars().count();
    if length > LONGEST_NAME {
        return Err(format!("a name has at most {LONGEST_NAME} characters, this one has {length}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn every_rulebook_is_described() {
        let description: Value = serde_json::from_str(include_str!("../../docs/protocol.json")).expect("valid JSON");
        let described: Vec<&String> = description["rulebooks"].as_object().expect("by name").keys().collect();
        let mut offered: Vec<&str> = RULEBOOKS.iter().map(|rulebook| rulebook.name()).collect();
        offered.sort_unstable();
        assert_eq!(described, offered, "docs/protocol.json has the messages of every rulebook");
    }
}
