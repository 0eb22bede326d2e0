//! Server processes: started for one script, and ended with it whatever happens.

use std::{
    fs::{self, File},
    io,
    os::unix::process::CommandExt,
    path::PathBuf,
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

/// The processes that run now, each the head of a group of its own.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// A server process.
#[derive(Debug)]
pub(crate) struct ServerProcess {
    child: Child,
    status: Option<ExitStatus>,
    /// The scenario, and what the server says on standard error: a pipe that nobody empties would stop it.
    files: [PathBuf; 2],
}

impl ServerProcess {
    /// `words` makes the command from the path of the scenario.
    pub(crate) fn start(scenario: &str, words: impl Fn(&str) -> Vec<String>) -> Result<Self, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = folder();
        let files = [folder.join(format!("{number}.json")), folder.join(format!("{number}.err"))];
        let prepare = || -> io::Result<File> {
            fs::create_dir_all(&folder)?;
            fs::write(&files[0], scenario)?;
            File::create(&files[1])
        };
        let errors = prepare().map_err(|error| format!("{}: {error}", folder.display()))?;
        let words = words(&files[0].to_string_lossy());
        let mut command = Command::new(&words[0]);
        // A group of its own, so that what it starts ends with it.
        command.args(&words[1..]).process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
        let child = {
            let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            let child = command.spawn().map_err(|error| format!("{} cannot be started: {error}", words[0]))?;
            running.push(child.id());
            child
        };
        Ok(Self { child, status: None, files })
    }

    /// How it ended, if it has.
    pub(crate) fn status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            self.status = self.child.try_wait().ok().flatten();
            if self.status.is_some() {
                // From here on its number may be somebody else's.
                running.retain(|&pid| pid != self.child.id());
            }
        }
        self.status
    }

    /// Waits for its end.
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

    /// The end of what it said on standard error.
    pub(crate) fn said(&self) -> String {
        const LONGEST: usize = 2000;
        let bytes = fs::read(&self.files[1]).unwrap_or_default();
        let end = &bytes[bytes.len().saturating_sub(LONGEST)..];
        String::from_utf8_lossy(end).trim().to_owned()
    }

    /// How it ended and what it said, for a report.
    pub(crate) fn obituary(&self, status: ExitStatus) -> String {
        match self.said() {
            said if said.is_empty() => format!("{status}; it said nothing on standard error"),
            said => format!("{status}; it said on standard error:\n{said}"),
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        if self.status().is_none() {
            let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            kill(self.child.id());
            let _status = self.child.wait();
            running.retain(|&pid| pid != self.child.id());
        }
        for file in &self.files {
            let _left_behind = fs::remove_file(file);
        }
    }
}

/// Ends all servers when this process is asked to end, and then ends it. Once this returns, no request to end is missed.
pub fn end_with_us() {
    let (listens, until_it_listens) = mpsc::channel();
    let wait = move || -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let (mut asked, mut interrupted) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
            let _nobody_waits = listens.send(());
            tokio::select! {
                _ = interrupted.recv() => {}
                _ = asked.recv() => {}
            }
            Ok(())
        })
    };
    thread::spawn(move || {
        if wait().is_ok() {
            // Kept locked, so that no other one is started meanwhile.
            let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            running.iter().for_each(|&pid| kill(pid));
            clean_up();
            std::process::exit(130);
        }
    });
    // Where it cannot listen, the other end is gone.
    let _it_listens = until_it_listens.recv();
}

/// Removes the folder of the servers' files.
pub fn clean_up() {
    let _left_behind = fs::remove_dir_all(folder());
}

fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("systest-servers-{}", std::process::id()))
}

/// The whole group: a server may be started by a script of its own.
fn kill(pid: u32) {
    let group = format!("-{pid}");
    let _ended = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
}
