//! The host as a separate process.

use std::{
    fs,
    io::{self, BufRead, BufReader, Read},
    net::SocketAddr,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use testkit::Machine;

use crate::{
    port::Port,
    show,
    stored::{self, wait},
    wire::Addresses,
};

/// The longest wait for all games of a test to end, with room for a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);
const SIGKILL: i32 = 9;

pub(crate) struct HostProcess {
    process: Child,
    port: Port,
    http: Port,
    log: PathBuf,
    kind: Kind,
}

/// The program to run: its path, its first arguments, its last arguments, the text before the address in its output, and its
/// environment.
struct Kind {
    /// The machine of a test network that it runs on.
    machine: Option<Machine>,
    program: PathBuf,
    words: &'static [&'static str],
    more: Vec<String>,
    announces: &'static str,
    variables: Vec<(&'static str, String)>,
}

impl Kind {
    fn command(&self, address: SocketAddr, http: SocketAddr, log: &Path) -> Command {
        let mut command = match &self.machine {
            Some(machine) => machine.command(self.program.to_str().expect("a path")),
            None => Command::new(&self.program),
        };
        command.args(self.words).args(["--listen", &address.to_string(), "--http", &http.to_string(), "--log"]);
        command.arg(log).args(&self.more).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        command
    }
}

/// Today's program.
pub(crate) fn today() -> PathBuf {
    env!("CARGO_BIN_EXE_holdfast").into()
}

/// The program of the last landed state. `cargo xtask test upgrade` builds it; other runs have none.
pub(crate) fn landed() -> Option<PathBuf> {
    let landed = std::env::var_os("HOLDFAST_LANDED").map(PathBuf::from);
    if landed.is_none() {
        show("upgrade: only with `cargo xtask test upgrade`, which builds the landed program");
    }
    landed
}

/// The version of the schema of a log.
pub(crate) fn version(log: &Path) -> i64 {
    let file = rusqlite::Connection::open_with_flags(log, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY);
    file.and_then(|file| file.pragma_query_value(None, "user_version", |row| row.get(0))).expect("a version")
}

/// Checks that the landed program refuses a log of a newer version with clear words, and reads one of its own version.
pub(crate) fn check_landed_program_with(landed: &Path, log: &Path) {
    let version = version(log);
    let read = Command::new(landed).args(["log", "verify"]).arg(log).output().expect("the program starts");
    let said = String::from_utf8_lossy(&read.stderr);
    let known = said.rsplit_once("this program knows the versions up to ").map(|(_, known)| known.trim().to_owned());
    let Some(known) = known else {
        assert!(read.status.success(), "it is a log of the landed version: {read:?}");
        return;
    };
    let refusal = format!("{} has version {version} of the schema; this program knows", log.display());
    assert!(said.contains(&refusal), "{said}");
    assert!(known.parse::<i64>().is_ok_and(|known| known < version), "{said}");
    assert_eq!(read.status.code(), Some(1), "{read:?}");
    let host =
        Command::new(landed).args(["host", "--listen", "127.0.0.1:0", "--http", "off", "--log"]).arg(log).output();
    let host = host.expect("the program starts");
    assert_eq!((host.status.code(), host.stdout.len()), (Some(1), 0), "{host:?}");
    assert!(String::from_utf8_lossy(&host.stderr).contains(&refusal), "{host:?}");
}

impl HostProcess {
    pub(crate) fn start(log: &Path) -> Self {
        Self::start_with(log, &[])
    }

    /// Starts a host with additional arguments.
    pub(crate) fn start_with(log: &Path, more: &[&str]) -> Self {
        Self::start_as(log, &["host"], more, "listening on ")
    }

    /// Starts another program that serves, with its first and last arguments. `announces` is the text before the address in its
    /// output.
    pub(crate) fn start_as(log: &Path, words: &'static [&'static str], more: &[&str], announces: &'static str) -> Self {
        Self::start_program(&today(), log, words, more, announces)
    }

    /// Starts another build of the program.
    pub(crate) fn start_program(
        program: &Path,
        log: &Path,
        words: &'static [&'static str],
        more: &[&str],
        announces: &'static str,
    ) -> Self {
        let more = more.iter().map(ToString::to_string).collect();
        Self::start_kind(
            log,
            Kind { machine: None, program: program.into(), words, more, announces, variables: Vec::new() },
        )
    }

    /// Starts a host with environment variables and additional arguments.
    pub(crate) fn start_in(log: &Path, variables: &[(&'static str, String)], more: &[&str]) -> Self {
        let (variables, more) = (variables.to_vec(), more.iter().map(ToString::to_string).collect());
        Self::start_kind(
            log,
            Kind { machine: None, program: today(), words: &["host"], more, announces: "listening on ", variables },
        )
    }

    /// Starts a host on a machine of a test network.
    pub(crate) fn start_on(machine: &Machine, log: &Path, more: &[&str]) -> Self {
        let more = more.iter().map(ToString::to_string).collect();
        let (announces, variables) = ("listening on ", Vec::new());
        Self::start_kind(
            log,
            Kind { machine: Some(machine.clone()), program: today(), words: &["host"], more, announces, variables },
        )
    }

    fn start_kind(log: &Path, kind: Kind) -> Self {
        // Reserved while the host is down. Otherwise the system may give the port to a client's connection.
        let (port, http) = match &kind.machine {
            Some(machine) => (Port::on(machine.address, 7700), Port::on(machine.address, 7780)),
            None => (Port::reserve(), Port::reserve()),
        };
        let process = kind.command(port.address(), http.address(), log).spawn().expect("the program starts");
        let mut host = Self { process, port, http, log: log.into(), kind };
        host.wait_until_it_listens();
        host
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.port.address()
    }

    pub(crate) fn addresses(&self) -> Addresses {
        Addresses { games: self.port.address(), http: self.http.address() }
    }

    /// Kills the process with SIGKILL: it runs no more code, not even a destructor.
    pub(crate) fn kill(&mut self) {
        let status = self.end_by_kill().expect("the host was there");
        assert_eq!(status.signal(), Some(SIGKILL), "only a kill ends the host: {status}");
    }

    /// Starts the host again, with today's program, and waits until it listens. It has recovered every game by then.
    pub(crate) fn restart(&mut self) {
        self.restart_with(&today());
    }

    /// The same with another build of the program.
    pub(crate) fn restart_with(&mut self, program: &Path) {
        self.kind.program = program.into();
        self.spawn();
        self.wait_until_it_listens();
    }

    /// Starts the host again, and kills it some time after it has opened its log. Returns whether it was still recovering: it
    /// had not announced that it listens.
    pub(crate) fn kill_in_recovery(&mut self, after: Duration) -> bool {
        self.spawn();
        // A process that has the log writes its number into the file of the lock.
        let lock = self.log.with_added_extension("lock");
        let signed = format!("process {}", self.id());
        let deadline = Instant::now() + PATIENCE;
        while fs::read_to_string(&lock).is_ok_and(|holder| holder != signed) {
            assert!(Instant::now() < deadline, "the host does not open its log");
            std::thread::sleep(Duration::from_micros(100));
        }
        std::thread::sleep(after);
        self.kill();
        // The pipe keeps what the process has written until it ended.
        let (mut output, mut said) = (self.process.stdout.take().expect("it is piped"), String::new());
        output.read_to_string(&mut said).expect("the output of the host");
        !said.lines().any(|line| line.starts_with(self.kind.announces))
    }

    /// Asks the host to end, and kills it some time later. Returns whether it was still running: SIGKILL ended it.
    pub(crate) fn kill_in_shutdown(&mut self, after: Duration) -> bool {
        self.terminate();
        std::thread::sleep(after);
        let status = self.end_by_kill().expect("the host was there");
        assert!(status.success() || status.signal() == Some(SIGKILL), "a host that is asked to end: {status}");
        !status.success()
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn wait_until_all_games_ended(&self) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let file = stored::open(&self.log).expect("a log can be read while a host writes it");
            let open = wait(file.list()).expect("games").iter().filter(|record| record.end.is_none()).count();
            if open == 0 {
                return;
            }
            assert!(Instant::now() < deadline, "{open} games do not end");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Stops the process with SIGTERM. Its exit code must be 0.
    pub(crate) fn stop(mut self) {
        self.end();
    }

    /// The same for a host that starts again.
    pub(crate) fn end(&mut self) {
        self.terminate();
        let status = self.process.wait().expect("it has ended");
        assert!(status.success(), "a host that is asked to end exits with 0: {status}");
    }

    /// Freezes the process (SIGSTOP), and waits until none of its threads runs.
    pub(crate) fn freeze(&self) {
        freeze(self.id());
    }

    /// Lets a frozen process go on (SIGCONT).
    pub(crate) fn thaw(&self) {
        signal(self.id(), "CONT");
    }

    fn terminate(&self) {
        signal(self.id(), "TERM");
    }

    fn end_by_kill(&mut self) -> io::Result<ExitStatus> {
        self.process.kill()?;
        self.process.wait()
    }

    fn spawn(&mut self) {
        let command = self.kind.command(self.port.address(), self.http.address(), &self.log).spawn();
        self.process = command.expect("the program starts");
    }

    fn wait_until_it_listens(&mut self) {
        let mut lines = BufReader::new(self.process.stdout.take().expect("it is piped")).lines();
        let listens = lines.any(|line| line.is_ok_and(|line| line.starts_with(self.kind.announces)));
        assert!(listens, "the host came back");
    }
}

/// Sends a signal to a process.
pub(crate) fn signal(process: u32, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status();
    assert!(sent.expect("kill can be called").success(), "{name} to process {process}");
}

/// Freezes a process (SIGSTOP), and waits until none of its threads runs. On a busy machine, they go on for a while.
pub(crate) fn freeze(process: u32) {
    signal(process, "STOP");
    let is_stopped = |task: io::Result<fs::DirEntry>| {
        let about = fs::read_to_string(task.expect("a thread").path().join("stat")).unwrap_or_default();
        about.rsplit_once(") ").is_none_or(|(_, state)| state.starts_with('T'))
    };
    let deadline = Instant::now() + PATIENCE;
    while !fs::read_dir(format!("/proc/{process}/task")).expect("a process").all(is_stopped) {
        assert!(Instant::now() < deadline, "process {process} does not stop");
        std::thread::sleep(Duration::from_millis(1));
    }
}

impl Drop for HostProcess {
    /// Kills the process, even if the test fails.
    fn drop(&mut self) {
        let _gone_already = self.end_by_kill();
    }
}

/// A folder for one test. Dropping it deletes the folder.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(test: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        // Two tests may choose the same name, and run at the same time.
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("holdfast-{test}-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        Self(folder)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}
