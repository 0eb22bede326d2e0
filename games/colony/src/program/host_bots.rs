//! Colony's bots on a host, for players who want company.

use std::{sync::Arc, time::Duration};

use cli::{HostBots, Playing};
use colony_rules::{Game, Outcome};
use commlib::{ServerAddress, Want};
use engine::Rulebook;
use server::{Offered, Opponent};
use slog::{Logger, info};
use tokio::sync::Semaphore;

use crate::{
    STRATEGIES,
    bot_client::{BotClient, Place},
    remote::{Player, RemoteError},
    strategy,
};

/// The time before each command, so that people can follow.
const PACE: Duration = Duration::from_millis(300);

/// All strategies. The first in the list plays sensibly and fast.
pub(super) struct ColonyBots;

impl HostBots for ColonyBots {
    fn offered(&self) -> Vec<Offered> {
        let mut bots: Vec<Offered> = STRATEGIES
            .iter()
            .map(|bot| Offered { rulebook: Game::NAME, name: bot.name.into(), about: bot.about.into() })
            .collect();
        bots.sort_by_key(|bot| bot.name != "sensible");
        bots
    }

    fn play(&self, seat: Opponent, host: ServerAddress, thinkers: Arc<Semaphore>, logger: Logger) -> Playing {
        Box::pin(async move {
            let outcome = play(seat, host, thinkers).await?;
            info!(logger, "a bot has played"; "outcome" => %outcome);
            Ok(())
        })
    }
}

async fn play(seat: Opponent, address: ServerAddress, thinkers: Arc<Semaphore>) -> Result<Outcome, RemoteError> {
    let Opponent { bot, player, game, token, .. } = seat;
    let Some(strategy) = strategy(&bot) else { return Ok(Outcome::Aborted) };
    // The name of the game is a good seed, because it is the same after a restart.
    let seed =
        game.bytes().chain(player.bytes()).fold(7_i64, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    let place = Place { address, want: Want::Resume { token, seen: 0 }, game: Some(game) };
    let client = BotClient::enter(place, Player { name: player, bot: strategy.bot }, PACE, seed).await?;
    client.with_thinkers(thinkers).play().await
}
