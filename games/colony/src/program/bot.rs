//! `holdfast bot`: bots that join one game of a host and play it to its end.

use std::time::Duration;

use crate::{
    Strategy,
    bot_client::{BotClient, Place},
    remote::{Player, RemoteError},
};
use colony_rules::Outcome;
use commlib::{Create, Want};
use tokio::task::JoinSet;

use super::{
    error::CommandError,
    games::{self, strategies},
};
use cli::{
    Answer, Failure,
    address::ConnectError,
    duration,
    output::{self, ReportArgs},
    serving::runtime,
    tls::ConnectOptions,
};
use serde_json::json;

/// Lets bots join a game of a host and play it to its end, alone or with other players.
#[derive(Debug, clap::Args)]
#[command(after_help = strategies(), group = clap::ArgGroup::new("which").args(["game", "new"]))]
pub(crate) struct Arguments {
    #[command(flatten)]
    host: ConnectOptions,
    /// The strategy of all bots.
    #[arg(long, default_value = "sensible", value_name = "NAME")]
    strategy: String,
    /// The number of bots.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    count: u16,
    /// The game to join. [default: the only game of the server]
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    /// Create a game of this scenario: a file, or the name of a built-in one.
    #[arg(long, value_name = "SCENARIO")]
    new: Option<String>,
    /// The name of the bot; several bots get a number behind it.
    #[arg(long, default_value = "bot")]
    name: String,
    /// The time that a bot waits before a command, such as 500ms; a number without a unit is milliseconds.
    #[arg(long, default_value = "0ms", value_name = "TIME", value_parser = duration::in_milliseconds)]
    pace: Duration,
    /// The time that planner thinks about a command, such as 50ms; a number without a unit is milliseconds. Without it, planner plays
    /// a fixed number of games, however long they take.
    #[arg(long, value_name = "TIME", value_parser = duration::in_milliseconds)]
    think: Option<Duration>,
    /// Start the game as soon as the bots have joined. Otherwise it starts when it is full or another player starts it.
    #[arg(long)]
    start: bool,
    /// The seed of a new game and of the bots' random generators.
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<i64>,
    #[command(flatten)]
    report: ReportArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let Arguments { host, new, game, seed, .. } = arguments;
    let mut strategies = [games::strategy(&arguments.strategy)?];
    games::let_think(&mut strategies, arguments.think)?;
    let [Strategy { bot, .. }] = strategies;
    let want = match new {
        None => Want::Join { seat: None },
        Some(scenario) => {
            let (_, scenario) = crate::load(scenario)?;
            Want::Create(Create { rulebook: None, scenario, edition: None, seed: *seed, timeout: None })
        }
    };
    let players = (1..=arguments.count).map(|number| Player {
        name: if arguments.count == 1 { arguments.name.clone() } else { format!("{} {number}", arguments.name) },
        bot,
    });
    let place = Place { address: host.server()?, want, game: game.clone() };
    let (game, outcome) = runtime()?.block_on(play(arguments, place, players.collect()))?;
    let json = || json!({ "game": game, "outcome": outcome.to_string(), "won": outcome == Outcome::Won });
    Ok(arguments.report.answer(true, || format!("{outcome}\n"), json))
}

/// Registers one bot after the other, and then plays to the end. Returns the name and the outcome of the game.
async fn play(arguments: &Arguments, mut place: Place, players: Vec<Player>) -> Result<(String, Outcome), Failure> {
    let failed = |error: RemoteError| ConnectError::new(arguments.host.connect.address, error, "holdfast host");
    let mut clients: Vec<BotClient> = Vec::with_capacity(players.len());
    for (player, at) in players.into_iter().zip(0..) {
        let seed = arguments.seed.unwrap_or_default().wrapping_add(at);
        let client = BotClient::enter(place.clone(), player, arguments.pace, seed).await.map_err(failed)?;
        if clients.is_empty() {
            let game = client.game();
            let line = arguments.report.report(|| format!("in game {game}\n"), || json!({ "game": game }));
            output::announce(line.trim_end());
            let (most, asked) = (client.most(), arguments.count);
            if asked > most {
                return Err(CommandError::Players { label: "the game".into(), most, asked }.into());
            }
        }
        place = Place { want: Want::Join { seat: None }, game: Some(client.game().to_owned()), ..place };
        clients.push(client);
    }
    if let Some(first) = clients.first_mut()
        && arguments.start
        && arguments.count < first.most()
    {
        first.start().await.map_err(failed)?;
    }
    let game = place.game.unwrap_or_default();
    let mut playing: JoinSet<_> = clients.into_iter().map(BotClient::play).collect();
    let mut outcome = Outcome::Aborted;
    while let Some(ended) = playing.join_next().await {
        outcome = ended?.map_err(failed)?;
    }
    Ok((game, outcome))
}
