//! `holdfast crazyhouse tournament`: bots play each other on a host in this process, and every game is in the log. After a crash, the
//! same command resumes the tournament: the log has the results so far, and unfinished games go on.

mod openings;
mod standings;

use std::{
    error::Error,
    fmt, io,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use cli::{
    BotServer, Failure, Program, duration, logging,
    output::{Out, ReportArgs},
    progress::Progress,
    schedule::{Format, Pairing, round_robin, swiss},
    serving::{Durability, LogFileError, Serving, block_on, open_host, open_log, stopped},
    thinkers,
};
use clients::resuming::{Heard, ResumingClient};
use commlib::{ClientError, Create, Refused, Want};
use crazyhouse_rules::{Command, Event, Game, Outcome, Reason, Side};
use engine::Rulebook;
use serde_json::json;
use server::{Host, Options, log::EventLog};
use slog::Logger;
use tokio::{
    sync::Semaphore,
    task::{JoinError, JoinSet},
};

use crate::{
    bots::Budget,
    opponents::{Cast, Named, foreign},
};
use openings::opening;
use standings::{Played, Standings};

/// Runs a tournament of bots and prints the cross table with Elo ratings.
///
/// Two bots that meet play two games from the same opening, each with White in one. All games are in the log, and the same command
/// resumes a tournament that was stopped or killed. Give it the same options: the log does not have the time limits and the programs of
/// the bots.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The bots that play, separated by commas: built-in bots, and those of --bot.
    #[arg(long, value_delimiter = ',', default_value = "search,greedy,random", value_name = "NAMES")]
    bots: Vec<String>,
    /// Add a program as a bot. It is started for each move with the position, such as `BOARD w`, as its last argument, and prints a
    /// move, or nothing to resign. Can be given several times.
    #[arg(long = "bot", value_name = "NAME=COMMAND", value_parser = foreign)]
    foreign: Vec<Named>,
    /// The log file for the games.
    #[arg(long, value_name = "FILE")]
    log: PathBuf,
    /// The name of the tournament. Another tournament in the same file needs another name.
    #[arg(long, default_value = "cup", value_parser = name)]
    name: String,
    /// The format of the tournament.
    #[arg(long, value_enum, default_value = "round-robin")]
    format: Format,
    /// How often each pair of bots meets; in a Swiss tournament, the number of rounds.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000), value_name = "N")]
    rounds: u32,
    /// The seed of the openings and of the bots.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true, value_name = "N")]
    seed: i64,
    /// The number of random moves, of both sides together, at the start of a game.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=40), value_name = "N")]
    opening: u32,
    /// The number of moves, of both sides together, after which a game is a draw.
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    most_moves: u32,
    /// How long a bot may think about a move; a number without a unit is milliseconds. A program that takes longer is killed and loses.
    #[arg(long, default_value = "200ms", value_name = "TIME",
          value_parser = duration::within(duration::in_milliseconds, Duration::from_millis(1)..=Duration::from_secs(600)))]
    time: Duration,
    /// How many positions a built-in bot may search for a move, instead of --time. Then games between them are the same on every machine.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    nodes: Option<u64>,
    /// The number of games at the same time. [default: one less than cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=64), value_name = "N")]
    parallel: Option<u16>,
    /// Also write the table as JSON to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
    #[command(flatten)]
    logging: logging::Logging,
}

/// The reasons why a tournament cannot be played.
#[derive(Debug)]
enum TournamentError {
    BadName,
    UnknownBot {
        name: String,
        known: Vec<String>,
    },
    NamedTwice {
        name: String,
    },
    TooFewBots,
    /// The log has a game of this name from another tournament.
    OtherTournament {
        game: String,
    },
    /// The game did not end by the rules.
    Broken {
        game: String,
    },
    /// The bots never came to the game.
    NeverPlayed {
        game: String,
    },
    Refused {
        game: String,
        refused: Refused,
    },
    Connection {
        game: String,
        error: ClientError,
    },
    Store(LogFileError),
    /// A task of this program ended too early.
    Task(JoinError),
    Output {
        path: PathBuf,
        cause: io::Error,
    },
}

impl fmt::Display for TournamentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadName => f.write_str("a name has 1 to 30 lower-case letters, digits or -"),
            Self::UnknownBot { name, known } => write!(f, "no bot {name}; there are {}", known.join(", ")),
            Self::NamedTwice { name } => write!(f, "{name} is named twice"),
            Self::TooFewBots => f.write_str("a tournament needs two bots"),
            Self::OtherTournament { game } => write!(
                f,
                "the log has another game {game}, with other bots, seed or limits; --name starts another tournament"
            ),
            Self::Broken { game } => write!(f, "game {game} is broken; --name starts another tournament"),
            Self::NeverPlayed { game } => write!(f, "game {game} was never played; --name starts another tournament"),
            Self::Refused { game, refused } => write!(f, "{game}: {refused}"),
            Self::Connection { game, error } => write!(f, "game {game}: {error}"),
            Self::Store(error) => error.fmt(f),
            Self::Task(error) => error.fmt(f),
            Self::Output { path, cause } => write!(f, "{}: {cause}", path.display()),
        }
    }
}

