//! One client that sends one command at a time: measures the latency of a command.

use super::drive::{Driven, drive};
use crate::{
    process::{Folder, Process},
    table::{Line, Target, median, print},
};

const RUNS: usize = 11;
const SECONDS: f64 = 2.0;

pub(crate) fn run() {
    let folder = Folder::new();
    let (_host, host) = Process::host(&folder.file("pingpong.log"), "none");
    let mut echo = Process::role(&["echo"]);
    let echo_address = echo.address();
    let runs: Vec<(Driven, Driven)> =
        (0..RUNS).map(|_| (drive(host, "host", 1, SECONDS), drive(echo_address, "echo", 1, SECONDS))).collect();

    let of = |figure: fn(&(Driven, Driven)) -> f64| median(runs.iter().map(figure).collect());
    print(
        &format!("pingpong: one client, a refused command, --durability none; medians of {RUNS} interleaved runs"),
        &[
            Line {
                what: "throughput",
                unit: "commands/s",
                ours: of(|(host, _)| host.commands_per_second),
                limit: Some(of(|(_, echo)| echo.commands_per_second)),
                found: of(|(host, echo)| host.commands_per_second / echo.commands_per_second),
                target: Target::AtLeast(0.7),
            },
            Line {
                what: "p99",
                unit: "us",
                ours: of(|(host, _)| host.p99),
                limit: Some(of(|(_, echo)| echo.p99)),
                found: of(|(host, echo)| host.p99 / echo.p99),
                target: Target::AtMost(2.0),
            },
        ],
    );
    println!("  p50: {:.1} us, echo {:.1} us", of(|(host, _)| host.p50), of(|(_, echo)| echo.p50));
}
