//! `holdfast arena` for any rulebook: bots and foreign programs play each other over the ordinary protocol.

mod program;
mod standings;
mod table;

use std::{error::Error, fmt, fs, io, path::PathBuf, sync::Arc, time::Duration};

use commlib::Create;
use engine::Verdict;
use serde_json::json;
use server::HostedGame;
use tokio::task::JoinSet;

use self::{
    standings::Standings,
    table::{Contestant, Fixture, Played, Tables},
};
use super::{RulebookArg, bot_player::Bots, create, most_players};
use crate::{
    Answer, Failure, Program, duration,
    output::ReportArgs,
    plural::{GAMES, PLAYERS, counted},
    progress::Progress,
    serving::{block_on, interrupted},
    thinkers,
};

pub use program::{ForeignBot, ForeignBotError};

/// Lets bots and programs play each other, and reports how often each wins and how strong they are.
///
/// Every group of bots plays each seed in all orders of seats that a rotation gives. Each game has a host and a port of its own on this
/// machine; all players connect to it as ordinary clients.
#[derive(Debug, clap::Args)]
#[command(after_help = PROGRAMS)]
pub struct Arguments {
    #[command(flatten)]
    rulebook: RulebookArg,
    /// The bots of the rulebook that play, separated by commas. [default: all of them]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    bots: Option<Vec<String>>,
    /// Add a program as a player. It is started for each of its games and plays one seat to the end. Can be given several times.
    #[arg(long = "bot", value_name = "NAME=COMMAND", value_parser = ForeignBot::parse)]
    foreign: Vec<ForeignBot>,
    /// The scenario: its name or its text. It also decides on the number of players. [default: the first one of the rulebook]
    #[arg(long, value_name = "NAME|TEXT")]
    scenario: Option<String>,
    /// The number of seeds. On each, every group of bots plays once in each rotation of its seats.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000), value_name = "N")]
    seeds: u32,
    /// The first seed.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true, value_name = "N")]
    seed: i64,
    /// How long a game may wait for a player, such as 2s; a number without a unit is milliseconds. A player that takes longer loses.
    #[arg(long, default_value = "10s", value_name = "TIME",
          value_parser = duration::within(duration::in_milliseconds, Duration::from_millis(10)..=Duration::from_secs(3600)))]
    time: Duration,
    /// The number of games at the same time. [default: one less than cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=64), value_name = "N")]
    parallel: Option<u16>,
    /// Keep the log of each game in this folder, for `log` and `host`.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
}

const PROGRAMS: &str = "\
A program finds its seat in its environment, or in its arguments where the command has these words:
  HOLDFAST_CONNECT   {connect}   the address of the host, such as 127.0.0.1:40123
  HOLDFAST_GAME      {game}      the game to join
  HOLDFAST_RULEBOOK  {rulebook}  its rulebook
  HOLDFAST_SEAT      {seat}      the number of its seat, from 0
  HOLDFAST_PLAYERS   {players}   the number of players
  HOLDFAST_NAME      {name}      its name in the game
  HOLDFAST_SEED      {seed}      a seed for its random choices
It joins the game, takes a seat, and plays to the end. In a game that a player must begin, the one on seat 0 does it. It loses if it ends earlier, lets the game wait for longer than --time,
does not take its seat within 30 s, or if 100 of its commands are refused. All others of its game win then.";

/// The reasons why an arena cannot be played.
#[derive(Debug)]
enum ArenaError {
    Twice {
        name: String,
    },
    TooFew,
    /// The rulebook has another wire.
    NotOnThisWire {
        rulebook: &'static str,
    },
    Keep {
        folder: PathBuf,
        cause: io::Error,
    },
    /// The arena was interrupted.
    Stopped,
}

impl fmt::Display for ArenaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Twice { name } => write!(f, "there are two bots {name}"),
            Self::TooFew => f.write_str("an arena needs two bots; --bot NAME=COMMAND adds a program"),
            Self::NotOnThisWire { rulebook } => {
                write!(f, "{rulebook} is played on a wire of its own, so it has no arena for bots of the common one")
            }
            Self::Keep { folder, cause } => write!(f, "{}: {cause}", folder.display()),
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

impl Error for ArenaError {}

