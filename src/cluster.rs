//! `holdfast cluster`: several hosts on one store.

use std::{error::Error, fmt, path::PathBuf};

use cli::{
    cluster_port::CertificatesError,
    output::Out,
    serving::{LogFileError, ServeError, block_on},
};
use server::{
    cluster::{FoldedRules, Member, MembershipError, open_shared},
    log::shown,
};

/// Shows the hosts that share a store.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Status(Status),
}

/// Lists the hosts of a store: which live, how often they have beaten, their games and versions.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
struct Status {
    /// The address of the PostgreSQL database that the hosts share: postgres://USER@HOST/DATABASE.
    #[arg(long, value_name = "ADDRESS")]
    store: PathBuf,
    /// Print each host as a JSON object on a line of its own.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  holdfast cluster status --store postgres://games@db.example/games
  holdfast cluster status --store postgres://games@db.example/games --json | jq -r 'select(.alive | not).name'";

/// Runs a task. Returns whether its verdict is positive: at least one host lives.
pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> Result<bool, ClusterError> {
    let Task::Status(Status { store, json }) = &arguments.task;
    let failed = |error| ClusterError::Store(LogFileError::new(&shown(store), error));
    let members = block_on(async {
        let shared = open_shared(store).map_err(failed)?;
        let shared = shared.ok_or_else(|| ClusterError::NotShared { store: shown(store) })?;
        shared.membership.members().await.map_err(ClusterError::Membership)
    })?;
    if *json {
        for member in &members {
            out.write(format!("{}\n", serde_json::json!(member)));
        }
    } else {
        out.write(table(&members));
    }
    Ok(members.iter().any(|member| member.alive))
}

/// The hosts for people, with a line for each.
fn table(members: &[Member]) -> String {
    let head = ["HOST", "INCARNATION", "STATE", "BEAT", "GAMES", "VERSION", "CLIENTS", "HTTP", "RULES"];
    let mut rows: Vec<[String; 9]> = vec![head.map(String::from)];
    rows.extend(members.iter().map(row));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}

fn row(Member { incarnation, info, beat, alive, state }: &Member) -> [String; 9] {
    let word = match (alive, state.draining) {
        (true, false) => "alive",
        (true, true) => "draining",
        (false, _) => "dead",
    };
    let address = |address: &Option<String>| address.clone().unwrap_or_else(|| "-".into());
    let rules = |FoldedRules { rulebook, versions }: &FoldedRules| {
        let versions: Vec<String> = versions.iter().map(ToString::to_string).collect();
        format!("{rulebook} {}", versions.join("/"))
    };
    [
        info.name.clone(),
        incarnation.to_string(),
        word.into(),
        beat.to_string(),
        state.games.to_string(),
        info.version.clone(),
        address(&info.addresses.client),
        address(&info.addresses.http),
        info.rules.iter().map(rules).collect::<Vec<_>>().join(", "),
    ]
}

/// Why a task fails.
#[derive(Debug)]
pub(crate) enum ClusterError {
    /// The store cannot be opened.
    Store(LogFileError),
    /// The store belongs to one host.
    NotShared {
        /// The store.
        store: PathBuf,
    },
    /// The table of hosts cannot be read.
    Membership(MembershipError),
    /// There are no threads.
    Serve(ServeError),
    /// The certificates of this host cannot be used.
    Certificates(CertificatesError),
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::NotShared { store } => {
                write!(f, "{} is a file, which one host has for itself; hosts share a database", store.display())
            }
            Self::Membership(error) => error.fmt(f),
            Self::Serve(error) => error.fmt(f),
            Self::Certificates(error) => error.fmt(f),
        }
    }
}

impl Error for ClusterError {}

impl From<ServeError> for ClusterError {
    fn from(error: ServeError) -> Self {
        Self::Serve(error)
    }
}

#[cfg(test)]
mod tests {
    use server::cluster::{Addresses, HostInfo, HostState, Incarnation};

    use super::*;

    #[test]
    fn hosts_are_a_table() {
        let rules = vec![
            FoldedRules { rulebook: "colony".into(), versions: vec![1, 2] },
            FoldedRules { rulebook: "treasure".into(), versions: vec![1] },
        ];
        let member = |name: &str, incarnation, alive, draining, games| Member {
            incarnation: Incarnation(incarnation),
            info: HostInfo {
                name: name.into(),
                addresses: Addresses { client: Some("10.0.0.1:7700".into()), ..Addresses::default() },
                version: "0.1".into(),
                rules: rules.clone(),
            },
            beat: 12,
            alive,
            state: HostState { draining, games },
        };
        let members =
            [member("a", 3, true, false, 1000), member("long", 4, true, true, 2), member("b", 12, false, false, 0)];
        let expected = "\
HOST  INCARNATION  STATE     BEAT  GAMES  VERSION  CLIENTS        HTTP  RULES
a     3            alive     12    1000   0.1      10.0.0.1:7700  -     colony 1/2, treasure 1
long  4            draining  12    2      0.1      10.0.0.1:7700  -     colony 1/2, treasure 1
b     12           dead      12    0      0.1      10.0.0.1:7700  -     colony 1/2, treasure 1
";
        assert_eq!(table(&members), expected);
    }
}
