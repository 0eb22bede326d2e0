//! What a client has been told survives, whatever happens to the process or whoever else connects: a real host under load.
//!
//! - `kill`: killed with -9 again and again, nothing told is lost
//! - `trace`: the system calls of a host, in which the sync of the log comes before the write to the socket
//! - `hostile`: a thousand clients that misbehave beside fifty honest games
//! - `recorded`: a game of a host as a script, which is played again
//! - `forked`: a finished game that is begun again in the middle goes on as it did
//! - `bots`: `holdfast bot` on a host that is killed in the middle of the game
//! - `crazyhouse`: a game among people and one among bots go on after each kill
//! - `treasure`: games of both years go on after each kill
//! - `project`: a Game Master that is killed while its players wait for answers
//! - `line`: a player of the project game on the wire
//! - `programs`: the project game as processes: every message against the schemas, kills of all programs
//! - `process`: the host as a process
//! - `port`: an address that is kept while the host is down
//! - `stored`: the log of a host, for tests without a runtime
//! - `tickets`: a bot that moves as often as the test lets it
//! - `gate`: what players may do before the test lets them go on
//! - `player`: bots that resume by themselves and remember everything they were told

mod bots;
mod crazyhouse;
mod forked;
mod gate;
mod hostile;
mod kill;
#[path = "../players/line.rs"]
mod line;
mod player;
#[path = "../players/port.rs"]
mod port;
mod process;
mod programs;
mod project;
mod recorded;
#[path = "../players/stored.rs"]
mod stored;
#[path = "../players/tickets.rs"]
mod tickets;
mod trace;
mod treasure;

use std::io::Write;

/// A line past the captured output: figures to look at.
fn show(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("stderr is there");
}