/// Runs the command.
///
/// # Errors
/// If the options do not fit the rulebook, or no game can be played.
pub fn run(program: &Program, arguments: &Arguments) -> Result<Answer, Failure> {
    let own = arguments.rulebook.in_program(program)?;
    let game = own.hosted();
    if !game.is_on_common_wire() {
        return Err(ArenaError::NotOnThisWire { rulebook: game.name() }.into());
    }
    let bots = Bots::of(own);
    let contestants = contestants(&bots, arguments)?;
    let create = create(game, arguments.scenario.as_deref(), None);
    let players = most_players(game, &create)?;
    if let Some(folder) = &arguments.keep {
        fs::create_dir_all(folder).map_err(|cause| ArenaError::Keep { folder: folder.clone(), cause })?;
    }
    let heading =
        format!("{} ({}), {}, seeds from {}", game.name(), create.scenario, counted(players, PLAYERS), arguments.seed);
    let names: Vec<String> = contestants.iter().map(|contestant| contestant.name().to_owned()).collect();
    let fixtures = fixtures(contestants.len(), players, arguments.seed, arguments.seeds);
    let tables =
        Tables { game, create: create.clone(), bots, contestants, time: arguments.time, keep: arguments.keep.clone() };
    let parallel = arguments.parallel.map_or_else(thinkers, usize::from);
    let mut standings = Standings::new(names, players);
    let played = unless_stopped(play_all(tables, fixtures, parallel))?;
    played.into_iter().for_each(|(fixture, result)| standings.add(&fixture, result));
    let text = || standings.text(&format!("{} of {heading}", counted(standings.games(), GAMES)));
    let json = || {
        let mut report = standings.json();
        report["rulebook"] = json!(game.name());
        report["scenario"] = json!(create.scenario);
        report["players"] = json!(players);
        report["seed"] = json!(arguments.seed);
        report
    };
    Ok(arguments.report.answer(!standings.is_empty(), text, json))
}

/// The named bots, or all of them, and the programs.
fn contestants(bots: &Bots, arguments: &Arguments) -> Result<Vec<Contestant>, Failure> {
    let names = match &arguments.bots {
        None => bots.names(),
        Some(names) => names.clone(),
    };
    let mut chosen: Vec<Contestant> =
        names.iter().map(|name| bots.find(name).map(Contestant::Bot)).collect::<Result<_, _>>()?;
    chosen.extend(arguments.foreign.iter().cloned().map(Contestant::Program));
    for (at, contestant) in chosen.iter().enumerate() {
        if chosen[..at].iter().any(|other| other.name() == contestant.name()) {
            return Err(ArenaError::Twice { name: contestant.name().into() }.into());
        }
    }
    if chosen.len() < 2 { Err(ArenaError::TooFew.into()) } else { Ok(chosen) }
}

/// All games: on each seed every group of contestants, in every rotation of its seats.
fn fixtures(contestants: usize, players: usize, seed: i64, seeds: u32) -> Vec<Fixture> {
    let mut tables: Vec<Vec<usize>> = Vec::new();
    for group in groups(contestants, players) {
        for rotation in 0..players {
            let mut seats = group.clone();
            seats.rotate_left(rotation);
            // If a contestant has several seats, rotations repeat.
            if !tables.contains(&seats) {
                tables.push(seats);
            }
        }
    }
    let rounds = (0..seeds).flat_map(|round| tables.iter().map(move |seats| (round, seats)));
    let fixture = |(number, (round, seats)): (u64, (u32, &Vec<usize>))| Fixture {
        number,
        seed: seed.wrapping_add(round.into()),
        seats: seats.clone(),
    };
    (1..).zip(rounds).map(fixture).collect()
}

/// All groups of so many of the contestants, each in ascending order. If there are fewer contestants than that, they sit down in
/// turns, and each of them begins once.
fn groups(contestants: usize, size: usize) -> Vec<Vec<usize>> {
    if contestants < size {
        return (0..contestants).map(|first| (first..first + size).map(|at| at % contestants).collect()).collect();
    }
    let mut groups = vec![Vec::new()];
    for _ in 0..size {
        let longer = |group: Vec<usize>| {
            let next = group.last().map_or(0, |last| last + 1);
            (next..contestants).map(move |one| group.iter().copied().chain([one]).collect())
        };
        groups = groups.into_iter().flat_map(longer).collect();
    }
    groups
}

