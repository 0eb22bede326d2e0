//! `holdfast treasure batch`: many games of clients that are programs of anybody.

mod game;
mod tally;

use std::{path::PathBuf, sync::Arc, time::Duration};

use cli::{
    output::{Out, Progress},
    serving::{block_on, interrupted},
};
use clients::words::split;
use tokio::{sync::Semaphore, task::JoinSet};

use super::{Protocol, any_seed};
use crate::players::http::BaseUrl;
use game::{Fixture, Played};
use tally::Tally;

/// Lets clients play many games, against each other or against a dummy, and prints how many each has won.
///
/// Each client is started once a game, as COMMAND BASEURL GAMEID, or with {url} and {game} replaced where its command has them; in 2017,
/// which has no ids, as COMMAND BASEURL. What a client prints is kept in a file of --out.
///
/// No protocol tells others who has won. So a client says it with its exit code: 0 it has won, 1 it has lost; anything else is an error.
/// Against --dummy the dummy is asked, which knows.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Where the server is.
    #[arg(long, value_name = "BASEURL")]
    url: BaseUrl,
    /// How many games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// How many games are played at the same time. In 2017 it can only be one: whoever registers next is the opponent.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=90))]
    jobs: u16,
    /// A program that plays. Given twice, the two play each other.
    #[arg(long = "client", value_name = "COMMAND", required = true, value_parser = command)]
    clients: Vec<String>,
    /// The opponent of a single client: walks between random fields.
    #[arg(long)]
    dummy: bool,
    #[arg(long, value_enum, default_value = "2022")]
    protocol: Protocol,
    /// Where the output of clients is kept.
    #[arg(long, default_value = "treasure-batch", value_name = "DIR")]
    out: PathBuf,
    /// How long a game may take. Clients that are still there are killed.
    #[arg(long, default_value_t = 600, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    time: u64,
    /// Of the dummies. [default: another one each time]
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<i64>,
}

/// A command whose words can be told apart.
fn command(text: &str) -> Result<String, String> {
    split(text).map(|_| text.to_owned()).map_err(|error| error.to_string())
}

pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<bool, String> {
    let mut names = arguments.clients.clone();
    match (names.len(), arguments.dummy) {
        (1, true) => names.push("dummy".into()),
        (2, false) => {}
        _ => return Err("two play: give --client twice, or once with --dummy".into()),
    }
    if arguments.protocol == Protocol::Y2017 && arguments.jobs > 1 {
        return Err("games of 2017 are played one after the other: whoever registers next is the opponent".into());
    }
    std::fs::create_dir_all(&arguments.out).map_err(|error| format!("{}: {error}", arguments.out.display()))?;
    let mut tally = Tally::new(names);
    let whole = block_on(async {
        tokio::select! {
            played = play(arguments, &mut tally) => played.map(|()| true),
            stopped = interrupted() => stopped.map(|()| false).map_err(String::from),
        }
    })?;
    out.write(tally.to_string());
    if !whole {
        out.write("stopped before the end\n");
    }
    Ok(whole && tally.is_clear())
}

/// Plays all games. Whoever drops this kills the clients.
async fn play(arguments: &Arguments, tally: &mut Tally) -> Result<(), String> {
    let seed = arguments.seed.unwrap_or_else(any_seed);
    let progress = Progress::new("games", arguments.games.into());
    let places = Arc::new(Semaphore::new(arguments.jobs.into()));
    let mut playing: JoinSet<Result<Played, String>> = JoinSet::new();
    for number in 1..=arguments.games {
        let place = places.clone().acquire_owned().await.map_err(|error| error.to_string())?;
        while let Some(ended) = playing.try_join_next() {
            tally.add(ended.map_err(|error| error.to_string())??);
            progress.show(tally.games().into());
        }
        let fixture = Fixture {
            number,
            url: arguments.url.clone(),
            protocol: arguments.protocol,
            clients: arguments.clients.clone(),
            out: arguments.out.clone(),
            limit: Duration::from_secs(arguments.time),
            seed: seed.wrapping_add(number.into()),
        };
        playing.spawn(async move {
            let played = fixture.play().await;
            drop(place);
            played
        });
    }
    while let Some(ended) = playing.join_next().await {
        tally.add(ended.map_err(|error| error.to_string())??);
        progress.show(tally.games().into());
    }
    Ok(())
}
