//! `holdfast crazyhouse tournament`: bots play each other on a host in this process, and every game is in the log. Whatever
//! ends the process, the same command goes on: the log says what was played, and games that were not over go on.

mod openings;
mod standings;

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use cli::{
    BotServer, Program, logging,
    output::{Out, Progress},
    schedule::{Format, Pairing, round_robin, swiss},
    serving::{Durability, Serving, block_on, open_host, open_log, stopped},
    thinkers,
};
use clients::resuming::{Heard, ResumingClient};
use commlib::{Create, Want};
use crazyhouse_rules::{Command, Event, Game, Outcome, Reason, Side};
use engine::Rulebook;
use serde_json::json;
use server::{Host, Options, log::EventLog};
use slog::Logger;
use tokio::{sync::Semaphore, task::JoinSet};

use crate::{
    bots::Budget,
    opponents::{Cast, Named, foreign},
};
use openings::opening;
use standings::{Played, Standings};

/// Lets bots play each other and prints the cross table with Elo ratings. Two who meet play two games from the same opening, each
/// with White in one. All games are in the log; the same command goes on with a tournament that was stopped or killed. It has to
/// be the same one: how long bots may think and what programs they are is not in the log.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Who plays, with commas between: bots of ours, and those of --bot.
    #[arg(long, value_delimiter = ',', default_value = "search,greedy,random", value_name = "NAMES")]
    bots: Vec<String>,
    /// A program that plays, too: it is started for each move with the position, such as `BOARD w`, as its last argument, and
    /// prints a move, or nothing to resign. Can be given several times.
    #[arg(long = "bot", value_name = "NAME=COMMAND", value_parser = foreign)]
    foreign: Vec<Named>,
    /// The file that keeps the games.
    #[arg(long, value_name = "FILE")]
    log: PathBuf,
    /// What the games in the log are called. Another tournament in the same file needs another name.
    #[arg(long, default_value = "cup", value_parser = name)]
    name: String,
    #[arg(long, value_enum, default_value = "round-robin")]
    format: Format,
    /// How often everybody meets everybody; of a Swiss tournament, how many rounds.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// Openings come from it, and the chances of bots.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: i64,
    /// How many moves at random, of both together, a game starts with.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=40), value_name = "N")]
    opening: u32,
    /// After so many moves of both together a game is a draw.
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    most_moves: u32,
    /// How long a bot may think about a move. A program that takes longer is killed and has lost.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=600_000), value_name = "MILLISECONDS")]
    time: u64,
    /// How many positions our bots may look at for a move, instead of the time. Then games among them are the same on any machine.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    nodes: Option<u64>,
    /// How many games are played at the same time. [default: one for each core but one]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=64), value_name = "N")]
    parallel: Option<u16>,
    /// A file for the table, as JSON.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    logging: logging::Logging,
}

/// Part of the name of a game.
fn name(text: &str) -> Result<String, String> {
    let right = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if text.is_empty() || text.len() > 30 || !text.chars().all(right) {
        return Err("a name has 1 to 30 small letters, figures or -".into());
    }
    Ok(text.into())
}

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, String> {
    let (logger, _written_at_the_end) = logging::logger(arguments.logging);
    let time = Duration::from_millis(arguments.time);
    let budget = arguments.nodes.map_or(Budget::time(time), Budget::nodes);
    let cast = Cast::new(arguments.foreign.clone(), budget, time)?;
    let entrants = entrants(arguments, &cast)?;
    let (standings, whole) = block_on(tournament(program, arguments, &entrants, cast, &logger))?;
    out.write(standings.table());
    if !whole {
        out.write(format!("\nstopped after {} games; the same command goes on\n", standings.games()));
    }
    if let Some(file) = &arguments.out {
        std::fs::write(file, format!("{}\n", standings.json()))
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(whole)
}

/// Who plays: those who are named, and every program that was given.
fn entrants(arguments: &Arguments, cast: &Cast) -> Result<Vec<String>, String> {
    let mut entrants: Vec<String> = Vec::new();
    let programs = arguments.foreign.iter().map(|bot| &bot.name);
    for name in arguments.bots.iter().chain(programs.filter(|name| !arguments.bots.contains(name))) {
        if !cast.names().any(|known| known == name) {
            return Err(format!("no bot {name}; there are {}", cast.names().collect::<Vec<_>>().join(", ")));
        }
        if entrants.contains(name) {
            return Err(format!("{name} is named twice"));
        }
        entrants.push(name.clone());
    }
    if entrants.len() < 2 {
        return Err("a tournament needs two bots".into());
    }
    Ok(entrants)
}

/// Plays all that was not played yet. False: it was stopped before the end.
async fn tournament(
    program: &Program,
    arguments: &Arguments,
    entrants: &[String],
    cast: Cast,
    logger: &Logger,
) -> Result<(Standings, bool), String> {
    let log = open_log(Some(&arguments.log), Durability::Normal)?;
    let (opponents, bots) = BotServer::new(vec![Box::new(cast)]);
    let host = open_host(Options { opponents, ..Options::new(program.hosted(), log.clone(), logger.clone()) }).await?;
    let mut serving = Serving::new(host.clone());
    let address = serving.games(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0)).await?;
    tokio::spawn(bots.run(address, logger.clone()));
    let table = Table { arguments, entrants, host, log, address };
    let mut standings = Standings::new(entrants);
    let ended = tokio::select! {
        played = table.play(&mut standings) => played.map(|()| true),
        interrupted = stopped(logger) => interrupted.map(|()| false).map_err(String::from),
    };
    serving.end().await?;
    Ok((standings, ended?))
}

