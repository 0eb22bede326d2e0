//! Which players are connected.

use std::time::Duration;

use engine::CommId;
use tokio::time::Instant;

/// Which players of a game are connected, and since when the others are away.
///
/// A restarted host counts from its start, because it does not know when a player left.
#[derive(Clone, Debug, Default)]
pub struct Presence {
    /// The players in the order of their seats. `None` while a player is connected.
    pub(crate) players: Vec<(CommId, Option<Instant>)>,
}

impl Presence {
    /// For how long a player has been away; `None` while the player is connected, and for a client without a seat.
    pub fn away(&self, client: CommId) -> Option<Duration> {
        let (_, since) = self.players.iter().find(|(player, _)| *player == client)?;
        since.map(|since| since.elapsed())
    }
}

/// The client that sends a command, as an adapter sees it before the rules do.
#[derive(Clone, Copy, Debug)]
pub struct CommandSender<'p> {
    /// The client.
    pub client: CommId,
    /// Whether the client has, or ever had, a seat.
    pub is_player: bool,
    /// Which players are connected.
    pub presence: &'p Presence,
}
