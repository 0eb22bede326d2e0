//! `holdfast account`: accounts, bans and reports, on the store of a host that runs or not.

use std::{error::Error, fmt, path::PathBuf, sync::Arc};

use cli::{
    moment,
    output::Out,
    serving::{LogFileError, ServeError, block_on},
};
use serde_json::json;
use server::{
    RealWorld, World,
    accounts::{AccountError, AccountState, AccountStore, BanTarget, Report},
    host_store::open_host_store,
    log::{postgres_address, shown},
};

/// Manages the accounts of a host, bans, and reported lines of chat.
///
/// The host may run: it sees a change within 5 seconds.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

const EXAMPLES: &str = "\
Examples:
  holdfast account list --store games.db
  holdfast account reset Ana --store games.db
  holdfast account ban 2001:db8:1:2::7 --why spam --store games.db
  holdfast account reports --store postgres://games@db.example/games --json";

#[derive(Debug, clap::Subcommand)]
enum Task {
    /// Lists all accounts.
    List(Listing),
    /// Locks an account: it can neither sign in nor play.
    Lock(Named),
    /// Unlocks an account.
    Unlock(Named),
    /// Gives an account a new password, prints it, and ends all sessions and tokens.
    Reset(Named),
    /// Bans an account, an address, or a network. An IPv6 address stands for its prefix of 64 bits.
    Ban(Banned),
    /// Ends the ban of an account, an address, or a network.
    Unban(Target),
    /// Lists banned accounts and networks.
    Bans(Listing),
    /// Lists reported lines of chat with the lines around them.
    Reports(Listing),
    /// Deletes a report.
    Dismiss(Dismissed),
    /// Deletes a line of chat: readers see that the operator deleted it.
    DeleteLine(Line),
}

#[derive(Debug, clap::Args)]
struct Store {
    /// The store of the host: the file of `--store`, or the address of a PostgreSQL database.
    #[arg(long, visible_alias = "log", value_name = "FILE|ADDRESS")]
    store: PathBuf,
}

#[derive(Debug, clap::Args)]
struct Listing {
    #[command(flatten)]
    store: Store,
    /// Print each entry as a JSON object on a line of its own.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct Named {
    /// The name of the account.
    name: String,
    #[command(flatten)]
    store: Store,
}

#[derive(Debug, clap::Args)]
struct Banned {
    /// The name of an account, an address, or a network like 192.0.2.0/24.
    target: String,
    /// The reason, for the list of bans.
    #[arg(long, default_value = "", value_name = "TEXT")]
    why: String,
    #[command(flatten)]
    store: Store,
}

#[derive(Debug, clap::Args)]
struct Target {
    /// The name of an account, an address, or a network like 192.0.2.0/24.
    target: String,
    #[command(flatten)]
    store: Store,
}

#[derive(Debug, clap::Args)]
struct Dismissed {
    /// The id of the report in the list.
    id: String,
    #[command(flatten)]
    store: Store,
}

#[derive(Debug, clap::Args)]
struct Line {
    /// The name of the game.
    game: String,
    /// The number of the line.
    number: u64,
    #[command(flatten)]
    store: Store,
}

/// Why a task fails.
#[derive(Debug)]
pub(crate) enum TaskError {
    Serve(ServeError),
    NoStore { path: PathBuf },
    Account(AccountError),
    NoRandomness(std::io::Error),
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Serve(error) => error.fmt(f),
            Self::NoStore { path } => write!(f, "there is no log {}", path.display()),
            Self::Account(error) => error.fmt(f),
            Self::NoRandomness(error) => write!(f, "the system gives no random numbers: {error}"),
        }
    }
}

impl Error for TaskError {}

impl From<ServeError> for TaskError {
    fn from(error: ServeError) -> Self {
        Self::Serve(error)
    }
}

impl From<AccountError> for TaskError {
    fn from(error: AccountError) -> Self {
        Self::Account(error)
    }
}