/// Where the games are played.
struct Table<'t> {
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

impl Table<'_> {
    async fn play(&self, standings: &mut Standings) -> Result<(), String> {
        let count = self.entrants.len();
        let rounds = self.arguments.rounds;
        match self.arguments.format {
            Format::RoundRobin => {
                let fixed = round_robin(count, rounds);
                let all = 2 * fixed.iter().map(Vec::len).sum::<usize>() as u64;
                let progress = Progress::new("games", all);
                // Nobody waits for the end of a round: the pairs are known.
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

    /// Plays games, some at the same time, and counts them.
    async fn play_all(
        &self,
        fixtures: Vec<Fixture>,
        standings: &mut Standings,
        progress: &Progress,
    ) -> Result<(), String> {
        let parallel = self.arguments.parallel.map_or_else(thinkers, usize::from);
        let places = Arc::new(Semaphore::new(parallel));
        let mut playing = JoinSet::new();
        for fixture in fixtures {
            let place = places.clone().acquire_owned().await.map_err(|error| error.to_string())?;
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

    /// Makes a game, unless the log has it.
    async fn begin(&self, fixture: &Fixture) -> Result<(), String> {
        let Fixture { game, scenario, .. } = fixture;
        let failed = |error: server::log::StoreError| format!("{}: {error}", self.arguments.log.display());
        if let Some(head) = self.log.find(game).await.map_err(failed)? {
            if head.scenario.as_deref() != Some(scenario) || head.record.about.seed != self.arguments.seed {
                return Err(format!(
                    "the log has another game {game}, of other bots, another seed or other limits; --name names another tournament"
                ));
            }
            return Ok(());
        }
        let create = Create {
            rulebook: Some(Game::NAME.into()),
            scenario: scenario.clone(),
            edition: None,
            seed: Some(self.arguments.seed),
            // A bot that is gone does not hold up the others for a day.
            timeout: Some(20 * self.arguments.time + 600_000),
        };
        self.host.create(&create, Some(game)).await.map(drop).map_err(|refused| format!("{game}: {refused}"))
    }
}

type Watched = Result<Played, String>;

fn count(
    ended: Result<Watched, tokio::task::JoinError>,
    standings: &mut Standings,
    progress: &Progress,
) -> Result<(), String> {
    standings.add(ended.map_err(|error| error.to_string())??);
    progress.show(standings.games().into());
    Ok(())
}

/// Watches a game to its end, or reads how it ended.
async fn watch(address: SocketAddr, fixture: &Fixture) -> Watched {
    let Fixture { game, white, black, .. } = fixture;
    let failed = |error: commlib::ClientError| format!("game {game}: {error}");
    let (mut line, _) = ResumingClient::<Command, Event>::open(address, Some(game.clone()), Want::Watch { seen: 0 })
        .await
        .map_err(failed)?;
    let mut end: Option<(Outcome, Option<String>)> = None;
    loop {
        match line.next().await.map_err(failed)? {
            Heard::Event { event: Event::Finished { outcome, because }, .. } => {
                end = Some((outcome, because.map(|because| because.to_string())));
            }
            Heard::Over => break,
            Heard::Event { .. } | Heard::CaughtUp | Heard::Refused(_) => {}
        }
    }
    let (outcome, gave_up) = end.ok_or_else(|| format!("game {game} is broken; --name begins another tournament"))?;
    if outcome.reason == Reason::NobodyCame {
        return Err(format!("game {game} was never played; --name begins another tournament"));
    }
    let winner = outcome.winner.map(|side| match side {
        Side::White => *white,
        Side::Black => *black,
    });
    Ok(Played { white: *white, black: *black, winner, gave_up })
}
