//! `holdfast project demo`: whole games in one process, for people who watch. `holdfast demo` plays the same way.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use cli::{
    Failure, Program,
    address::reachable,
    browser, duration, logging,
    serving::{HttpPort, Serving, block_on},
};
use project_rules::{Costs, Setup, Team};
use server::{Host, RealWorld};
use slog::{Logger, debug};
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{
    config, cs,
    error::explain_player,
    gm::{self, End, Shown, until_stopped},
    player::{Drawn, parse_strategy, strategies},
    serve::referee,
};
use crate::{
    Finished, GameMaster, Guid, MasterError, MasterOptions, TraceFile,
    players::{
        self, Nature, Strategy, TraceTarget,
        network::{self, News},
    },
};

/// Plays whole games in this process: a Communication Server, a Game Master and a computer player for each seat. Prints the
/// address at which a browser shows them. Ctrl-C ends it.
///
/// Exit code 0 after the games or when it is stopped, 1 after a failure.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{}\n\n{}", strategies(), config::help()))]
pub(crate) struct Arguments {
    /// Configuration of the games: the name of a built-in one, or a file in XML.
    #[arg(long, default_value = "team", value_name = "NAME|FILE")]
    config: String,
    /// How the players of Blue play.
    #[arg(long, default_value = "team", value_name = "STRATEGY", value_parser = parse_strategy)]
    blue: Strategy,
    /// How the players of Red play.
    #[arg(long, default_value = "solo", value_name = "STRATEGY", value_parser = parse_strategy)]
    red: Strategy,
    /// Number of games, one after the other. Without it, games follow each other until Ctrl-C. After the last game, the page
    /// stays until Ctrl-C.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// How long a step takes; a plain number is milliseconds. Other actions take as many times longer as in the configuration.
    #[arg(long, default_value = "400ms", value_name = "TIME",
          value_parser = duration::within(duration::in_milliseconds, Duration::from_millis(1)..=Duration::from_secs(60)))]
    pace: Duration,
    /// Open the page in the browser of this machine.
    #[arg(long)]
    open: bool,
    /// Address for the page of the games, or off. The page shows everything. [default: 127.0.0.1:7780, if that is free]
    #[arg(long, value_name = "ADDR|off")]
    http: Option<HttpPort>,
    /// File that keeps the games. Without it, they are lost at the end.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Seed of the first game; each further game has the next one. Without it, seeds are random.
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    seed: Option<i64>,
    #[command(flatten)]
    logging: logging::Logging,
}

/// The pause between two games, in which people can look at the end of one.
const PAUSE: Duration = Duration::from_secs(10);
/// The same on a host with games of other rulebooks.
const LONG_PAUSE: Duration = Duration::from_secs(15);
/// The fastest pace of a demonstration.
const FASTEST: Duration = Duration::from_millis(100);

pub(super) fn run(program: &Program, arguments: &Arguments) -> Result<(), Failure> {
    let (logger, _written_at_the_end) = logging::logger(arguments.logging);
    let setup = paced(config::load(&arguments.config)?, arguments.pace);
    block_on(async {
        let log = arguments.log.as_deref();
        let host = gm::open(program, log, &logger).await?;
        let shown = Shown::new(host, arguments.http, log, &logger).await?;
        let (stop, _) = watch::channel(false);
        let played = until_stopped(play_all(arguments, &setup, &shown, &stop), &stop, &logger).await?;
        let end = if *stop.borrow() { End::Interrupted } else { End::Over };
        shown.end(end, log, true, &logger).await?;
        played
    })
}

/// Plays the games, one after the other, until all are played or `stop` is true.
async fn play_all(
    arguments: &Arguments,
    setup: &Setup,
    shown: &Shown,
    stop: &watch::Sender<bool>,
) -> Result<(), Failure> {
    let mut seed = arguments.seed;
    for game in 1.. {
        let master = shown.open(setup, options(seed)).await?;
        if let (1, true, Some(pages)) = (game, arguments.open, shown.pages) {
            browser::open(&format!("http://{}/games/{}", reachable(pages), master.name()));
        }
        let finished = play(master, setup, [arguments.blue, arguments.red], seed, stop).await;
        gm::verdict(finished?)?;
        if *stop.borrow() || Some(game) == arguments.games {
            break;
        }
        let mut stopping = stop.subscribe();
        if timeout(PAUSE, stopping.wait_for(|stop| *stop)).await.is_ok() {
            break;
        }
        seed = seed.map(|seed| seed.wrapping_add(1));
    }
    Ok(())
}

/// Keeps a game running on a host of all games.
pub(super) fn start(serving: &Serving, pace: Duration, logger: &Logger) {
    let (host, logger) = (serving.host.clone(), logger.clone());
    let setup = paced(Setup::new("duel").expect("a built-in configuration"), 2 * pace.max(FASTEST));
    tokio::spawn(async move {
        loop {
            let played = play_on(&host, &setup).await;
            if let Err(failure) = played {
                debug!(logger, "a game of the demonstration is not played to its end"; "why" => %failure);
            }
            sleep(LONG_PAUSE).await;
        }
    });
}

async fn play_on(host: &Arc<Host>, setup: &Setup) -> Result<(), Failure> {
    let master = GameMaster::open(host, setup, options(None)).await?;
    let (stop, _) = watch::channel(false);
    play(master, setup, [Strategy::Team, Strategy::Solo], None, &stop).await??;
    Ok(())
}

