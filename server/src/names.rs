//! Generated names of games, and the limits of players' names.

use std::{error::Error, fmt};

use commlib::Refused;

use crate::world::World;

/// The number of random letters and digits that make a name unique.
pub(crate) const NAME_LENGTH: usize = 10;

/// The longest name of a player, in characters.
const LONGEST_PLAYER_NAME: usize = 64;

/// A player's name has more characters than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameTooLong {
    /// How many characters the name has.
    pub length: usize,
}

impl fmt::Display for NameTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a name has at most {LONGEST_PLAYER_NAME} characters, this one has {}", self.length)
    }
}

impl Error for NameTooLong {}

/// Checks the length of a player's name; the limit is the same in every game.
///
/// # Errors
/// If the name is too long.
pub fn check_player_name(name: &str) -> Result<(), NameTooLong> {
    let length = name.chars().count();
    if length > LONGEST_PLAYER_NAME { Err(NameTooLong { length }) } else { Ok(()) }
}

/// A random name. It is short enough to read aloud and, with [`NAME_LENGTH`], long enough to be unique.
pub(crate) fn random_name(world: &dyn World, length: usize) -> Result<String, Refused> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let bytes: [u8; NAME_LENGTH] = world.random_bytes()?;
    Ok(bytes.iter().take(length).map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// The name of the next game in a series: abc, abc-2, abc-3.
pub(crate) fn name_after(game: &str) -> String {
    let numbered = game.rsplit_once('-').and_then(|(first, number)| Some((first, number.parse::<u32>().ok()?)));
    let (first, number) = numbered.unwrap_or((game, 1));
    format!("{first}-{}", number.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::RealWorld;

    #[test]
    fn names_of_games() {
        assert_eq!(random_name(&RealWorld, 5).map(|name| name.len()).ok(), Some(5));
        assert_ne!(random_name(&RealWorld, NAME_LENGTH).ok(), random_name(&RealWorld, NAME_LENGTH).ok());
        assert_eq!(["abc", "abc-2", "abc-x"].map(name_after), ["abc-2", "abc-3", "abc-x-2"]);
    }
}
