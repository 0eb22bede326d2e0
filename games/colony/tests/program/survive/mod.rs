//! Games of colony on a host under load.
//!
//! - `kill`: the host is killed with -9 many times, and no event that a client has received is lost
//! - `cluster`: several hosts on one database, which die, freeze and stop
//! - `power_loss`: the same if the power is lost at any moment
//! - `sent`: what the host of a recording had told at each moment
//! - `disk`: the disk is full, fails, is silent or loses pages for a while, and no client notices more than a pause
//! - `trace`: in the system calls of a host, the log is synced before the write to the socket
//! - `hostile`: a thousand clients misbehave beside fifty honest games
//! - `recorded`: a game of a host becomes a script, which is played again
//! - `forked`: a fork of a finished game continues as the original did
//! - `bots`: `holdfast bot` on a host that is killed in the middle of the game
//! - `vectors`: recorded games and scripts on a host whose store is PostgreSQL
//! - `upgrade`: the program of the last landed state is killed, and today's program goes on with its log
//! - `player`: bots that resume by themselves and record all events that they receive

mod bots;
#[cfg(feature = "postgres")]
mod cluster;
mod disk;
mod forked;
mod hostile;
mod kill;
mod player;
mod power_loss;
mod recorded;
mod sent;
mod trace;
mod upgrade;
#[cfg(feature = "postgres")]
mod vectors;

/// Scripts in which a client without a seat sends other commands than a registration. The rules answer them on a server of one game. A
/// host refuses these commands before the rules see them.
#[cfg(feature = "postgres")]
const OF_ONE_GAME: &[&str] = &[
    "abort-before-anybody",
    "abort-by-arguments",
    "abort-by-stranger",
    "abort-by-vote",
    "aborted",
    "ignore-stranger",
    "ignore-stranger-choosing",
    "ignore-stranger-malformed",
    "ignore-strangers",
];

/// All scripts of a folder that pass on a host.
#[cfg(feature = "postgres")]
fn scripts_for_hosts(folder: &std::path::Path) -> Vec<systemtests::files::Found> {
    let mut found = systemtests::files::find(folder, &systemtests::games());
    let all = found.len();
    let name = |place: &str| std::path::Path::new(place).file_stem().map(|name| name.to_string_lossy().into_owned());
    found.retain(|script| !name(&script.place).is_some_and(|name| OF_ONE_GAME.contains(&name.as_str())));
    assert!(found.len() + 14 >= all, "only {} of {all} scripts are for hosts", found.len());
    found
}
