//! Server processes. Each runs for one script, and is ended with it in any case.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use tokio::signal::unix::{SignalKind, signal};

use crate::{
    limits::{self, Limits, Watch},
    ports::Port,
};

/// The ids of the running processes. Each process leads a process group.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// A server process.
#[derive(Debug)]
pub(crate) struct ServerProcess {
    child: Child,
    status: Option<ExitStatus>,
    /// The file of the scenario, and the file of the server's standard error. A full pipe would block the server.
    files: [PathBuf; 2],
    /// Ends the process if it uses more than it may.
    watch: Option<Watch>,
    /// The port stays reserved as long as the process runs.
    port: Port,
}

/// Where a server runs, and what it may use.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    pub(crate) port: Port,
    /// The working directory; by default that of this process.
    pub(crate) folder: Option<&'a Path>,
    pub(crate) limits: &'a Limits,
}

impl ServerProcess {
    /// Starts a process. `words` returns the command line for the path of the scenario.
    pub(crate) fn start(
        scenario: &str,
        place: Place<'_>,
        words: impl Fn(&str) -> Vec<String>,
    ) -> Result<Self, StartError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = folder();
        let files = [folder.join(format!("{number}.json")), folder.join(format!("{number}.err"))];
        let prepare = || -> io::Result<File> {
            fs::create_dir_all(&folder)?;
            fs::write(&files[0], scenario)?;
            File::create(&files[1])
        };
        let errors = prepare().map_err(|error| StartError::Files(folder.clone(), error))?;
        let words = words(&files[0].to_string_lossy());
        let mut command = Command::new(&words[0]);
        // The server gets its own process group, so that the processes that it starts end with it.
        command.args(&words[1..]).process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
        // If this process is killed, the next one finds the server by this.
        command.env(OWNER, limits::identity(std::process::id()).unwrap_or_default());
        if let Some(folder) = place.folder {
            command.current_dir(folder);
        }
        let child = {
            let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            let child = command.spawn().map_err(|error| StartError::Program(words[0].clone(), error))?;
            running.push(child.id());
            child
        };
        let watch = Watch::start(child.id(), place.limits, &files[1], kill);
        Ok(Self { child, status: None, files, watch, port: place.port })
    }

    /// The port that the server was given.
    pub(crate) fn port(&self) -> u16 {
        self.port.number()
    }

    /// The exit status of the process, if it has ended.
    pub(crate) fn status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            self.status = self.child.try_wait().ok().flatten();
            if self.status.is_some() {
                if let Some(watch) = &mut self.watch {
                    watch.stop();
                }
                // From here on, the system may give this process id to another process.
                running.retain(|&pid| pid != self.child.id());
            }
        }
        self.status
    }

    /// Waits for the end of the process, and returns its exit status.
    pub(crate) fn status_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        let since = Instant::now();
        loop {
            let status = self.status();
            if status.is_some() || since.elapsed() > patience {
                return status;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// The last part of the standard error of the process.
    pub(crate) fn standard_error(&self) -> String {
        const LONGEST: usize = 2000;
        // The file may be long.
        let read = || -> io::Result<Vec<u8>> {
            let mut file = File::open(&self.files[1])?;
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(LONGEST as u64)))?;
            let mut end = Vec::new();
            file.take(LONGEST as u64).read_to_end(&mut end)?;
            Ok(end)
        };
        String::from_utf8_lossy(&read().unwrap_or_default()).trim().to_owned()
    }

    /// Which limit the process has exceeded, for a report.
    pub(crate) fn exceeded(&self) -> Option<String> {
        Some(self.watch.as_ref()?.exceeded()?.to_string())
    }

    /// The exit status and the standard error of the process, for a report.
    pub(crate) fn describe_end(&self, status: ExitStatus) -> String {
        let status = match self.exceeded() {
            Some(exceeded) => format!("systest ended it because {exceeded}"),
            None => status.to_string(),
        };
        match self.standard_error() {
            said if said.is_empty() => format!("{status}; its standard error is empty"),
            said => format!("{status}; its standard error:\n{said}"),
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // The watch knows the process only by its id, so it ends first.
        self.watch = None;
        if self.status().is_none() {
            let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            kill(self.child.id());
            let _status = self.child.wait();
            running.retain(|&pid| pid != self.child.id());
        } else if limits::is_running(self.child.id()) {
            // The server has ended, and processes that it started have not.
            kill(self.child.id());
        }
        for file in &self.files {
            let _left_behind = fs::remove_file(file);
        }
    }
}

/// The variable in the environment of a server that identifies the process that has started it.
const OWNER: &str = "SYSTEST_SERVER_OF";

/// Ends servers that a killed `systest` has left behind, and the processes that they have started.
fn end_leftovers() {
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        // Only processes of the same user can be read.
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        let mut variables =
            environment.split(|&byte| byte == 0).filter_map(|variable| std::str::from_utf8(variable).ok());
        let owner = variables.find_map(|variable| variable.strip_prefix(OWNER)?.strip_prefix('='));
        let Some((owner_pid, _)) = owner.and_then(|owner| owner.split_once(' ')) else { continue };
        let running = owner_pid.parse().ok().and_then(limits::identity);
        if running.as_deref() != owner {
            let _ended = Command::new("kill").args(["-KILL", &pid.to_string()]).stderr(Stdio::null()).status();
        }
    }
}

/// Why a server process does not start.
#[derive(Debug)]
pub(crate) enum StartError {
    /// The files for the server cannot be written to this folder.
    Files(PathBuf, io::Error),
    /// The program cannot be started.
    Program(String, io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Files(folder, error) => write!(f, "{}: {error}", folder.display()),
            Self::Program(program, error) => write!(f, "{program} cannot be started: {error}"),
        }
    }
}

/// Ends servers that a killed process has left behind. On SIGTERM and SIGINT, ends all servers and then this process. After this function has returned, no signal is missed.
pub fn end_with_us() {
    end_leftovers();
    let (ready, until_ready) = mpsc::channel();
    let wait = move || -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let (mut terminated, mut interrupted) =
                (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
            let _receiver_gone = ready.send(());
            tokio::select! {
                _ = interrupted.recv() => {}
                _ = terminated.recv() => {}
            }
            Ok(())
        })
    };
    thread::spawn(move || {
        if wait().is_ok() {
            // The list stays locked, so that no other server starts meanwhile.
            let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            running.iter().for_each(|&pid| kill(pid));
            clean_up();
            std::process::exit(130);
        }
    });
    // If the signals cannot be handled, the channel is closed.
    let _ready = until_ready.recv();
}

/// Removes the folder of the servers' files.
pub fn clean_up() {
    let _left_behind = fs::remove_dir_all(folder());
}

fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("systest-servers-{}", std::process::id()))
}

/// Kills the process group: a shell script may have started the server.
pub(crate) fn kill(pid: u32) {
    let group = format!("-{pid}");
    let _ended = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
}
