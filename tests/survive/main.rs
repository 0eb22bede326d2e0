//! Events that a client has received survive a kill of the process and any other client: a real host under load.
//!
//! - `process`: the host as a process
//! - `port`: an address that is kept while the host is down
//! - `stored`: the log of a host, for tests without a runtime
//! - `gate`: holds players back until the test lets them go on
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

/// A line past the captured output: figures to look at.
fn show(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("stderr is there");
}
