//! What players of every game share.
//!
//! [`resuming`] is a place in a game on a server that survives lost connections; [`seats`] keeps the places of a person between
//! two runs of the program.

pub mod group;
pub mod histogram;
pub mod resuming;
pub mod seats;
pub mod words;

use engine::JavaRandom;

/// One of several, each with the same chance; `None` of none.
pub fn pick<T: Copy>(list: &[T], random: &mut JavaRandom) -> Option<T> {
    let count = i32::try_from(list.len()).ok().filter(|&count| count > 0)?;
    Some(list[random.next_below(count) as usize])
}
