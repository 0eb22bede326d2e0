//! `holdfast project player`: one player, over the network.

use std::{error::Error, fmt, io, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use cli::{
    Failure,
    address::connect_address_or_port,
    duration::{self, DurationError},
    output,
    serving::block_on,
};
use project_rules::{EndReason, Team};
use server::{RealWorld, World};
use tokio::task::JoinSet;

use super::{
    PORT,
    error::{ProgramError, explain_player},
    is_off, parse_hash,
};
use crate::{
    ConfigurationError,
    players::{
        Costs, End, Guid, Ids, Nature, PlayerConfiguration, Strategy, TraceTarget,
        network::{self, News, Options},
    },
};

/// The maximum cost of an action. A day is longer than any game, and no sum of such costs overflows.
const MAX_COST: Duration = Duration::from_secs(86_400);
/// The most players of a process. A Communication Server takes 256 connections.
const MOST_PLAYERS: i64 = 250;

/// Plays one game over a Communication Server.
///
/// Exit code 0 after a game, won or lost; 1 if the player is refused, if the server cannot be reached in all attempts, or
/// after a failure of the Game Master.
#[derive(Debug, clap::Args)]
#[command(after_help = strategies(), group = clap::ArgGroup::new("preference").args(["config", "team"]).required(true))]
pub(crate) struct Arguments {
    /// Address of the Communication Server, such as localhost:8000 or 8000.
    #[arg(long, default_value = "127.0.0.1:8000", value_name = "ADDR", value_parser = connect_address_or_port(PORT))]
    connect: SocketAddr,
    /// Configuration of the player in XML, with its preferred team.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Preferred team. If it is full, the player joins the other one.
    #[arg(long, value_name = "blue|red", value_parser = parse_team)]
    team: Option<Team>,
    /// How the player plays.
    #[arg(long, value_name = "NAME", value_parser = parse_strategy)]
    strategy: Strategy,
    /// Number of attempts to connect, at the beginning and after a lost connection.
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    attempts: u32,
    /// Time between two attempts, such as 20s or 500ms; a plain number is seconds.
    #[arg(long, default_value = "20s", value_name = "TIME", value_parser = duration::in_seconds)]
    interval: Duration,
    /// Hash by which the Game Master recognizes the player. A player with the hash of a lost one takes its place. Without it,
    /// the hash is random.
    #[arg(long, value_name = "UUID", value_parser = parse_hash, conflicts_with = "count")]
    hash: Option<Guid>,
    /// Text file for a trace of sent and received messages and of errors, or off to write none. At 10 MiB it is renamed to
    /// FILE.1 and a new one begins. [default: player-ID.txt, with the number that the Game Master assigns]
    #[arg(long, alias = "log-file", value_name = "FILE")]
    trace_file: Option<PathBuf>,
    /// How long actions take, as in move=100ms,exchange=0; a plain number is milliseconds. The Game Master does not send
    /// the costs: they help the player to choose, and it waits as long as an exchange takes.
    /// [default: move=100ms,discover=450ms,test=500ms,pick-up=100ms,place=100ms,exchange=1200ms]
    #[arg(long, value_name = "NAME=TIME,..", value_parser = parse_costs)]
    costs: Option<Costs>,
    /// Seed of the player's random choices. Without it, the seed is random.
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    seed: Option<i64>,
    /// Number of players to run in this process, with the same options. They have the seeds after --seed.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_PLAYERS))]
    count: u16,
    /// Print only how the game ended.
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let (2.., Some(file)) = (arguments.count, &arguments.trace_file)
        && !is_off(file)
    {
        return Err(ProgramError::SharedTrace { count: arguments.count }.into());
    }
    let end = block_on(play(arguments))?;
    if end.reason == EndReason::Failure {
        return Err(ProgramError::GameFailed(format!("the Game Master has failed: {end}")).into());
    }
    output::announce(&end.to_string());
    Ok(())
}

/// Plays with all players, and returns the end of the game, which is the same for all of them.
async fn play(arguments: &Arguments) -> Result<End, Failure> {
    let mut playing = JoinSet::new();
    for number in 0..arguments.count {
        playing.spawn(network::play(options(arguments, number)?, news(arguments)));
    }
    let mut end = None;
    while let Some(ended) = playing.join_next().await {
        end = Some(ended?.map_err(explain_player)?);
    }
    Ok(end.expect("there is at least one player"))
}

/// Prints the news of a player. If there are several players, each line begins with the player's number.
fn news(arguments: &Arguments) -> impl FnMut(News) + Send + use<> {
    let (quiet, has_several) = (arguments.quiet, arguments.count > 1);
    let mut name = String::new();
    move |news: News| {
        let line = if let (News::Joined { player }, true) = (&news, has_several) {
            name = format!("player {player}");
            name.clone()
        } else {
            let gap = if name.is_empty() { "" } else { ": " };
            format!("{name}{gap}{}", words(&news))
        };
        if !quiet {
            output::announce(&line);
        }
    }
}

fn options(arguments: &Arguments, number: u16) -> Result<Options, ProgramError> {
    let team = match (&arguments.config, arguments.team) {
        (Some(file), _) => preference(file)?,
        (None, team) => team.expect("clap demands --config or --team"),
    };
    let world = Arc::new(RealWorld);
    let drawn = Drawn::new(&*world).map_err(ProgramError::NoRandomness)?;
    let nature = Nature {
        strategy: arguments.strategy,
        team,
        costs: arguments.costs.unwrap_or(Costs::SENSIBLE),
        seed: arguments.seed.map_or(drawn.seed, |seed| seed.wrapping_add(number.into())),
        ids: drawn.ids,
        returns: arguments.hash.is_some(),
    };
    let trace = match &arguments.trace_file {
        None => TraceTarget::Folder("".into()),
        Some(file) if is_off(file) => TraceTarget::Off,
        Some(file) => TraceTarget::File(file.clone()),
    };
    Ok(Options {
        server: arguments.connect,
        hash: arguments.hash.unwrap_or(drawn.hash),
        nature,
        attempts: arguments.attempts,
        interval: arguments.interval,
        keep_alive: network::KEEP_ALIVE,
        trace,
        world,
    })
}

/// Random values of a player.
pub(super) struct Drawn {
    pub(super) hash: Guid,
    pub(super) seed: i64,
    pub(super) ids: Ids,
}

impl Drawn {
    pub(super) fn new(world: &dyn World) -> io::Result<Self> {
        Ok(Self {
            hash: Guid::of_random(random(world)?),
            seed: i64::from_le_bytes(random(world)?),
            ids: Ids::new(random(world)?),
        })
    }
}

fn random<const N: usize>(world: &dyn World) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    world.random(&mut bytes)?;
    Ok(bytes)
}

