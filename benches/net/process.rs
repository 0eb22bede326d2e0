//! Processes: the host, and this program in another role.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// A process that is killed with this value.
pub(crate) struct Process {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Process {
    /// Starts the real host. Returns its address.
    pub(crate) fn host(log: &Path, durability: &str) -> (Self, SocketAddr) {
        let mut host = Command::new(env!("CARGO_BIN_EXE_holdfast"));
        host.args(["host", "--listen", "127.0.0.1:0", "--http", "off", "--durability", durability, "--log"]).arg(log);
        // Raises the limits per client, which are not measured here.
        host.args(["--messages-per-second", "1000000", "--connections-per-address", "50000"]);
        let mut process = Self::spawn(&mut host);
        let address = process.address();
        (process, address)
    }

    /// Starts a host that also serves HTTP. Returns the address for clients and the address for browsers.
    pub(crate) fn host_with_http(log: &Path) -> (Self, SocketAddr, SocketAddr) {
        let mut host = Command::new(env!("CARGO_BIN_EXE_holdfast"));
        host.args(["host", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--log"]).arg(log);
        let mut process = Self::spawn(&mut host);
        let http = process.after("http on http://");
        let address = process.address();
        (process, address, http)
    }

    /// Starts this program in a role.
    pub(crate) fn role(words: &[&str]) -> Self {
        let this = std::env::current_exe().expect("this program has a file");
        Self::spawn(Command::new(this).arg("role").args(words).stdin(Stdio::piped()))
    }

    pub(crate) fn spawn(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let lines = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, lines }
    }

    /// The address that the process prints.
    pub(crate) fn address(&mut self) -> SocketAddr {
        self.after("listening on ")
    }

    pub(crate) fn after(&mut self, words: &str) -> SocketAddr {
        loop {
            if let Some(address) = self.line().strip_prefix(words) {
                return address.trim_end_matches('/').parse().expect("an address");
            }
        }
    }

    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        let read = self.lines.read_line(&mut line).expect("a line");
        assert!(read > 0, "a process ended early: {:?}", self.child.wait());
        line.trim_end().to_owned()
    }

    /// The resident memory in bytes.
    pub(crate) fn resident(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a process of Linux");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
        1024.0 * line.split_whitespace().next().and_then(|kib| kib.parse::<f64>().ok()).expect("a number")
    }

    /// Seconds of processor time so far.
    pub(crate) fn processor_time(&self) -> f64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("a process of Linux");
        let fields = stat.rsplit(')').next().expect("fields behind its name").split_whitespace();
        // User and system time, in the hundredths of a second that Linux reports.
        fields.skip(11).take(2).map(|ticks| ticks.parse::<f64>().expect("a number")).sum::<f64>() / 100.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// A folder on the project's disk. Dropping it deletes the folder.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("net-{}", std::process::id()));
        let _left_behind = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}