/// Plays all games, so many at a time. The results do not depend on their order.
async fn play_all(tables: Tables, fixtures: Vec<Fixture>, parallel: usize) -> Result<Vec<(Fixture, Played)>, Failure> {
    let progress = Progress::new("games", fixtures.len() as u64);
    let tables = Arc::new(tables);
    let mut left = fixtures.into_iter();
    let mut playing = JoinSet::new();
    let mut played = Vec::new();
    loop {
        while playing.len() < parallel
            && let Some(fixture) = left.next()
        {
            let tables = tables.clone();
            playing.spawn(async move {
                let played = tables.play(&fixture).await;
                (fixture, played)
            });
        }
        let Some(ended) = playing.join_next().await else { break };
        let (fixture, result) = ended?;
        played.push((fixture, result?));
        progress.show(played.len() as u64);
    }
    drop(progress);
    played.sort_by_key(|(fixture, _)| fixture.number);
    Ok(played)
}

/// Plays games, unless the arena is interrupted. A process can do this once: signals belong to the first runtime that waits for them.
fn unless_stopped<T>(playing: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    block_on(async {
        tokio::select! {
            played = playing => played,
            stopped = interrupted() => stopped.map_err(Failure::from).and(Err(ArenaError::Stopped.into())),
        }
    })
}

/// Games in which a foreign program has every seat, for a game whose players win or lose together.
#[expect(missing_debug_implementations, reason = "a game without its types has nothing to show")]
pub struct ProgramGames {
    /// The game.
    pub game: &'static dyn HostedGame,
    /// How games are created. Each has a seed of its own.
    pub create: Create,
    /// The number of players.
    pub players: usize,
    /// How long a game may wait for a player.
    pub time: Duration,
}

/// How such a game ended: whether it was won, and why not if a program failed or the game has no result.
pub type ProgramGame = (bool, Option<String>);

/// Plays the games of these seeds with each program: for each kind of games and each program, the results in the order of the seeds.
///
/// # Errors
/// If a game cannot be hosted, or the arena is interrupted.
pub fn play_programs(
    games: Vec<ProgramGames>,
    bots: &[ForeignBot],
    seeds: &[i64],
) -> Result<Vec<Vec<Vec<ProgramGame>>>, Failure> {
    if bots.is_empty() {
        return Ok(games.iter().map(|_| Vec::new()).collect());
    }
    unless_stopped(async {
        let mut all = Vec::new();
        for games in games {
            let mut by_bot = Vec::new();
            for bot in bots {
                by_bot.push(games.play(bot, seeds).await?);
            }
            all.push(by_bot);
        }
        Ok(all)
    })
}

impl ProgramGames {
    async fn play(&self, bot: &ForeignBot, seeds: &[i64]) -> Result<Vec<ProgramGame>, Failure> {
        let fixture = |(number, seed): (u64, &i64)| Fixture { number, seed: *seed, seats: vec![0; self.players] };
        let fixtures = (1..).zip(seeds).map(fixture).collect();
        let tables = Tables {
            game: self.game,
            create: self.create.clone(),
            bots: Bots::none(self.game),
            contestants: vec![Contestant::Program(bot.clone())],
            time: self.time,
            keep: None,
        };
        let result = |(_, played): (Fixture, Played)| {
            let why = played.failures.into_iter().next().map(|(seat, why)| format!("seat {}: {why}", seat + 1));
            let is_won = |(verdict, _): &(Verdict, i64)| *verdict == Verdict::Won;
            let won = why.is_none() && played.seats.is_some_and(|seats| seats.iter().all(is_won));
            (won, why.or(played.void))
        };
        Ok(play_all(tables, fixtures, thinkers()).await?.into_iter().map(result).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(contestants: usize, players: usize) -> Vec<Vec<usize>> {
        fixtures(contestants, players, 7, 1).into_iter().map(|fixture| fixture.seats).collect()
    }

    #[test]
    fn everyone_sits_everywhere() {
        assert_eq!(seats(2, 2), [[0, 1], [1, 0]]);
        assert_eq!(seats(3, 2), [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
        assert_eq!(seats(2, 3), [[0, 1, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 0]]);
        assert_eq!(seats(2, 4), [[0, 1, 0, 1], [1, 0, 1, 0]]);
        assert_eq!(seats(3, 1), [[0], [1], [2]]);
        assert_eq!(seats(4, 3).len(), 12);
        let all = fixtures(2, 2, 7, 3);
        assert_eq!(all.iter().map(|fixture| fixture.seed).collect::<Vec<_>>(), [7, 7, 8, 8, 9, 9]);
        assert_eq!(all.iter().map(|fixture| fixture.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    }
}
