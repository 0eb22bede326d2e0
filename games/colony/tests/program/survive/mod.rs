//! Games of colony on a host under load.
//!
//! - `kill`: killed with -9 again and again, nothing told is lost
//! - `trace`: the system calls of a host, in which the sync of the log comes before the write to the socket
//! - `hostile`: a thousand clients that misbehave beside fifty honest games
//! - `recorded`: a game of a host as a script, which is played again
//! - `forked`: a finished game that is begun again in the middle goes on as it did
//! - `bots`: `holdfast bot` on a host that is killed in the middle of the game
//! - `player`: bots that resume by themselves and remember everything they were told

mod bots;
mod forked;
mod hostile;
mod kill;
mod player;
mod recorded;
mod trace;