/// Runs a task.
pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> Result<bool, TaskError> {
    block_on(async {
        match &arguments.task {
            Task::List(Listing { store, json }) => list(&open(store).await?, *json, out).await?,
            Task::Lock(Named { name, store }) => {
                set_state(&open(store).await?, name, AccountState::Locked).await?;
                out.write(format!("{name} is locked\n"));
            }
            Task::Unlock(Named { name, store }) => {
                set_state(&open(store).await?, name, AccountState::Active).await?;
                out.write(format!("{name} is unlocked\n"));
            }
            Task::Reset(Named { name, store }) => {
                let accounts = open(store).await?;
                let (id, account) = accounts.named(name).await?;
                let password = new_password()?;
                accounts.reset_password(&id, &password).await?;
                out.write(format!("the new password of {} is {password}\n", account.name));
            }
            Task::Ban(Banned { target, why, store }) => {
                let accounts = open(store).await?;
                match BanTarget::parse(target)? {
                    BanTarget::Account(name) => set_state(&accounts, name.as_str(), AccountState::Banned).await?,
                    BanTarget::Network(network) => accounts.ban(network, why).await?,
                }
                out.write(format!("{target} is banned\n"));
            }
            Task::Unban(Target { target, store }) => {
                let accounts = open(store).await?;
                match BanTarget::parse(target)? {
                    BanTarget::Account(name) => set_state(&accounts, name.as_str(), AccountState::Active).await?,
                    BanTarget::Network(network) => accounts.unban(network).await?,
                }
                out.write(format!("{target} is no longer banned\n"));
            }
            Task::Bans(Listing { store, json }) => bans(&open(store).await?, *json, out).await?,
            Task::Reports(Listing { store, json }) => reports(&open(store).await?, *json, out).await?,
            Task::Dismiss(Dismissed { id, store }) => {
                open(store).await?.dismiss(id).await?;
                out.write(format!("report {id} is deleted\n"));
            }
            Task::DeleteLine(Line { game, number, store }) => {
                open(store).await?.delete_line(game, *number).await?;
                out.write(format!("line {number} of {game} is deleted\n"));
            }
        }
        Ok(true)
    })
}

async fn open(Store { store }: &Store) -> Result<AccountStore, TaskError> {
    if postgres_address(store).is_none() && !store.exists() {
        return Err(TaskError::NoStore { path: store.clone() });
    }
    let failed = |error| ServeError::Log(LogFileError::new(&shown(store), error));
    let opened = open_host_store(store).await.map_err(failed)?;
    Ok(AccountStore::new(opened, Arc::new(RealWorld)))
}

async fn set_state(accounts: &AccountStore, name: &str, state: AccountState) -> Result<(), TaskError> {
    let (id, _) = accounts.named(name).await?;
    Ok(accounts.set_state(&id, state).await?)
}

/// A random password of 20 letters and digits that cannot be confused.
fn new_password() -> Result<String, TaskError> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0; 20];
    RealWorld.random(&mut bytes).map_err(TaskError::NoRandomness)?;
    Ok(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

fn state_word(state: AccountState) -> &'static str {
    match state {
        AccountState::Active => "active",
        AccountState::Locked => "locked",
        AccountState::Banned => "banned",
    }
}

async fn list(accounts: &AccountStore, json: bool, out: &mut Out) -> Result<(), TaskError> {
    let mut all = accounts.accounts().await?;
    all.sort_by_key(|(_, account)| account.created);
    for (id, account) in &all {
        let state = state_word(account.state);
        out.write(if json {
            format!("{}\n", json!({"id": id, "name": account.name, "created": account.created, "state": state}))
        } else {
            format!("{}  {state}  {}\n", moment(account.created), account.name)
        });
    }
    Ok(())
}

async fn bans(accounts: &AccountStore, json: bool, out: &mut Out) -> Result<(), TaskError> {
    for (_, account) in accounts.accounts().await? {
        if account.state == AccountState::Banned {
            out.write(if json {
                format!("{}\n", json!({"account": account.name}))
            } else {
                format!("account {}\n", account.name)
            });
        }
    }
    for ban in accounts.bans().await? {
        out.write(if json {
            format!("{}\n", json!(ban))
        } else {
            let why = if ban.why.is_empty() { String::new() } else { format!("  {:?}", ban.why) };
            format!("{}  since {}{why}\n", ban.network, moment(ban.since))
        });
    }
    Ok(())
}

async fn reports(accounts: &AccountStore, json: bool, out: &mut Out) -> Result<(), TaskError> {
    for (id, report) in accounts.reports().await? {
        if json {
            out.write(format!("{}\n", json!({"id": id, "report": report})));
            continue;
        }
        let Report { game, line, lines, by, at } = &report;
        out.write(format!("{id}: line {line} of {game}, reported by {by:?} at {}\n", moment(*at)));
        for around in lines {
            let mark = if around.number == *line { '>' } else { ' ' };
            // People write these lines, so control characters are escaped.
            out.write(format!("{mark} {:>4} {:?}: {:?}\n", around.number, around.by, around.text));
        }
    }
    Ok(())
}