impl Error for TournamentError {}

/// Parses the name of a tournament, which is part of the names of its games.
fn name(text: &str) -> Result<String, TournamentError> {
    let is_valid = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if text.is_empty() || text.len() > 30 || !text.chars().all(is_valid) {
        return Err(TournamentError::BadName);
    }
    Ok(text.into())
}

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, Failure> {
    let (logger, _written_at_the_end) = logging::logger(arguments.logging);
    let budget = arguments.nodes.map_or(Budget::time(arguments.time), Budget::nodes);
    let cast = Cast::new(arguments.foreign.clone(), budget, arguments.time)?;
    let entrants = entrants(arguments, &cast)?;
    let (standings, whole) = block_on(tournament(program, arguments, &entrants, cast, &logger))?;
    let text = || match whole {
        true => standings.table(),
        false => {
            format!("{}\nstopped after {} games; the same command resumes\n", standings.table(), standings.games())
        }
    };
    out.write(arguments.report.report(text, || standings.json()));
    if let Some(file) = &arguments.out {
        let written = std::fs::write(file, format!("{}\n", standings.json()));
        written.map_err(|cause| TournamentError::Output { path: file.clone(), cause })?;
    }
    Ok(whole)
}

/// The bots that play: the named ones, and every program.
fn entrants(arguments: &Arguments, cast: &Cast) -> Result<Vec<String>, TournamentError> {
    let mut entrants: Vec<String> = Vec::new();
    let programs = arguments.foreign.iter().map(|bot| &bot.name);
    for name in arguments.bots.iter().chain(programs.filter(|name| !arguments.bots.contains(name))) {
        if !cast.names().any(|known| known == name) {
            let known = cast.names().map(str::to_owned).collect();
            return Err(TournamentError::UnknownBot { name: name.clone(), known });
        }
        if entrants.contains(name) {
            return Err(TournamentError::NamedTwice { name: name.clone() });
        }
        entrants.push(name.clone());
    }
    if entrants.len() < 2 {
        return Err(TournamentError::TooFewBots);
    }
    Ok(entrants)
}

/// Plays all games that are not finished yet. False if it was stopped before the end.
async fn tournament(
    program: &Program,
    arguments: &Arguments,
    entrants: &[String],
    cast: Cast,
    logger: &Logger,
) -> Result<(Standings, bool), Failure> {
    let log = open_log(Some(&arguments.log), Durability::Normal)?;
    let (opponents, bots) = BotServer::new(vec![Box::new(cast)]);
    let host = open_host(Options { opponents, ..Options::new(program.hosted(), log.clone(), logger.clone()) }).await?;
    let mut serving = Serving::new(host.clone());
    let address = serving.games(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0)).await?;
    tokio::spawn(bots.run(address, logger.clone()));
    let games = TournamentGames { arguments, entrants, host, log, address };
    let mut standings = Standings::new(entrants);
    let ended = tokio::select! {
        played = games.play(&mut standings) => played.map(|()| true).map_err(Failure::from),
        interrupted = stopped(logger) => interrupted.map(|()| false).map_err(Failure::from),
    };
    serving.end().await?;
    Ok((standings, ended?))
}

/// The games of a tournament on their host.
struct TournamentGames<'t> {
    arguments: &'t Arguments,
    entrants: &'t [String],
    host: Arc<Host>,
    log: Arc<dyn EventLog>,
    address: SocketAddr,
}

/// A game to play.
struct Fixture {
    game: String,
    scenario: String,
    white: usize,
    black: usize,
}

