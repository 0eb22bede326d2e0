//! A real host under load: no event that a client has received is lost by a kill of
//! the process, by a loss of power or by another client.
//!
//! - `process`: the host as a process
//! - `wire`, `websocket`: clients over each wire form
//! - `preload`: libraries in C that a host is started with: `faults.c`, `recorder.c`
//! - `recording`: what a host did to its log, and what it sent
//! - `power`: the disks that may be left if the power is lost at a moment of a recording
//! - `port`: an address that is reserved while the host is down
//! - `stored`: the log of a host, for tests without a runtime
//! - `gate`: holds players back until the test allows their next steps
#![allow(dead_code, reason = "what the tests of games share, whichever games there are")]

#[cfg(feature = "colony")]
#[path = "../../games/colony/tests/program/survive/mod.rs"]
mod colony;
#[cfg(feature = "crazyhouse")]
#[path = "../../games/crazyhouse/tests/program/survive/mod.rs"]
mod crazyhouse;
mod gate;
#[path = "../support/port.rs"]
mod port;
mod power;
mod preload;
mod process;
#[cfg(feature = "project")]
#[path = "../../games/project/tests/program/survive/mod.rs"]
mod project;
mod recording;
#[path = "../support/stored.rs"]
mod stored;
#[cfg(feature = "treasure")]
#[path = "../../games/treasure/tests/program/survive/mod.rs"]
mod treasure;
mod websocket;
mod wire;

use std::io::Write;

/// Prints a line past the captured output.
fn show(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("stderr is there");
}
