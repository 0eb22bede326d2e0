//! Project in the simulation: a Game Master in the host, a Communication Server in the host or beside it, and agents who speak XML.

mod agent;
mod checks;
mod hosting;

use std::sync::Arc;

use super::OwnProtocol;
use crate::{
    games::Playing,
    network::Network,
    player::Player,
    port::{Opened, Port, Work},
};

/// The project game over its Communication Server.
pub(crate) struct Project;

impl OwnProtocol for Project {
    type Game = project::Project;

    const MOST_PLAYERS: u64 = 2;
    // A Game Master owns the only unfinished game of its log.
    const IS_SINGLE: bool = true;
    // The Game Master ends with its room.
    const OPENS_AGAIN: bool = false;
    const KEEPS_STATES: bool = false;

    fn open(opened: Opened) -> Work<Option<Arc<dyn Port>>> {
        Box::pin(async move { Some(hosting::open(opened)) })
    }

    fn run_beside(seed: u64, network: Arc<Network>) -> Option<Playing> {
        hosting::is_beside(seed).then(|| Box::pin(hosting::pass_messages(seed, network)) as Playing)
    }

    fn play(player: Player) -> Playing {
        Box::pin(agent::play(player))
    }
}