/// The preferred team in a player's configuration.
fn preference(file: &PathBuf) -> Result<Team, ProgramError> {
    let bytes = std::fs::read(file).map_err(|cause| ProgramError::ReadPlayer { file: file.clone(), cause })?;
    let configuration = PlayerConfiguration::read(&bytes).map_err(|problems| ProgramError::Xml {
        name: file.display().to_string(),
        error: ConfigurationError::Xml(problems),
    })?;
    Ok(configuration.team)
}

fn words(news: &News) -> String {
    match news {
        News::Tracing { file } => format!("trace file: {}", file.display()),
        News::Joined { player } => format!("player {player}"),
        News::Team { team, leader: true } => format!("leads {team}"),
        News::Team { team, leader: false } => format!("in {team}"),
        News::Started { players, width, height } => format!("{players} players on {width} x {height} tiles: it begins"),
        News::Lost { error } => format!("the connection is lost: {error}"),
        News::Back => "back in the game".to_owned(),
    }
}

/// Why the value of an option is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OptionError {
    Strategy,
    Team,
    CostForm { part: String },
    CostName { name: String },
    Cost(DurationError),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Strategy => write!(f, "what works: {}", Strategy::ALL.map(Strategy::name).join(", ")),
            Self::Team => f.write_str("what works: blue, red"),
            Self::CostForm { part } => write!(f, "{part:?} is not of the form NAME=TIME"),
            Self::CostName { name } => {
                write!(f, "{name:?} has no cost; what works: move, discover, test, pick-up, place, exchange")
            }
            Self::Cost(error) => error.fmt(f),
        }
    }
}

impl Error for OptionError {}

pub(super) fn parse_strategy(name: &str) -> Result<Strategy, OptionError> {
    Strategy::named(name).ok_or(OptionError::Strategy)
}

/// The strategies, for the help of a command.
pub(super) fn strategies() -> String {
    let lines = Strategy::ALL.map(|strategy| format!("  {:<8} {}", strategy.name(), strategy.about()));
    format!("Strategies:\n{}", lines.join("\n"))
}

fn parse_team(name: &str) -> Result<Team, OptionError> {
    let team = Team::BOTH.into_iter().find(|team| team.to_string().eq_ignore_ascii_case(name));
    team.ok_or(OptionError::Team)
}

/// Parses costs such as `move=100ms,exchange=0`. Costs that are not listed have their defaults.
fn parse_costs(text: &str) -> Result<Costs, OptionError> {
    let mut costs = Costs::SENSIBLE;
    for part in text.split(',') {
        let (name, cost) = part.split_once('=').ok_or_else(|| OptionError::CostForm { part: part.into() })?;
        let parse = duration::within(duration::in_milliseconds, Duration::ZERO..=MAX_COST);
        let cost = parse(cost).map_err(OptionError::Cost)?;
        let place = match name {
            "move" => &mut costs.actions.r#move,
            "discover" => &mut costs.actions.discover,
            "test" => &mut costs.actions.test,
            "pick-up" => &mut costs.actions.pick_up,
            "place" => &mut costs.actions.place,
            "exchange" => &mut costs.exchange,
            _ => return Err(OptionError::CostName { name: name.into() }),
        };
        *place = u64::try_from(cost.as_millis()).unwrap_or(u64::MAX);
    }
    Ok(costs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_read() {
        let usual = Costs::SENSIBLE;
        assert_eq!(parse_costs("exchange=0"), Ok(Costs { exchange: 0, ..usual }));
        assert_eq!(
            parse_costs("move=2s,exchange=7ms").map(|costs| (costs.actions.r#move, costs.exchange)),
            Ok((2000, 7))
        );
        let read = parse_costs("move=1,discover=2,test=3,pick-up=4,place=5,exchange=6").map(|costs| {
            let project_rules::Costs { r#move, discover, test, pick_up, place } = costs.actions;
            [r#move, discover, test, pick_up, place, costs.exchange]
        });
        assert_eq!(read, Ok([1, 2, 3, 4, 5, 6]));
        for wrong in ["", "move", "move=", "move=-1", "move=1,,", "jump=1", "move=86400001"] {
            assert!(parse_costs(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn teams_in_any_case() {
        assert_eq!([parse_team("blue"), parse_team("RED")], [Ok(Team::Blue), Ok(Team::Red)]);
        assert!(parse_team("green").is_err());
    }
}
