//! Shared parts of the clients of every game.
//!
//! [`resuming`] is a client that survives lost connections. [`seats`] keeps the seats of a person between two runs of the
//! program. [`offers`] plays any game by what the host offers, without the types of the game. [`process`] runs foreign programs.

pub mod group;
pub mod histogram;
pub mod notices;
pub mod offers;
pub mod process;
pub mod resuming;
pub mod seats;
pub mod tally;
pub mod words;

use engine::JavaRandom;

/// Picks an element at random; `None` if the list is empty.
pub fn pick<T: Copy>(list: &[T], random: &mut JavaRandom) -> Option<T> {
    let count = i32::try_from(list.len()).ok().filter(|&count| count > 0)?;
    Some(list[random.next_below(count) as usize])
}
