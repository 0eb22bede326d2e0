//! `holdfast treasure batch`: runs many games between client programs.

mod game;
mod tally;

use std::{error::Error, fmt, io, path::PathBuf, sync::Arc, time::Duration};

use cli::{
    Failure, duration,
    output::{Out, ReportArgs},
    progress::Progress,
    serving::{block_on, interrupted},
};
use clients::words::{Unreadable, split};
use tokio::{sync::Semaphore, task::JoinSet};

use super::{Protocol, any_seed};
use crate::players::http::BaseUrl;
use game::{Fixture, Played};
use tally::Tally;

/// Runs many games between two clients, or between a client and a dummy, and prints how many games each has won.
///
/// Each client is started once per game, as COMMAND BASEURL GAMEID; in 2017, which has no game ids, as COMMAND BASEURL. If the command
/// contains {url} or {game}, these are replaced instead. The output of each client goes to a file in --out.
///
/// A Holdfast server is asked who has won a game of 2022. The protocols themselves do not tell others. So for other servers and for 2017
/// a client reports it with its exit code: 0 if it has won, 1 if it has lost; anything else is an error. With --dummy, the dummy's result
/// counts.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The URL of the server.
    #[arg(long, value_name = "BASEURL")]
    url: BaseUrl,
    /// The number of games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// The number of games at the same time. In 2017 it must be 1: the client that registers next is the opponent.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=90))]
    jobs: u16,
    /// The command of a client. Give it twice to let two clients play each other.
    #[arg(long = "client", value_name = "COMMAND", required = true, value_parser = command)]
    clients: Vec<String>,
    /// Play against a dummy that walks between random fields.
    #[arg(long)]
    dummy: bool,
    /// The protocol of the server.
    #[arg(long, value_enum, default_value = "2022")]
    protocol: Protocol,
    /// The directory for the output of the clients.
    #[arg(long, default_value = "treasure-batch", value_name = "DIR")]
    out: PathBuf,
    /// How long a game may take; a number without a unit is seconds. Clients that still run are killed.
    #[arg(long, default_value = "10m", value_name = "TIME",
          value_parser = duration::within(duration::in_seconds, Duration::from_secs(1)..=Duration::from_secs(86_400)))]
    time: Duration,
    /// The seed of the dummies. [default: a different one each time]
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    seed: Option<i64>,
    #[command(flatten)]
    report: ReportArgs,
}

/// Parses a command that can be split into words.
fn command(text: &str) -> Result<String, Unreadable> {
    split(text).map(|_| text.to_owned())
}

/// The reasons why a batch cannot be run.
#[derive(Debug)]
pub(super) enum BatchError {
    NotTwoPlayers,
    OneAtATime,
    /// An error of a file or a program: its path, and the system's error.
    Path {
        path: PathBuf,
        cause: io::Error,
    },
    Command(Unreadable),
    /// The server does not create a game.
    NoGame {
        url: BaseUrl,
        failure: crate::players::Failure,
    },
    /// A task of this program ended too early.
    Task(tokio::task::JoinError),
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotTwoPlayers => f.write_str("a game has two players: give --client twice, or once with --dummy"),
            Self::OneAtATime => {
                f.write_str("games of 2017 run one at a time, because the client that registers next is the opponent")
            }
            Self::Path { path, cause } => write!(f, "{}: {cause}", path.display()),
            Self::Command(error) => error.fmt(f),
            Self::NoGame { url, failure } => write!(f, "{url}: {failure}"),
            Self::Task(error) => error.fmt(f),
        }
    }
}

impl Error for BatchError {}

pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<bool, Failure> {
    let mut names = arguments.clients.clone();
    match (names.len(), arguments.dummy) {
        (1, true) => names.push("dummy".into()),
        (2, false) => {}
        _ => return Err(BatchError::NotTwoPlayers.into()),
    }
    if arguments.protocol == Protocol::Y2017 && arguments.jobs > 1 {
        return Err(BatchError::OneAtATime.into());
    }
    let created = std::fs::create_dir_all(&arguments.out);
    created.map_err(|cause| BatchError::Path { path: arguments.out.clone(), cause })?;
    let mut tally = Tally::new(names);
    let whole = block_on(async {
        tokio::select! {
            played = play(arguments, &mut tally) => played.map(|()| true).map_err(Failure::from),
            stopped = interrupted() => stopped.map(|()| false).map_err(Failure::from),
        }
    })?;
    let end = if whole { "" } else { "stopped before the end\n" };
    out.write(arguments.report.report(|| format!("{tally}{end}"), || tally.to_json(whole)));
    Ok(whole && tally.is_clear())
}

/// Plays all games. Dropping the future kills the clients.
async fn play(arguments: &Arguments, tally: &mut Tally) -> Result<(), BatchError> {
    let seed = arguments.seed.unwrap_or_else(any_seed);
    let progress = Progress::new("games", arguments.games.into());
    let places = Arc::new(Semaphore::new(arguments.jobs.into()));
    let mut playing: JoinSet<Result<Played, BatchError>> = JoinSet::new();
    for number in 1..=arguments.games {
        let place = places.clone().acquire_owned().await.expect("the semaphore is never closed");
        while let Some(ended) = playing.try_join_next() {
            tally.add(ended.map_err(BatchError::Task)??);
            progress.show(tally.games().into());
        }
        let fixture = Fixture {
            number,
            url: arguments.url.clone(),
            protocol: arguments.protocol,
            clients: arguments.clients.clone(),
            out: arguments.out.clone(),
            limit: arguments.time,
            seed: seed.wrapping_add(number.into()),
        };
        playing.spawn(async move {
            let played = fixture.play().await;
            drop(place);
            played
        });
    }
    while let Some(ended) = playing.join_next().await {
        tally.add(ended.map_err(BatchError::Task)??);
        progress.show(tally.games().into());
    }
    Ok(())
}
