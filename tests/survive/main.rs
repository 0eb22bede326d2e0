//! A real host under load: no event that a client has received is lost by a kill of the process or by another client.
//!
//! - `process`: the host as a process
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
mod process;
#[cfg(feature = "project")]
#[path = "../../games/project/tests/program/survive/mod.rs"]
mod project;
#[path = "../support/stored.rs"]
mod stored;
#[cfg(feature = "treasure")]
#[path = "../../games/treasure/tests/program/survive/mod.rs"]
mod treasure;

use std::io::Write;

/// Prints a line past the captured output.
fn show(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("stderr is there");
}