fn options(seed: Option<i64>) -> MasterOptions {
    // The server is in this process, so the Game Master connects to no address.
    let server = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    MasterOptions { server, hash: None, seed, trace: TraceFile::off() }
}

/// The same game at another pace: a step takes this time, and all other times change by the same factor.
fn paced(setup: Setup, pace: Duration) -> Setup {
    let costs = if setup.costs.r#move == 0 { players::Costs::SENSIBLE.actions } else { setup.costs };
    let pace_ms = u64::try_from(pace.as_millis()).unwrap_or(u64::MAX);
    let scale = |ms: u64| ms.saturating_mul(pace_ms) / costs.r#move;
    let Costs { r#move, discover, test, pick_up, place } = costs;
    let [r#move, discover, test, pick_up, place] = [r#move, discover, test, pick_up, place].map(scale);
    Setup {
        costs: Costs { r#move, discover, test, pick_up, place },
        respawn_interval: setup.respawn_interval.map(scale),
        no_progress: setup.no_progress.map(scale),
        ..setup
    }
}

/// Plays one game to its end, or until `stop` is true, with a computer player for each seat.
async fn play(
    master: GameMaster,
    setup: &Setup,
    strategies: [Strategy; 2],
    seed: Option<i64>,
    stop: &watch::Sender<bool>,
) -> Result<Result<Finished, MasterError>, Failure> {
    let listener = cs::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
    let agents = Agents { server: listener.local_addr()?, setup, strategies, seed, returns: master.has_begun() };
    tokio::select! {
        played = referee(master, setup, listener, TraceFile::off(), stop) => {
            let (finished, passed) = played?;
            cs::verdict(passed)?;
            Ok(finished)
        }
        failure = agents.play() => Err(failure),
    }
}

/// The computer players of a game.
struct Agents<'s> {
    server: SocketAddr,
    setup: &'s Setup,
    strategies: [Strategy; 2],
    seed: Option<i64>,
    /// Whether they come back to a game that has begun.
    returns: bool,
}

impl Agents<'_> {
    /// Plays all seats. Returns only if a player fails.
    async fn play(self) -> Failure {
        let mut playing = JoinSet::new();
        let (tell, mut told) = mpsc::unbounded_channel();
        // One after the other, so that the numbers of a team follow each other.
        for (seat, team) in (0..).zip(Team::BOTH.into_iter().flat_map(|team| self.seats(team))) {
            let options = match self.options(seat, team) {
                Ok(options) => options,
                Err(error) => return error.into(),
            };
            let tell = tell.clone();
            playing.spawn(network::play(options, move |news| {
                if let News::Team { .. } = news {
                    let _nobody_waits = tell.send(());
                }
            }));
            tokio::select! {
                _ = told.recv() => {}
                Some(Ok(Err(failure))) = playing.join_next() => return explain_player(failure),
            }
        }
        while let Some(ended) = playing.join_next().await {
            match ended {
                Ok(Ok(_)) => {}
                Ok(Err(failure)) => return explain_player(failure),
                Err(error) => return error.into(),
            }
        }
        // The Game Master ends the game.
        std::future::pending().await
    }

    fn seats(&self, team: Team) -> impl Iterator<Item = Team> + use<> {
        std::iter::repeat_n(team, self.setup.seats() / 2)
    }

    fn options(&self, seat: u64, team: Team) -> io::Result<network::Options> {
        let drawn = Drawn::new(&RealWorld)?;
        let costs = self.setup.costs;
        let exchange =
            players::Costs::SENSIBLE.exchange.saturating_mul(costs.r#move) / players::Costs::SENSIBLE.actions.r#move;
        Ok(network::Options {
            server: self.server,
            hash: hash_of(seat),
            nature: Nature {
                strategy: self.strategies[team as usize],
                team,
                costs: players::Costs { actions: costs, exchange },
                seed: self.seed.map_or(drawn.seed, |seed| seed.wrapping_add_unsigned(seat)),
                ids: drawn.ids,
                returns: self.returns,
            },
            attempts: self.setup.reconnection_attempts.max(1),
            interval: Duration::from_secs(1),
            keep_alive: network::KEEP_ALIVE,
            trace: TraceTarget::Off,
            world: Arc::new(RealWorld),
        })
    }
}

/// The hash of a seat. It is the same after a restart, so that the player takes its seat again.
fn hash_of(seat: u64) -> Guid {
    let hash = blake3::derive_key("holdfast project 2026 players of a demonstration", &seat.to_le_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    Guid::of_random(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_times_change_with_the_pace() {
        let setup = paced(Setup::new("team").expect("a configuration"), Duration::from_millis(400));
        let Costs { r#move, discover, test, pick_up, place } = setup.costs;
        assert_eq!([r#move, discover, test, pick_up, place], [400, 1800, 2000, 400, 400]);
        assert_eq!((setup.respawn_interval, setup.no_progress), (Some(20_000), Some(2_400_000)));
        let free = paced(Setup::new("small").expect("a configuration"), Duration::from_millis(50));
        assert_eq!(
            (free.costs.r#move, free.costs.test),
            (50, 250),
            "a configuration without costs gets the usual ones"
        );
    }

    #[test]
    fn each_seat_has_a_hash() {
        let hashes: std::collections::BTreeSet<String> = (0..20).map(|seat| hash_of(seat).to_string()).collect();
        assert_eq!(hashes.len(), 20);
    }
}
