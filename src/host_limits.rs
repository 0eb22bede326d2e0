//! The limits of `holdfast host` that keep one address from using up what belongs to all.

use std::{net::SocketAddr, time::Duration};

use cli::{
    address::listen_address,
    duration::{self, DurationError},
};
use server::{AbandonedLimits, AddressLimits, Limits, Network, RefusalLimits};

/// How long a game that waits for players goes on without them, if other machines can reach the host.
const WAITING: Duration = Duration::from_secs(24 * 3600);

/// How long a game that has begun goes on without its players, if other machines can reach the host.
const RUNNING: Duration = Duration::from_secs(30 * 24 * 3600);

/// Limits of a host.
#[derive(Debug, clap::Args)]
pub(crate) struct HostLimits {
    /// Believe the header X-Forwarded-For of proxies in this network, such as 127.0.0.1 or 10.0.0.0/8. Limits then count the clients
    /// behind them. Can be repeated.
    #[arg(long = "trusted-proxy", value_name = "CIDR")]
    pub(crate) trusted_proxies: Vec<Network>,
    /// Serve /health and /metrics on this address, and no longer on that of --http. Clients cannot use up its connections.
    #[arg(long, value_name = "ADDR", value_parser = listen_address)]
    pub(crate) admin_listen: Option<SocketAddr>,
    /// The most open HTTP connections. Further ones wait.
    #[arg(long, default_value_t = Limits::default().http_connections, value_name = "N")]
    http_connections: usize,
    /// The most HTTP connections from one address, or from one IPv6 prefix of 64 bits, as in all options per address.
    #[arg(long, default_value_t = AddressLimits::default().http_connections, value_name = "N")]
    http_connections_per_address: usize,
    /// The most HTTP connections that watch live games or play.
    #[arg(long, default_value_t = Limits::default().watchers, value_name = "N")]
    watchers: usize,
    /// The most of them from one address.
    #[arg(long, default_value_t = AddressLimits::default().watchers, value_name = "N")]
    watchers_per_address: usize,
    /// The most seats that bots play for one address.
    #[arg(long, default_value_t = AddressLimits::default().bots, value_name = "N")]
    bots_per_address: usize,
    /// The most games that one address creates in a minute.
    #[arg(long, default_value_t = AddressLimits::default().games_per_minute, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    games_per_minute: u32,
    /// The most hellos of one address in a minute.
    #[arg(long, default_value_t = AddressLimits::default().hellos_per_minute, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    hellos_per_minute: u32,
    /// The most wrong admin tokens of one address in a minute.
    #[arg(long, default_value_t = AddressLimits::default().wrong_tokens_per_minute, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    wrong_tokens_per_minute: u32,
    /// The most failed sign-ins of one address in a minute.
    #[arg(long, default_value_t = AddressLimits::default().failed_sign_ins_per_minute, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    failed_sign_ins_per_minute: u32,
    /// The most accounts that one address registers in a minute.
    #[arg(long, default_value_t = AddressLimits::default().accounts_per_minute, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    accounts_per_minute: u32,
    /// Apply these limits per address to loopback addresses, too.
    #[arg(long)]
    limit_loopback: bool,
    /// The most refused commands of a client without a seat that the log of a game keeps.
    #[arg(long, default_value_t = RefusalLimits::default().per_client, value_name = "N")]
    refusals_per_client: u32,
    /// The most refused commands of all clients without a seat that the log of a game keeps.
    #[arg(long, default_value_t = RefusalLimits::default().per_game, value_name = "N")]
    refusals_per_game: u32,
    /// End a game that waits for players when no client was connected for so long, like 24h; or never.
    /// [default: 24h, and never on loopback]
    #[arg(long, value_name = "TIME|never", value_parser = end_after)]
    end_waiting_after: Option<EndAfter>,
    /// End a game that has begun when no player was connected for so long, like 720h; or never. [default: 720h, and never on loopback]
    #[arg(long, value_name = "TIME|never", value_parser = end_after)]
    end_running_after: Option<EndAfter>,
}

/// When a game ends without its players.
#[derive(Clone, Copy, Debug)]
struct EndAfter(Option<Duration>);

fn end_after(text: &str) -> Result<EndAfter, DurationError> {
    if text == "never" { Ok(EndAfter(None)) } else { duration::in_seconds(text).map(|time| EndAfter(Some(time))) }
}

impl HostLimits {
    /// The limits of a host. `is_local` says whether only this machine can reach it.
    pub(crate) fn limits(&self, is_local: bool) -> Limits {
        let after = |given: Option<EndAfter>, usual| match given {
            Some(EndAfter(after)) => after,
            None => (!is_local).then_some(usual),
        };
        Limits {
            http_connections: self.http_connections,
            watchers: self.watchers,
            per_address: AddressLimits {
                http_connections: self.http_connections_per_address,
                watchers: self.watchers_per_address,
                bots: self.bots_per_address,
                games_per_minute: self.games_per_minute,
                hellos_per_minute: self.hellos_per_minute,
                wrong_tokens_per_minute: self.wrong_tokens_per_minute,
                failed_sign_ins_per_minute: self.failed_sign_ins_per_minute,
                accounts_per_minute: self.accounts_per_minute,
                loopback: self.limit_loopback,
            },
            refusals: RefusalLimits { per_client: self.refusals_per_client, per_game: self.refusals_per_game },
            abandoned: AbandonedLimits {
                waiting: after(self.end_waiting_after, WAITING),
                running: after(self.end_running_after, RUNNING),
            },
            ..Limits::default()
        }
    }
}
