//! Several hosts on a database of their own, to try out: `cargo xtask cluster`.
//!
//! Starts two PostgreSQL servers, one of them a synchronous standby, three hosts and bots, and says how to kill what. What dies is
//! started again after a while. Ctrl-C stops everything and removes it.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it talks to the person who started it")]

use std::{
    env, fs,
    io::{self, BufRead as _, BufReader, Read as _},
    os::unix::{fs::PermissionsExt as _, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use testkit::{Need, Postgres};
use tokio::{
    runtime,
    signal::unix::{SignalKind, signal},
    time::{MissedTickBehavior, interval},
};

const NAMES: [&str; 3] = ["a", "b", "c"];
/// The games of each host.
const GAMES: usize = 2;
/// How long a host stays dead.
const DEAD: Duration = Duration::from_secs(15);
/// How long a host may take to stop.
const STOPPING: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    let Some(program) = env::args_os().nth(1).map(PathBuf::from).filter(|program| program.is_file()) else {
        eprintln!("usage: try-cluster PROGRAM, the path of holdfast; `cargo xtask cluster` builds and names it");
        return ExitCode::from(2);
    };
    if !testkit::has(&[Need::Postgres]) {
        eprintln!("install PostgreSQL first, on Debian with: apt-get install postgresql");
        return ExitCode::FAILURE;
    }
    match runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .and_then(|runtime| runtime.block_on(run(&program)))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(program: &Path) -> io::Result<()> {
    let (mut interrupts, mut terminations) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    println!("two PostgreSQL servers start ..");
    let primary = Postgres::start("synchronous_standby_names = 'standby'\n");
    let standby = primary.start_standby("synchronous_standby_names = ''\n");
    let folder = Folder::new()?;
    let secret = folder.0.join("secret");
    let mut random = [0; 32];
    fs::File::open("/dev/urandom")?.read_exact(&mut random)?;
    fs::write(&secret, random)?;
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600))?;
    let [first, second] = [primary.folder(), standby.folder()].map(Path::display);
    let store = format!("postgres:///postgres?user=postgres&host={first}&host={second}");
    let start = |name: &'static str| Host::start(program, name, &store, &secret);
    let mut hosts: Vec<Host> = NAMES.into_iter().map(start).collect::<io::Result<_>>()?;
    let places: Vec<usize> = (0..NAMES.len() * GAMES).map(|bots| bots % NAMES.len()).collect();
    let mut bots: Vec<Process> =
        places.iter().map(|host| start_bots(program, &hosts[*host])).collect::<io::Result<_>>()?;

    explain(program, &hosts, &store, &primary, &standby);
    let mut ticks = interval(Duration::from_millis(500));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = interrupts.recv() => break,
            _ = terminations.recv() => break,
            _ = ticks.tick() => {}
        }
        for host in &mut hosts {
            host.keep_alive()?;
        }
        for (bots, host) in bots.iter_mut().zip(&places) {
            if bots.has_ended()? && hosts[*host].died.is_none() {
                *bots = start_bots(program, &hosts[*host])?;
            }
        }
    }
    println!("stopping: the hosts hand their games over, then the databases end");
    drop(bots);
    hosts.iter_mut().for_each(Host::stop);
    Ok(())
}

/// Says what runs, and how to kill it.
fn explain(program: &Path, hosts: &[Host], store: &str, primary: &Postgres, standby: &Postgres) {
    println!("\nthree hosts play games of bots:");
    for host in hosts {
        let Host { name, http, address, process, .. } = host;
        println!("  {name}: pages on {http}, clients on {address}; kill it: kill -9 {}", process.0.id());
    }
    let freeze = hosts[0].process.0.id();
    println!("  freeze a host: kill -STOP {freeze}; thaw it: kill -CONT {freeze}; drain it: kill -TERM {freeze}");
    println!("  a host that is gone starts again after {} s", DEAD.as_secs());
    println!("the store, with a primary and its synchronous standby:");
    println!(
        "  fail over: kill -9 {}; psql -h {} -U postgres -c 'SELECT pg_promote()'",
        primary.process(),
        standby.folder().display()
    );
    println!("  freeze the primary, games wait: kill -STOP {0}; thaw it: kill -CONT {0}", primary.process());
    println!("  lose the standby, games wait: kill -STOP {0}; get it back: kill -CONT {0}", standby.process());
    println!("watch: the pages of each host list and show the games of all");
    println!("  {} cluster status --store '{store}'\n", program.display());
    println!("Ctrl-C stops everything and removes it.");
}

