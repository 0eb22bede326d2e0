//! The bot `random` that a host offers for a rulebook without bots of its own.

use std::{sync::Arc, time::Duration};

use clients::offers::OfferClient;
use commlib::{ClientError, ServerAddress, Want};
use engine::JavaRandom;
use server::{Offered, Opponent};
use slog::{Logger, info};
use tokio::sync::Semaphore;

use super::bot_player::BotPlayer;
use crate::{HostBots, Playing};

/// Random players for the reserved seats of a rulebook. A rulebook that reserves seats offers them to every client that has
/// none, at least as uncertain: a view does not know that its client is a bot.
#[derive(Clone, Copy, Debug)]
pub struct RandomBots {
    /// The name of the rulebook.
    pub rulebook: &'static str,
}

impl HostBots for RandomBots {
    fn offered(&self) -> Vec<Offered> {
        vec![Offered { rulebook: self.rulebook, name: "random".into(), about: "does anything that is possible".into() }]
    }

    fn play(&self, seat: Opponent, host: ServerAddress, _: Arc<Semaphore>, logger: Logger) -> Playing {
        Box::pin(async move {
            play(seat, host).await?;
            info!(logger, "a bot has played");
            Ok(())
        })
    }
}

async fn play(seat: Opponent, host: ServerAddress) -> Result<String, ClientError> {
    // These names are a good seed: they are the same after a restart, and the bots of a game differ.
    let names = seat.game.bytes().chain(seat.player.bytes());
    let seed = names.fold(7_i64, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    let want = Want::Resume { token: seat.token, seen: 0 };
    let client = OfferClient::open(host, Some(seat.game), want).await?;
    let player = BotPlayer { name: seat.player, begins_with: None, pace: Duration::ZERO };
    player.play_random(client, JavaRandom::new(seed)).await
}
