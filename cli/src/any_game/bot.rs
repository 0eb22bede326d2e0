//! `holdfast bot` for any rulebook: random players that take what the host offers.

use std::time::Duration;

use clients::offers::{OfferClient, OfferNews, begin_command, random_command};
use commlib::{ClientError, Want};
use engine::{JavaRandom, json_words};
use serde_json::json;
use tokio::{task::JoinSet, time::sleep};

use super::{RulebookArg, create};
use crate::{
    Answer, Failure, Program,
    address::ConnectError,
    duration,
    output::{self, ReportArgs},
    serving::runtime,
    tls::ConnectOptions,
};

/// Lets random players join a game of a host and play it to its end, alone or with other players.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("which").args(["game", "new"]).required(true))]
pub struct Arguments {
    #[command(flatten)]
    rulebook: RulebookArg,
    #[command(flatten)]
    host: ConnectOptions,
    /// The number of bots.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    count: u16,
    /// The game to join.
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    /// Create a game of this scenario: its name or its text.
    #[arg(long, value_name = "SCENARIO")]
    new: Option<String>,
    /// The name of the bot; several bots get a number behind it.
    #[arg(long, default_value = "bot")]
    name: String,
    /// The time that a bot waits before a command, such as 500ms; a number without a unit is milliseconds.
    #[arg(long, default_value = "0ms", value_name = "TIME", value_parser = duration::in_milliseconds)]
    pace: Duration,
    /// The seed of a new game and of the bots' random generators.
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<i64>,
    #[command(flatten)]
    report: ReportArgs,
}

/// Runs the command.
///
/// # Errors
/// If the host cannot be reached, or does not take the bots.
pub fn run(program: &Program, arguments: &Arguments) -> Result<Answer, Failure> {
    let game = arguments.rulebook.game(program)?;
    let want = match &arguments.new {
        None => Want::Join { seat: None },
        Some(scenario) => Want::Create(create(game, Some(scenario), arguments.seed)),
    };
    let (game, last) = runtime()?.block_on(play(arguments, want))?;
    let json = || json!({ "game": game, "last": last });
    Ok(arguments.report.answer(true, || format!("{last}\n"), json))
}

/// Seats one bot after the other, and plays to the end. Returns the name of the game and its last event in words.
async fn play(arguments: &Arguments, mut want: Want) -> Result<(String, String), Failure> {
    let failed = |error: ClientError| ConnectError::new(arguments.host.connect.address, error, "holdfast host");
    let server = arguments.host.server()?;
    let mut game = arguments.game.clone();
    let mut playing = JoinSet::new();
    for number in 1..=arguments.count {
        let client = OfferClient::open(server.clone(), game.clone(), want).await.map_err(failed)?;
        if number == 1 {
            let name = client.game();
            output::announce(
                arguments.report.report(|| format!("in game {name}\n"), || json!({ "game": name })).trim_end(),
            );
        }
        game = Some(client.game().to_owned());
        want = Want::Join { seat: None };
        let name = if arguments.count == 1 { arguments.name.clone() } else { format!("{} {number}", arguments.name) };
        let random = JavaRandom::new(arguments.seed.unwrap_or_default().wrapping_add(number.into()));
        // Several bots in a game of their own wait for no other player. A single one does: it cannot play alone.
        let is_own = arguments.new.is_some() && arguments.count > 1;
        let begins_with = (number == 1 && is_own).then_some(arguments.count.into());
        playing.spawn(play_seat(client, name, begins_with, arguments.pace, random));
    }
    let mut last = String::new();
    while let Some(ended) = playing.join_next().await {
        last = ended?.map_err(failed)?;
    }
    Ok((game.unwrap_or_default(), last))
}

/// Plays one seat to the end of the game; with `begins_with`, begins the game once it has so many players. Returns its last event in
/// words.
pub(super) async fn play_seat(
    mut client: OfferClient,
    name: String,
    begins_with: Option<usize>,
    pace: Duration,
    mut random: JavaRandom,
) -> Result<String, ClientError> {
    let mut last = String::new();
    loop {
        match client.next().await? {
            OfferNews::Event(event, text) => last = text.unwrap_or_else(|| json_words(&event)),
            OfferNews::Offers(offers, table) => {
                let begin = || begin_command(&offers, &table, begins_with?);
                if let Some(command) = random_command(&offers, &name, &mut random).or_else(begin) {
                    sleep(pace).await;
                    client.send(&command).await?;
                }
            }
            OfferNews::Refused(words) => last = words,
            OfferNews::Notice(_) => {}
            OfferNews::Over => return Ok(last),
        }
    }
}
