//! The load generator against the real host.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    process::{Child, Command, Output, Stdio},
};

use serde_json::Value;
use testkit::Request;

use crate::{complains, holdfast, host::HostProcess, stdout, wait_until};

pub(super) struct Host {
    process: Child,
    pub(super) address: String,
}

impl Host {
    pub(super) fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .args(["host", "--listen", "127.0.0.1:0", "--http", "off"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let address = lines.find_map(|line| Some(line.ok()?.strip_prefix("listening on ")?.to_owned()));
        Self { process, address: address.expect("it listens") }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended = self.process.wait();
    }
}

#[test]
fn games_are_played_one_after_another() {
    let host = HostProcess::start(&[]);
    let address = host.games.to_string();
    let few = ["load", "--connect", &address, "--games", "3", "--seconds", "3600", "--scenario", "first-night"];
    let load = start(&[&few[..], &["--bots", "sensible", "--json"]].concat());
    // Each of the three tables may miss the end of its last game, so seven finished games mean at least four reported ones.
    wait_until("seven games are over", || {
        let metrics = Request::get("/metrics").send_blocking(host.http);
        let finished = metrics.body.lines().find_map(|line| line.strip_prefix("holdfast_games_finished_total "));
        finished.expect("it is counted").parse::<u64>().expect("a number") >= 7
    });
    let output = interrupt(load);
    assert!(output.status.success(), "{output:?}");
    let found: Value = serde_json::from_str(&stdout(&output)).expect("one JSON object");
    let figure = |name: &str| found[name].as_f64().unwrap_or_else(|| panic!("{name} in {found}"));
    assert!(figure("games") > 3.0, "where a game ends, another begins: {found}");
    assert!(figure("commands") > 10.0 * figure("games"), "{found}");
    assert!(figure("events") > figure("commands"), "{found}");
    // At most one command per table has no answer: the last command of its current game.
    assert!((0.0..=3.0).contains(&(figure("commands") - figure("answered"))), "{found}");
    let quantiles = ["p50", "p90", "p99", "p99.9", "max"].map(|name| found["latency_us"][name].as_f64());
    assert!(quantiles.is_sorted() && quantiles[0] > Some(0.0), "{found}");

    let output = holdfast(&["load", "--connect", &address, "--games", "1", "--players", "5", "--time", "1s"]);
    let text = stdout(&output);
    for word in ["1 game of winter at a time, 5 players, random", "finished", "commands", "p99.9", "max"] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

/// Ctrl-C ends it early, with the figures so far.
#[test]
fn an_interrupt_ends_it_with_figures() {
    let host = Host::start();
    let load = start(&["load", "--connect", &host.address, "--games", "2", "--time", "1h"]);
    // The program handles the signal before it creates the first game.
    wait_until("there are games", || games(&host.address) > 0);
    let output = interrupt(load);
    assert!(output.status.success(), "{output:?}");
    assert!(stdout(&output).contains("latency"), "{output:?}");
}

fn start(arguments: &[&str]) -> Child {
    let mut program = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    program.args(arguments).stdout(Stdio::piped()).spawn().expect("the program starts")
}

fn interrupt(program: Child) -> Output {
    let sent = Command::new("kill").args(["-INT", &program.id().to_string()]).status().expect("kill can be called");
    assert!(sent.success());
    program.wait_with_output().expect("it ends")
}

/// The number of games that the host lists, requested in JSON.
fn games(address: &str) -> usize {
    let mut stream = TcpStream::connect(address).expect("a connection");
    writeln!(stream, r#"{{"hello":{{"protocol":1,"want":"list"}}}}"#).expect("sent");
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).expect("a line");
    let answer: Value = serde_json::from_str(&line).expect("JSON");
    answer["games"].as_array().expect("games").len()
}

#[track_caller]
fn check(arguments: &[&str], complaint: &str) {
    complains(&[&["load"], arguments].concat(), complaint);
}

#[test]
fn what_cannot_be_played_is_said() {
    // No server uses port 1.
    check(&["--connect", "127.0.0.1:1"], "nothing listens on 127.0.0.1:1; start a host with `holdfast host`");
    check(&["--connect", "localhost:x"], "`x` is not a port");
    check(&["--time", "5 parsecs"], "`parsecs` is not a unit");
    check(&["--time", "500ms"], "the duration must be between 1s and ");
    check(&["--players", "6"], "winter is for 1 to 5 players, not for 6");
    check(&["--players", "0"], "winter is for 1 to 5 players, not for 0");
    check(&["--bots", "clever"], "no strategy clever; there are random, sensible");
    check(&["--scenario", "nothing"], "nothing: no such file");
    check(&["--games", "0"], "0");
}