/// A process that ends with this value.
struct Process(Child);

impl Process {
    fn has_ended(&mut self) -> io::Result<bool> {
        Ok(self.0.try_wait()?.is_some())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _gone = (self.0.kill(), self.0.wait());
    }
}

/// A host.
struct Host {
    name: &'static str,
    command: Command,
    process: Process,
    /// Where clients and browsers reach it. It has the same addresses when it starts again.
    address: String,
    http: String,
    died: Option<Instant>,
}

impl Host {
    fn start(program: &Path, name: &'static str, store: &str, secret: &Path) -> io::Result<Self> {
        let command = |listen: &str, http: &str| {
            let mut command = Command::new(program);
            command.args(["host", "--listen", listen, "--http", http, "--store", store, "--cluster-name", name]);
            command.args(["--cluster-listen", "127.0.0.1:0", "--cluster-secret-file"]).arg(secret);
            // Ctrl-C is for this program, which then stops the hosts.
            command.process_group(0).stdin(Stdio::null()).stdout(Stdio::piped());
            command
        };
        let mut process = Process(command("127.0.0.1:0", "127.0.0.1:0").spawn()?);
        let (address, http) = read_addresses(&mut process.0)?;
        let command = command(&address, http.trim_start_matches("http://"));
        Ok(Self { name, command, process, address, http, died: None })
    }

    /// Starts the host again some time after it has ended.
    fn keep_alive(&mut self) -> io::Result<()> {
        match self.died {
            None if self.process.has_ended()? => {
                println!(
                    "host {} is gone; the others take over its games. It starts again in {} s",
                    self.name,
                    DEAD.as_secs()
                );
                self.died = Some(Instant::now());
            }
            Some(died) if died.elapsed() >= DEAD => {
                self.process = Process(self.command.spawn()?);
                // Without an address it has ended again, and its message says why.
                match read_addresses(&mut self.process.0) {
                    Ok(_) => {
                        println!("host {} is back; kill it: kill -9 {}", self.name, self.process.0.id());
                        self.died = None;
                    }
                    Err(_) => self.died = Some(Instant::now()),
                }
            }
            None | Some(_) => {}
        }
        Ok(())
    }

    /// Asks the host to stop, and waits for it.
    fn stop(&mut self) {
        let id = self.process.0.id().to_string();
        // One that is frozen must go on to stop.
        for name in ["-CONT", "-TERM"] {
            let _gone = Command::new("kill").args([name, &id]).stderr(Stdio::null()).status();
        }
        let since = Instant::now();
        while since.elapsed() < STOPPING && !self.process.has_ended().unwrap_or(true) {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Reads where a host listens. The rest of what it prints is discarded.
fn read_addresses(host: &mut Child) -> io::Result<(String, String)> {
    let mut http = String::new();
    let mut lines = BufReader::new(host.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?).lines();
    for line in lines.by_ref() {
        let line = line?;
        if let Some(address) = line.strip_prefix("http on ") {
            http = address.to_owned();
        }
        if let Some(address) = line.strip_prefix("listening on ") {
            let address = address.to_owned();
            std::thread::spawn(move || lines.for_each(drop));
            return Ok((address, http));
        }
    }
    Err(io::Error::other("a host has ended instead of listening"))
}

/// Two bots play a game through a host.
fn start_bots(program: &Path, host: &Host) -> io::Result<Process> {
    let mut command = Command::new(program);
    command.args(["bot", "--connect", &host.address, "--new", "winter", "--count", "2", "--start", "--pace", "300ms"]);
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(Process)
}

/// A folder that is removed with this value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Self> {
        let folder = env::temp_dir().join(format!("holdfast-cluster-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone = fs::remove_dir_all(&self.0);
    }
}
