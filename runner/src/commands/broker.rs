//! `systest broker`: plays games for a test in another language.

use std::{io, net::SocketAddr, time::Duration};

use script::Games;

use super::{EXIT_CODES, error::CommandError};
use crate::{
    broker,
    local::InProcess,
    ports::PortRange,
    process,
    remote::{FreshServer, RunningHost, ServerCommand},
    target::Target,
};

/// Plays games for a test kit, over standard input and output. The kits in Python and Java start it by themselves.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// Starts a server process for each game, as `systest run` does.
    #[arg(long, value_name = "COMMAND", value_parser = ServerCommand::parse, conflicts_with = "connect")]
    server: Option<ServerCommand>,
    /// Creates each game on a running host.
    #[arg(long, value_name = "ADDRESS")]
    connect: Option<SocketAddr>,
    /// How long a server may take to open its port, and for each answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    patience: u64,
    /// The ports that servers get.
    #[arg(long, value_name = "FIRST-LAST", default_value_t, value_parser = PortRange::parse)]
    ports: PortRange,
}

pub(super) fn run(arguments: &Arguments, games: &Games) -> Result<bool, CommandError> {
    let patience = Duration::from_secs(arguments.patience);
    let target: Box<dyn Target> = match (&arguments.server, arguments.connect) {
        (Some(command), _) => {
            process::end_with_us();
            Box::new(FreshServer { ports: arguments.ports.clone(), ..FreshServer::new(command.clone(), patience) })
        }
        (None, Some(address)) => Box::new(RunningHost { address, games_on: None, patience }),
        (None, None) => Box::new(InProcess),
    };
    let (mut requests, mut answers) = (io::stdin().lock(), io::stdout().lock());
    let answered = broker::answer(games, &*target, &mut requests, &mut answers);
    process::clean_up();
    answered.map_err(CommandError::Output)?;
    Ok(true)
}