impl TournamentGames<'_> {
    async fn play(&self, standings: &mut Standings) -> Result<(), TournamentError> {
        let count = self.entrants.len();
        let rounds = self.arguments.rounds;
        match self.arguments.format {
            Format::RoundRobin => {
                let fixed = round_robin(count, rounds);
                let all = 2 * fixed.iter().map(Vec::len).sum::<usize>() as u64;
                let progress = Progress::new("games", all);
                // All pairs are known in advance, so no round has to wait for the end of the last one.
                let fixtures =
                    fixed.iter().enumerate().flat_map(|(round, pairs)| self.fixtures(round, pairs)).collect();
                self.play_all(fixtures, standings, &progress).await
            }
            Format::Swiss => {
                let progress = Progress::new("games", 2 * u64::from(rounds) * (count / 2) as u64);
                let (mut met, mut rested) = (Vec::new(), Vec::new());
                for round in 0..rounds as usize {
                    let (pairs, resting) = swiss(&standings.order(), &met, &rested);
                    self.play_all(self.fixtures(round, &pairs), standings, &progress).await?;
                    met.push(pairs);
                    if let Some(resting) = resting {
                        standings.rest(resting);
                        rested.push(resting);
                    }
                }
                Ok(())
            }
        }
    }

    /// The games of a round: two for each pair, from one opening.
    fn fixtures(&self, round: usize, pairs: &[Pairing]) -> Vec<Fixture> {
        let Arguments { name, seed, opening: moves, most_moves, .. } = self.arguments;
        let both = |(table, pair): (usize, &Pairing)| {
            let Pairing { first, second } = *pair;
            let start = opening(*seed, (round * self.entrants.len() + table) as u64, *moves);
            [("a", first, second), ("b", second, first)].map(|(letter, white, black)| Fixture {
                game: format!("{name}-{}-{}-{letter}", round + 1, table + 1),
                scenario: json!({
                    "board": start.board(),
                    "next": start.turn(),
                    "bots": {"white": self.entrants[white], "black": self.entrants[black]},
                    "most_moves": most_moves,
                })
                .to_string(),
                white,
                black,
            })
        };
        pairs.iter().enumerate().flat_map(both).collect()
    }

    /// Plays games, some at the same time, and counts their results.
    async fn play_all(
        &self,
        fixtures: Vec<Fixture>,
        standings: &mut Standings,
        progress: &Progress,
    ) -> Result<(), TournamentError> {
        let parallel = self.arguments.parallel.map_or_else(thinkers, usize::from);
        let places = Arc::new(Semaphore::new(parallel));
        let mut playing = JoinSet::new();
        for fixture in fixtures {
            let place = places.clone().acquire_owned().await.expect("the semaphore is never closed");
            while let Some(ended) = playing.try_join_next() {
                count(ended, standings, progress)?;
            }
            self.begin(&fixture).await?;
            let address = self.address;
            playing.spawn(async move {
                let played = watch(address, &fixture).await;
                drop(place);
                played
            });
        }
        while let Some(ended) = playing.join_next().await {
            count(ended, standings, progress)?;
        }
        Ok(())
    }

    /// Creates a game, unless the log has it.
    async fn begin(&self, fixture: &Fixture) -> Result<(), TournamentError> {
        let Fixture { game, scenario, .. } = fixture;
        let failed = |error| TournamentError::Store(LogFileError::new(&self.arguments.log, error));
        if let Some(head) = self.log.find(game).await.map_err(failed)? {
            if head.scenario.as_deref() != Some(scenario) || head.record.about.seed != self.arguments.seed {
                return Err(TournamentError::OtherTournament { game: game.clone() });
            }
            return Ok(());
        }
        let create = Create {
            rulebook: Some(Game::NAME.into()),
            scenario: scenario.clone(),
            edition: None,
            seed: Some(self.arguments.seed),
            // A limit, so that a bot that has crashed does not delay the others for a day.
            timeout: Some(20 * self.arguments.time.as_millis() as u64 + 600_000),
        };
        let created = self.host.create(&create, Some(game)).await;
        created.map(drop).map_err(|refused| TournamentError::Refused { game: game.clone(), refused })
    }
}

type Watched = Result<Played, TournamentError>;

fn count(
    ended: Result<Watched, JoinError>,
    standings: &mut Standings,
    progress: &Progress,
) -> Result<(), TournamentError> {
    standings.add(ended.map_err(TournamentError::Task)??);
    progress.show(standings.games().into());
    Ok(())
}

/// Watches a game to its end. If the game is finished already, reads its result.
async fn watch(address: SocketAddr, fixture: &Fixture) -> Watched {
    let Fixture { game, white, black, .. } = fixture;
    let failed = |error| TournamentError::Connection { game: game.clone(), error };
    let (mut client, _) = ResumingClient::<Command, Event>::open(address, Some(game.clone()), Want::Watch { seen: 0 })
        .await
        .map_err(failed)?;
    let mut end: Option<(Outcome, Option<String>)> = None;
    loop {
        match client.next().await.map_err(failed)? {
            Heard::Event { event: Event::Finished { outcome, because }, .. } => {
                end = Some((outcome, because.map(|because| because.to_string())));
            }
            Heard::Over => break,
            Heard::Event { .. }
            | Heard::CaughtUp
            | Heard::Refused(_)
            | Heard::Offers(_)
            | Heard::Notice(_)
            | Heard::Managed(_) => {}
        }
    }
    let (outcome, gave_up) = end.ok_or_else(|| TournamentError::Broken { game: game.clone() })?;
    if outcome.reason == Reason::NobodyCame {
        return Err(TournamentError::NeverPlayed { game: game.clone() });
    }
    let winner = outcome.winner.map(|side| match side {
        Side::White => *white,
        Side::Black => *black,
    });
    Ok(Played { white: *white, black: *black, winner, gave_up })
}
