//! One game, as a course serves it: the process ends with the game.

use std::{net::SocketAddr, path::PathBuf};

use colony_rules::EditionChoice;
use commlib::Create;
use server::{Limits, Options, RoomEnd};
use tokio::sync::watch;

use cli::{
    Program, logging,
    serving::{Durability, announce, bind, end as end_host, open_host, open_log, runtime, stopped},
};

/// The name of the game, which its clients need not say.
const NAME: &str = "game";

/// Serves exactly one game and ends with it: exit code 0 after a game or a registration that was broken off.
#[derive(Debug, clap::Args)]
pub(crate) struct OneGame {
    /// The scenario: a file, or the name of a built-in one.
    #[arg(long, value_name = "FILE")]
    config: String,
    /// The port to listen on, on loopback; 0 takes any free one.
    #[arg(long)]
    port: u16,
    #[arg(long, allow_negative_numbers = true)]
    seed: i64,
    /// How many seconds the server waits for a command it expects.
    #[arg(long, value_name = "SECONDS")]
    timeout: u32,
    /// group, equipment, fate, or auto: what the scenario seems to be written for.
    #[arg(long, default_value = "auto")]
    edition: EditionChoice,
    /// The file that keeps the game; an unfinished one of the same scenario and seed goes on.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    logging: logging::Logging,
}

pub(crate) fn run(program: &Program, arguments: &OneGame) -> Result<(), String> {
    let (label, scenario) = crate::load(&arguments.config).map_err(|error| error.to_string())?;
    let problems = crate::check(&scenario);
    if !problems.is_empty() {
        let lines: Vec<String> = problems.iter().map(|problem| format!("{label}: {problem}")).collect();
        return Err(lines.join("\n"));
    }
    let create = Create {
        rulebook: None,
        scenario,
        edition: arguments.edition.0.map(|edition| edition.name().into()),
        seed: Some(arguments.seed),
        timeout: Some(u64::from(arguments.timeout) * 1000),
    };
    let (logger, _written_at_the_end) = logging::logger(arguments.logging);
    runtime()?.block_on(async {
        let log = open_log(arguments.log.as_deref(), Durability::Full)?;
        // There is no other game that a flood could harm, and scripts play as fast as they can.
        let limits = Limits { messages_per_second: 50_000, ..Limits::default() };
        let options = Options { limits, one_game: true, ..Options::new(program.hosted(), log, logger.clone()) };
        let host = open_host(options).await?;
        match host.list().as_slice() {
            [] => {
                let created = host.create(&create, Some(NAME)).await;
                created.map_err(|refused| format!("{label}: {}", refused.message))?;
            }
            [_] => host.same_game(&create).await?,
            _ => return Err("the log holds several unfinished games; serve it with `holdfast host`".into()),
        }
        let gateway = bind(SocketAddr::from(([127, 0, 0, 1], arguments.port)), &host).await?;
        let address = gateway.local_addr().map_err(|error| error.to_string())?;
        announce(address, arguments.log.is_none());
        let (stop, stopping) = watch::channel(false);
        let serving = tokio::spawn(gateway.serve(host.clone(), stopping));
        let end = tokio::select! {
            end = host.game_end() => end,
            stopped = stopped(&logger) => stopped.map(|()| RoomEnd::Stopped)?,
        };
        stop.send_replace(true);
        end_host(&host, serving).await?;
        match end {
            RoomEnd::Over { .. } | RoomEnd::Stopped => Ok(()),
            RoomEnd::StoreFailed { cause } => Err(format!("the game could not be stored: {cause}")),
            RoomEnd::Broken => Err("the game broke a promise of ours; its log shows where".into()),
        }
    })
}
