//! Made-up values that a player is shown in place of secrets.
//!
//! They do not come from the game's generator. It has 48 bits of state, and a player who sees some of its numbers could compute the
//! others, such as the places of the treasures. They come from BLAKE3, with a key per player that is derived from the game's seed, and
//! with the number of the change. So they differ after every change, stay the same until the next one, and reveal nothing.

use alloc::{format, string::String};

use serde::{Deserialize, Serialize};

use crate::{map::Position, player::Player};

/// The key of a player's made-up values. The player may know it, because it reveals nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key([u8; 32]);

/// The kinds of made-up values.
#[derive(Clone, Copy)]
enum Thing {
    StateId,
    OtherId,
    OtherPosition,
}

impl Key {
    pub(crate) fn new(seed: i64, player: Player) -> Self {
        let mut hasher =
            blake3::Hasher::new_derive_key("holdfast treasure: what a player is shown in place of secrets");
        hasher.update(&seed.to_le_bytes()).update(&[player as u8]);
        Self(*hasher.finalize().as_bytes())
    }

    /// The id of the state after this number of changes.
    pub(crate) fn state_id(&self, changes: u32) -> String {
        uuid(self.draw(Thing::StateId, changes))
    }

    /// The made-up id of the opponent after this number of changes.
    pub(crate) fn other_id(&self, changes: u32) -> String {
        uuid(self.draw(Thing::OtherId, changes))
    }

    /// The made-up position of the opponent after this number of changes: one of these fields.
    pub(crate) fn other_position(&self, changes: u32, fields: &[Position]) -> Option<Position> {
        let drawn = self.draw(Thing::OtherPosition, changes);
        let place = drawn.checked_rem(fields.len() as u128)?;
        fields.get(place as usize).copied()
    }

    fn draw(&self, thing: Thing, changes: u32) -> u128 {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(&[thing as u8]).update(&changes.to_le_bytes());
        let mut bytes = [0; 16];
        hasher.finalize_xof().fill(&mut bytes);
        u128::from_le_bytes(bytes)
    }
}

/// A random UUID (version 4) of these bits.
fn uuid(bits: u128) -> String {
    let bits = bits & !(0xF << 76) & !(0x3 << 62) | 0x4 << 76 | 0x2 << 62;
    let digits = format!("{bits:032x}");
    format!("{}-{}-{}-{}-{}", &digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..])
}
