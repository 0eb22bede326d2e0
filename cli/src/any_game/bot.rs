//! `holdfast bot` for any rulebook: random players that take what the host offers, and the bots that a game brings.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use clients::offers::OfferClient;
use commlib::{ClientError, Want};
use engine::JavaRandom;
use serde_json::json;
use tokio::task::JoinSet;

use super::{
    RulebookArg,
    bot_player::{BotPlayer, Bots, RANDOM, Strategy},
    create,
};
use crate::{
    Answer, Failure, Game, Program,
    address::ConnectError,
    duration,
    output::{self, ReportArgs},
    serving::runtime,
    tls::ConnectOptions,
};

/// Lets bots join a game of a host and play it to its end, alone or with other players.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("which").args(["game", "new"]))]
pub struct Arguments {
    #[command(flatten)]
    rulebook: RulebookArg,
    #[command(flatten)]
    host: ConnectOptions,
    /// How the bots play, separated by commas: the bots have these strategies in turn.
    #[arg(long, default_value = RANDOM, value_delimiter = ',', value_name = "NAMES")]
    strategy: Vec<String>,
    /// The number of bots.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    count: u16,
    /// The game to join. [default: the only game of the server]
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    /// Create a game of this scenario: its name or its text.
    #[arg(long, value_name = "SCENARIO")]
    new: Option<String>,
    /// The name of the bot; several bots get a number behind it.
    #[arg(long, default_value = "bot")]
    name: String,
    /// The time that a bot waits before a command, such as 500ms; a number without a unit is milliseconds. Only random bots wait.
    #[arg(long, default_value = "0ms", value_name = "TIME", value_parser = duration::in_milliseconds)]
    pace: Duration,
    /// The seed of a new game and of the bots' random generators.
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<i64>,
    #[command(flatten)]
    report: ReportArgs,
}

/// The help on the strategies of a game.
pub fn strategies(game: &dyn Game) -> String {
    format!("Strategies:{}", Bots::of(game).help())
}

/// The game that a bot has joined is of another rulebook, so its strategy does not fit.
#[derive(Debug)]
struct OtherRulebook {
    game: String,
    rulebook: String,
    wanted: &'static str,
}

impl fmt::Display for OtherRulebook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, rulebook, wanted } = self;
        write!(f, "game {game} is one of {rulebook}, and the strategy is one of {wanted}; --rulebook chooses another")
    }
}

impl Error for OtherRulebook {}

/// Runs the command.
///
/// # Errors
/// If the host cannot be reached, does not take the bots, or there is no such strategy.
pub fn run(program: &Program, arguments: &Arguments) -> Result<Answer, Failure> {
    let own = arguments.rulebook.in_program(program)?;
    let game = own.hosted();
    let bots = Bots::of(own);
    // A random player of offers can wait before its commands, and plays every rulebook.
    let strategy = |name: &String| if name == RANDOM { Ok(Strategy::Random) } else { bots.find(name) };
    let strategies: Vec<Strategy> = arguments.strategy.iter().map(strategy).collect::<Result<_, _>>()?;
    let want = match &arguments.new {
        None => Want::Join { seat: None },
        Some(scenario) => Want::Create(create(game, Some(scenario), arguments.seed)),
    };
    let team = Team { rulebook: game.name(), strategies, bots: Arc::new(bots) };
    let (game, last) = runtime()?.block_on(play(arguments, team, want))?;
    let json = || json!({ "game": game, "last": last });
    Ok(arguments.report.answer(true, || format!("{last}\n"), json))
}

/// The bots that are sent.
struct Team {
    rulebook: &'static str,
    /// How the bots play, in turn.
    strategies: Vec<Strategy>,
    bots: Arc<Bots>,
}

/// Seats one bot after the other, and plays to the end. Returns the name of the game and its last event in words.
async fn play(arguments: &Arguments, team: Team, mut want: Want) -> Result<(String, String), Failure> {
    let failed = |error: ClientError| ConnectError::new(arguments.host.connect.address, error, "holdfast host");
    let server = arguments.host.server()?;
    let mut game = arguments.game.clone();
    let mut playing = JoinSet::new();
    for (number, strategy) in (1..=arguments.count).zip(team.strategies.iter().cycle()) {
        let client = OfferClient::open(server.clone(), game.clone(), want).await.map_err(failed)?;
        if number == 1 {
            let name = client.game();
            output::announce(
                arguments.report.report(|| format!("in game {name}\n"), || json!({ "game": name })).trim_end(),
            );
        }
        if *strategy != Strategy::Random && client.rulebook() != team.rulebook {
            let (game, rulebook) = (client.game().into(), client.rulebook().into());
            return Err(OtherRulebook { game, rulebook, wanted: team.rulebook }.into());
        }
        game = Some(client.game().to_owned());
        want = Want::Join { seat: None };
        let name = if arguments.count == 1 { arguments.name.clone() } else { format!("{} {number}", arguments.name) };
        let random = JavaRandom::new(arguments.seed.unwrap_or_default().wrapping_add(number.into()));
        // Several bots in a game of their own wait for no other player. A single one does: it cannot play alone.
        let is_own = arguments.new.is_some() && arguments.count > 1;
        let begins_with = (number == 1 && is_own).then_some(arguments.count.into());
        let (strategy, bots) = (strategy.clone(), team.bots.clone());
        let player = BotPlayer { name, begins_with, pace: arguments.pace };
        playing.spawn(async move { player.play(client, &strategy, &bots, random).await });
    }
    let mut last = String::new();
    while let Some(ended) = playing.join_next().await {
        last = ended?.map_err(|error| match error.downcast::<ClientError>() {
            Ok(error) => failed(*error).into(),
            Err(other) => other,
        })?;
    }
    Ok((game.unwrap_or_default(), last))
}
