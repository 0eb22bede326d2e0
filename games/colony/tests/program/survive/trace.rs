//! A killed process loses no page that it wrote, so a kill cannot show a missing sync. A trace of the system calls can: after a
//! command is read from a socket, the log is written and synced before the events are written to the socket.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use crate::{process::Scratch, show};

/// Fewer than the refusals that a host stores for a client without a seat.
const COMMANDS: usize = 30;

#[test]
fn the_log_is_synced_before_the_socket_is_written() {
    if Command::new("strace").arg("-V").output().is_err() {
        assert!(std::env::var_os("HOLDFAST_CI").is_none(), "strace is missing");
        show("trace: skipped, there is no strace");
        return;
    }
    let traced = Command::new("strace").args(["-o", "/dev/null", "true"]).output().expect("strace starts");
    if !traced.status.success() {
        let why = String::from_utf8_lossy(&traced.stderr);
        show(&format!(
            "trace: skipped, this system does not allow tracing ({})",
            why.lines().next().unwrap_or_default()
        ));
        return;
    }
    let scratch = Scratch::new("trace");
    let trace = scratch.path("trace");
    let host = Command::new("strace")
        .args([
            "-f",
            "-yy",
            "-s",
            "16",
            "-e",
            "trace=pwrite64,fdatasync,fsync,recvfrom,read,sendto,sendmsg,write,writev",
        ])
        .arg("-o")
        .arg(&trace)
        .arg(env!("CARGO_BIN_EXE_holdfast"))
        .args(["host", "--listen", "127.0.0.1:0", "--http", "off", "--log"])
        .arg(scratch.path("games.log"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("strace starts");
    let mut host = Traced { host, trace };
    talk(&mut host.host);

    let text = fs::read_to_string(&host.trace).expect("a trace");
    let mut seen = Seen::default();
    text.lines().for_each(|line| seen.follow(line));
    assert!(seen.answers >= COMMANDS, "{} answers were traced", seen.answers);
    show(&format!("trace: {} writes to the socket, each after a sync of the log", seen.answers));
}

/// A host that runs under strace. Dropping it kills the host, because strace ends only with the host.
struct Traced {
    host: Child,
    trace: PathBuf,
}

impl Drop for Traced {
    fn drop(&mut self) {
        // Every line of a trace starts with a process number; the first is that of the host's main thread.
        let trace = fs::read_to_string(&self.trace).unwrap_or_default();
        if let Some(process) = trace.split_whitespace().next() {
            let _gone_already = Command::new("kill").args(["-9", process]).status();
        }
        let _gone = self.host.wait();
    }
}

/// Sends each command after the answer to the previous one.
fn talk(host: &mut Child) {
    let mut lines = BufReader::new(host.stdout.take().expect("it is piped")).lines();
    let address =
        lines.find_map(|line| Some(line.ok()?.strip_prefix("listening on ")?.to_owned())).expect("it listens");
    let mut socket = TcpStream::connect(address).expect("a connection");
    let mut answers = BufReader::new(socket.try_clone().expect("a second handle")).lines();
    let mut ask = |line: &str, answer: &str| {
        socket.write_all(format!("{line}\n").as_bytes()).expect("sent");
        let line = answers.next().expect("an answer").expect("a line");
        assert!(line.contains(answer), "{line}");
    };
    ask(r#"{"hello":{"protocol":1,"want":{"create":{"scenario":"winter"}}}}"#, "welcome");
    for _ in 0..COMMANDS {
        ask(r#"{"command":["StartGame"]}"#, "CommandFailed");
    }
}

/// The system calls since the last command was received.
#[derive(Default)]
struct Seen {
    written: bool,
    synced: bool,
    answers: usize,
}

impl Seen {
    fn follow(&mut self, line: &str) {
        // For example "123 fdatasync(7</tmp/games.log-wal>) = 0". A call that is interrupted by another thread has two lines;
        // the second is "123 <... fdatasync resumed>) = 0".
        let call = line.split_once(' ').map_or("", |(_, call)| call.trim_start());
        let begins = !call.starts_with("<...");
        let ends = !call.ends_with("<unfinished ...>");
        let name = call.trim_start_matches("<... ").split(['(', ' ']).next().unwrap_or_default();
        let on_log = call.contains("games.log-wal>");
        let on_socket = call.contains("<TCP:[");
        match name {
            "pwrite64" if begins && on_log => self.written = true,
            // The line of a resumed call does not name its file, but only the log is ever synced here.
            "fdatasync" | "fsync" if ends && self.written => self.synced = true,
            "recvfrom" | "read" if on_socket && received(call) => {
                *self = Self { answers: self.answers, ..Self::default() }
            }
            "sendto" | "sendmsg" | "write" | "writev" if begins && on_socket => {
                assert!(self.written && self.synced, "written {}, synced {}: {line}", self.written, self.synced);
                *self = Self { answers: self.answers + 1, ..Self::default() };
            }
            _ => {}
        }
    }
}

/// Whether a read returned bytes: not "= -1 EAGAIN", not "= 0".
fn received(call: &str) -> bool {
    call.rsplit_once("= ").and_then(|(_, result)| result.trim().parse::<u32>().ok()).is_some_and(|count| count > 0)
}
