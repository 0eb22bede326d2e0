//! `holdfast bot`: bots that take places in one game of a host, and play it to its end.

use std::{
    net::{SocketAddr, ToSocketAddrs},
    time::Duration,
};

use crate::{
    Strategy,
    bot_client::{BotClient, Place},
    remote::Player,
};
use colony_rules::Outcome;
use commlib::{Create, Want};
use tokio::task::JoinSet;

use super::games::{self, strategies};
use cli::{Answer, output, serving::runtime};

/// Lets bots take places in a game of a host and play it to its end, beside whoever else plays there.
#[derive(Debug, clap::Args)]
#[command(after_help = strategies(), group = clap::ArgGroup::new("which").args(["game", "new"]).required(true))]
pub(crate) struct Arguments {
    /// The host to play on.
    #[arg(long, default_value = "127.0.0.1:7700", value_name = "ADDR")]
    connect: String,
    #[arg(long, default_value = "sensible")]
    strategy: String,
    /// How many bots.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    count: u16,
    /// The game to join.
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    /// A new game with this scenario instead: a file, or the name of a built-in one.
    #[arg(long, value_name = "SCENARIO")]
    new: Option<String>,
    /// What the bots are called; with several, each has its number too.
    #[arg(long, default_value = "bot")]
    name: String,
    /// How long a bot waits before a command.
    #[arg(long, default_value_t = 0, value_name = "MILLISECONDS")]
    pace: u64,
    /// How long planner thinks about a command. Otherwise it plays a fixed number of games, however long they take.
    #[arg(long, value_name = "MILLISECONDS")]
    think: Option<u64>,
    /// Start the game as soon as the bots are there. Otherwise it starts when all its places are taken or another player says so.
    #[arg(long)]
    start: bool,
    /// Of a new game, and of the bots' own generators.
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<i64>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, String> {
    let Arguments { connect, new, game, seed, .. } = arguments;
    let mut strategies = [games::strategy(&arguments.strategy)?];
    games::let_think(&mut strategies, arguments.think)?;
    let [Strategy { bot, .. }] = strategies;
    let resolved = connect.to_socket_addrs().map_err(|error| format!("{connect}: {error}"))?.next();
    let address: SocketAddr = resolved.ok_or_else(|| format!("{connect}: no address of that name"))?;
    let want = match new {
        None => Want::Join { seat: None },
        Some(scenario) => {
            let (_, scenario) = crate::load(scenario).map_err(|error| error.to_string())?;
            Want::Create(Create { rulebook: None, scenario, edition: None, seed: *seed, timeout: None })
        }
    };
    let players = (1..=arguments.count).map(|number| Player {
        name: if arguments.count == 1 { arguments.name.clone() } else { format!("{} {number}", arguments.name) },
        bot,
    });
    let place = Place { address, want, game: game.clone() };
    let outcome = runtime()?
        .block_on(play(arguments, place, players.collect()))
        .map_err(|error| format!("{connect}: {error}\n"))?;
    Ok(Answer { text: format!("{outcome}\n"), ok: true })
}

/// One bot after the other registers, and then all play.
async fn play(arguments: &Arguments, mut place: Place, players: Vec<Player>) -> Result<Outcome, String> {
    let pace = Duration::from_millis(arguments.pace);
    let mut clients: Vec<BotClient> = Vec::with_capacity(players.len());
    for (player, at) in players.into_iter().zip(0..) {
        let seed = arguments.seed.unwrap_or_default().wrapping_add(at);
        let client = BotClient::enter(place.clone(), player, pace, seed).await.map_err(|error| error.to_string())?;
        if clients.is_empty() {
            output::announce(&format!("in game {}", client.game()));
            if arguments.count > client.most() {
                return Err(format!("the game is for {} players, not for {}", client.most(), arguments.count));
            }
        }
        place = Place { want: Want::Join { seat: None }, game: Some(client.game().to_owned()), ..place };
        clients.push(client);
    }
    if let Some(first) = clients.first_mut()
        && arguments.start
        && arguments.count < first.most()
    {
        first.start().await.map_err(|error| error.to_string())?;
    }
    let mut playing: JoinSet<_> = clients.into_iter().map(BotClient::play).collect();
    let mut outcome = Outcome::Aborted;
    while let Some(ended) = playing.join_next().await {
        outcome = ended.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
    }
    Ok(outcome)
}
