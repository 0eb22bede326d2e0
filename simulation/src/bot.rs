//! What a game brings to be played in a simulation.

use commlib::Create;
use server::{Adapter, CommandOf, EventOf};

use crate::random::Random;

/// A player that decides by itself, at random.
pub(crate) trait Bot: Send + Sized + 'static {
    /// The game that it plays.
    type Game: Adapter;

    /// The most players of a game; two are the fewest.
    const MOST_PLAYERS: u64;

    /// The game to create.
    fn create(random: &mut Random) -> Create;

    /// A player before its first event, with its number among the players of the game.
    fn new(number: usize) -> Self;

    /// Hears an event.
    fn hear(&mut self, edition: &str, event: &EventOf<Self::Game>, text: Option<&str>);

    /// The next command, if there is something to do. It may be one that the rules refuse.
    fn act(&mut self, random: &mut Random) -> Option<CommandOf<Self::Game>>;
}
