//! `holdfast project player`: one player, over the network.

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use cli::{output, serving::block_on};
use project_rules::{EndReason, Team};
use server::RealWorld;

use super::{address, hash, is_off};
use crate::players::{
    Costs, Guid, Ids, Nature, PlayerConfiguration, Strategy, TraceTarget,
    network::{self, News, Options},
};

/// Plays a game over a Communication Server, and ends with it.
///
/// Exit code 0 after a game, won or lost; 1 with the reason when it may not take part, when the server cannot be reached in
/// all attempts, or after a failure of the Game Master.
#[derive(Debug, clap::Args)]
#[command(after_help = strategies(), group = clap::ArgGroup::new("preference").args(["config", "team"]).required(true))]
pub(crate) struct Arguments {
    /// Where the Communication Server listens: an IPv4 address, perhaps with a port.
    #[arg(long, default_value = "127.0.0.1:8000", value_name = "ADDR", value_parser = address)]
    connect: SocketAddr,
    /// The player's configuration, in XML, which says the team that it would like to be in.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The team that it would like to be in. When that is full it is in the other one.
    #[arg(long, value_name = "blue|red", value_parser = team)]
    team: Option<Team>,
    /// How it plays.
    #[arg(long, value_name = "NAME", value_parser = strategy)]
    strategy: Strategy,
    /// How often a connection is tried, at the beginning and when it is lost: at once, and then once in each interval.
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    attempts: u32,
    /// How many seconds there are between two attempts.
    #[arg(long, default_value_t = 20, value_name = "SECONDS")]
    interval: u32,
    /// By which the Game Master knows the player. With the one of a player that was lost it takes that one's place. Drawn by
    /// the operating system when left out.
    #[arg(long, value_name = "UUID", value_parser = hash)]
    hash: Option<Guid>,
    /// Text file for a trace of sent and received messages and of errors, or off. At 10 MiB it is renamed to FILE.1 and a
    /// new one begins. [default: player-ID.txt, with the number that the Game Master assigns]
    #[arg(long, alias = "log-file", value_name = "FILE")]
    trace_file: Option<PathBuf>,
    /// How many milliseconds things take, as in move=100,exchange=0. Nobody tells a player: it helps to choose what pays, and
    /// an exchange is kept as long as it says here. [default: move=100,discover=450,test=500,pick-up=100,place=100,exchange=1200]
    #[arg(long, value_name = "NAME=MS,..", value_parser = costs)]
    costs: Option<Costs>,
    /// What chance decides; drawn when left out.
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    seed: Option<i64>,
    /// Say only how it ended.
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), String> {
    let options = options(arguments)?;
    let quiet = arguments.quiet;
    let news = move |news: News| {
        if !quiet {
            output::announce(&words(&news));
        }
    };
    let end = block_on(async { network::play(options, news).await.map_err(|failure| failure.to_string()) })?;
    if end.reason == EndReason::Failure {
        return Err(format!("the Game Master has failed: {end}"));
    }
    output::announce(&end.to_string());
    Ok(())
}

fn options(arguments: &Arguments) -> Result<Options, String> {
    let team = match (&arguments.config, arguments.team) {
        (Some(file), _) => preference(file)?,
        (None, team) => team.ok_or("either --config or --team says the team")?,
    };
    let drawn = Drawn::new()?;
    let nature = Nature {
        strategy: arguments.strategy,
        team,
        costs: arguments.costs.unwrap_or(Costs::SENSIBLE),
        seed: arguments.seed.unwrap_or(drawn.seed),
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
        interval: Duration::from_secs(arguments.interval.into()),
        keep_alive: network::KEEP_ALIVE,
        trace,
        world: Arc::new(RealWorld),
    })
}

/// What the operating system draws for a player.
struct Drawn {
    hash: Guid,
    seed: i64,
    ids: Ids,
}

impl Drawn {
    fn new() -> Result<Self, String> {
        let no_randomness = |error| format!("the operating system gives no random numbers: {error}");
        Ok(Self {
            hash: Guid::of_random(network::drawn().map_err(no_randomness)?),
            seed: i64::from_le_bytes(network::drawn().map_err(no_randomness)?),
            ids: Ids::new(network::drawn().map_err(no_randomness)?),
        })
    }
}

/// The team of a player's configuration.
fn preference(file: &PathBuf) -> Result<Team, String> {
    let name = file.display();
    let bytes = std::fs::read(file).map_err(|error| format!("cannot read {name}: {error}"))?;
    let configuration = PlayerConfiguration::read(&bytes).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(|problem| format!("{name}: {problem}")).collect();
        lines.join("\n")
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
        News::Lost { why } => format!("the connection is lost: {why}"),
        News::Back => "back in the game".to_owned(),
    }
}

pub(super) fn strategy(name: &str) -> Result<Strategy, String> {
    let known = || Strategy::ALL.map(Strategy::name).join(", ");
    Strategy::named(name).ok_or_else(|| format!("what works: {}", known()))
}

/// For the help of a command.
pub(super) fn strategies() -> String {
    let lines = Strategy::ALL.map(|strategy| format!("  {:<8} {}", strategy.name(), strategy.about()));
    format!("Strategies:\n{}", lines.join("\n"))
}

fn team(name: &str) -> Result<Team, String> {
    let team = Team::BOTH.into_iter().find(|team| team.to_string().eq_ignore_ascii_case(name));
    team.ok_or_else(|| "what works: blue, red".to_owned())
}

/// `move=100,exchange=0`: what is not said is as usual.
fn costs(text: &str) -> Result<Costs, String> {
    let mut costs = Costs::SENSIBLE;
    for part in text.split(',') {
        let (name, cost) = part.split_once('=').ok_or_else(|| format!("{part:?} is no NAME=MILLISECONDS"))?;
        // A day is longer than any game, and no sum of days is too long.
        let cost: u64 = cost
            .parse()
            .ok()
            .filter(|cost| *cost <= 86_400_000)
            .ok_or_else(|| format!("{cost:?} is no number of milliseconds from 0 to 86400000"))?;
        let place = match name {
            "move" => &mut costs.actions.r#move,
            "discover" => &mut costs.actions.discover,
            "test" => &mut costs.actions.test,
            "pick-up" => &mut costs.actions.pick_up,
            "place" => &mut costs.actions.place,
            "exchange" => &mut costs.exchange,
            _ => return Err(format!("{name:?}; what works: move, discover, test, pick-up, place, exchange")),
        };
        *place = cost;
    }
    Ok(costs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_read() {
        let usual = Costs::SENSIBLE;
        assert_eq!(costs("exchange=0"), Ok(Costs { exchange: 0, ..usual }));
        let read = costs("move=1,discover=2,test=3,pick-up=4,place=5,exchange=6").map(|costs| {
            let project_rules::Costs { r#move, discover, test, pick_up, place } = costs.actions;
            [r#move, discover, test, pick_up, place, costs.exchange]
        });
        assert_eq!(read, Ok([1, 2, 3, 4, 5, 6]));
        for wrong in ["", "move", "move=", "move=-1", "move=1,,", "jump=1", "move=86400001"] {
            assert!(costs(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn teams_in_any_case() {
        assert_eq!([team("blue"), team("RED")], [Ok(Team::Blue), Ok(Team::Red)]);
        assert!(team("green").is_err());
    }
}
