//! A process that is run to its end or to its time limit, with all that it started.

use std::{
    io::{self, Read},
    mem,
    os::unix::process::CommandExt,
    process::{Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use clients::group::Group;

use super::{PRINTED, SAID};

/// What became of a process.
pub(super) struct Output {
    pub(super) end: Result<ExitStatus, Stop>,
    pub(super) printed: Vec<u8>,
    /// The end of what it said on standard error.
    pub(super) said: Vec<u8>,
}

/// Why a process did not come to its own end.
pub(super) enum Stop {
    NotStarted(io::Error),
    TooLate,
    TooMuch,
    Lost(io::Error),
}

/// How long somebody who is still there after the end, or after being killed, is waited for.
const GRACE: Duration = Duration::from_millis(500);

/// Runs a program with one more argument.
pub(super) fn run(words: &[String], last: &str, limit: Duration) -> Output {
    // Nothing where it is further away than clocks go.
    let until = Instant::now().checked_add(limit);
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).arg(last).process_group(0);
    // Secrets of whoever runs a host are not for programs of others.
    command.env_remove("HOLDFAST_ADMIN_TOKEN");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = match command.spawn() {
        Ok(child) => child,
        Err(cause) => {
            return Output { end: Err(Stop::NotStarted(cause)), printed: Vec::new(), said: Vec::new() };
        }
    };
    let mut group = Group::new(child);
    let (sender, closed) = mpsc::channel();
    let printed = listen(group.stdout(), Keep::First(PRINTED), sender.clone());
    let said = listen(group.stderr(), Keep::Last(SAID), sender);
    let end = wait(&mut group, &printed, &closed, until);
    drop(group);
    // Both pipes are closed as soon as nobody is left; one that somebody took along is left to them.
    let patience = Instant::now() + GRACE;
    while closed.recv_timeout(patience.saturating_duration_since(Instant::now())).is_ok() {}
    Output { end, printed: take(&printed), said: take(&said) }
}

/// Waits for the end of the process itself, of its time, or of what it may print.
fn wait(
    group: &mut Group,
    printed: &Mutex<Vec<u8>>,
    closed: &mpsc::Receiver<()>,
    until: Option<Instant>,
) -> Result<ExitStatus, Stop> {
    let mut pause = Duration::from_micros(200);
    loop {
        if lock(printed).len() > PRINTED {
            return Err(Stop::TooMuch);
        }
        if let Some(status) = group.end().map_err(Stop::Lost)? {
            return Ok(status);
        }
        let left = until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
        if left.is_zero() {
            return Err(Stop::TooLate);
        }
        // A pipe that is closed says that the end is near.
        match closed.recv_timeout(pause.min(left)) {
            Ok(()) => pause = Duration::from_micros(200),
            Err(RecvTimeoutError::Timeout) => pause = (2 * pause).min(Duration::from_millis(5)),
            Err(RecvTimeoutError::Disconnected) => thread::sleep(Duration::from_millis(1).min(left)),
        }
    }
}

/// What is kept of a pipe.
#[derive(Clone, Copy)]
enum Keep {
    /// So many bytes, and one more to tell that there were more. The pipe is closed then.
    First(usize),
    /// The rest is read and forgotten.
    Last(usize),
}

/// Reads a pipe on a thread of its own, which says when the pipe is closed.
fn listen(pipe: Option<impl Read + Send + 'static>, keep: Keep, closed: Sender<()>) -> Arc<Mutex<Vec<u8>>> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let shared = Arc::clone(&heard);
    thread::spawn(move || {
        if let Some(mut pipe) = pipe {
            let mut part = [0; 1024];
            while let Ok(count @ 1..) = read(&mut pipe, &mut part) {
                if !add(&mut lock(&shared), &part[..count], keep) {
                    break;
                }
            }
        }
        let _nobody_waits = closed.send(());
    });
    heard
}

fn read(pipe: &mut impl Read, part: &mut [u8]) -> io::Result<usize> {
    loop {
        match pipe.read(part) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// False where no more is wanted.
fn add(heard: &mut Vec<u8>, part: &[u8], keep: Keep) -> bool {
    match keep {
        Keep::First(most) => {
            let room = most + 1 - heard.len();
            heard.extend(&part[..room.min(part.len())]);
            heard.len() <= most
        }
        Keep::Last(most) => {
            heard.extend(part);
            let old = heard.len().saturating_sub(most);
            heard.drain(..old);
            true
        }
    }
}

fn take(heard: &Mutex<Vec<u8>>) -> Vec<u8> {
    mem::take(&mut lock(heard))
}

fn lock(heard: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    heard.lock().unwrap_or_else(PoisonError::into_inner)
}
