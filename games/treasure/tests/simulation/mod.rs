//! Treasure in the simulation: players over HTTP and XML on the game's own port.

mod asking;
mod y2017;
mod y2022;

use std::sync::Arc;

use server::HttpStreams;
use tokio::{sync::watch, time::sleep};
use treasure::{ServedProfile, TreasureGateway, TreasureOptions};
use treasure_rules::Game;

use self::asking::Asker;
use super::OwnProtocol;
use crate::{
    games::Playing,
    link::End,
    player::Player,
    port::{Opened, Port, Work},
    site::address,
};

/// The treasure game on its own port.
pub(crate) struct Treasure;

impl OwnProtocol for Treasure {
    type Game = treasure::Treasure;

    const MOST_PLAYERS: u64 = 2;
    const IS_SINGLE: bool = false;
    const OPENS_AGAIN: bool = true;
    const KEEPS_STATES: bool = true;

    fn open(Opened { host, .. }: Opened) -> Work<Option<Arc<dyn Port>>> {
        Box::pin(async move {
            let options = TreasureOptions {
                dummy: Box::new(|_| {}),
                polling_delay: true,
                profile: ServedProfile::default(),
                shuffle_nodes: false,
            };
            let routes = TreasureGateway::routes(&host, options).await.ok()?;
            let streams = move |stop| HttpStreams::answering(&host, routes.clone(), true, stop);
            Some(Arc::new(HttpPort { streams: Box::new(streams) }) as Arc<dyn Port>)
        })
    }

    fn play(player: Player) -> Playing {
        Box::pin(play(player))
    }
}

/// The HTTP port of a host.
struct HttpPort {
    /// The server of one connection, which hears of the stop of the host.
    streams: Box<dyn Fn(watch::Receiver<bool>) -> HttpStreams + Send + Sync>,
}

impl Port for HttpPort {
    fn serve(&self, stream: End, stop: watch::Receiver<bool>) -> Work {
        let streams = (self.streams)(stop);
        Box::pin(async move { streams.serve_stream(address(), stream).await })
    }

    fn stop(&self) -> Work {
        Box::pin(async {})
    }
}

/// What a table calls a game of 2017, which has no name for its players.
const OF_2017: &str = "a game of 2017";

/// Whether the game of a round is one of 2017. The first player decides.
async fn is_of_2017(player: &mut Player, round: usize) -> bool {
    if player.number > 0 {
        return player.table.begun(round).await == OF_2017;
    }
    let is_of_2017 = player.random.chance(50);
    if is_of_2017 {
        player.table.created(round, OF_2017);
    }
    is_of_2017
}

/// Plays one game after another.
async fn play(player: Player) {
    let mut asker = Asker::new(player);
    for round in 0.. {
        if is_of_2017(&mut asker.player, round).await {
            y2017::play(&mut asker, round).await;
        } else {
            y2022::play(&mut asker, round).await;
        }
        let pause = asker.player.random.millis(100..=1500);
        sleep(pause).await;
    }
}
