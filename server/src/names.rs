//! Names of games that nobody chose, and names that players choose.

use commlib::Refused;

use crate::world::World;

/// How many letters and digits a name has that no other game has by chance.
pub(crate) const NAME_LENGTH: usize = 10;

/// The longest name of a player, in characters.
const LONGEST_PLAYER_NAME: usize = 64;

/// Whether a player may be called this; every game has the same limit.
///
/// # Errors
///
/// What is wrong with the name, in words for the player.
pub fn check_player_name(name: &str) -> Result<(), String> {
    let length = name.chars().count();
    if length > LONGEST_PLAYER_NAME {
        return Err(format!("a name has at most {LONGEST_PLAYER_NAME} characters, this one has {length}"));
    }
    Ok(())
}

/// Short enough to read aloud, and, with [`NAME_LENGTH`], long enough to be unique.
pub(crate) fn random_name(world: &dyn World, length: usize) -> Result<String, Refused> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let bytes: [u8; NAME_LENGTH] = world.random_bytes()?;
    Ok(bytes.iter().take(length).map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// Games that are played one after the other: abc, abc-2, abc-3.
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
