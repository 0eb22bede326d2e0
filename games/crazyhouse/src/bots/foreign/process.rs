//! Runs a process to its end or to its time limit, and ends everything that it started.

use std::{
    future::pending,
    io,
    os::{fd::OwnedFd, unix::process::CommandExt},
    process::{Command, ExitStatus, Stdio},
    time::Duration,
};

use clients::group::Group;
use tokio::{
    io::AsyncReadExt,
    net::unix::pipe::Receiver,
    runtime,
    signal::unix::{SignalKind, signal},
    time::{sleep, timeout},
};

use super::{PRINTED, SAID};

/// How a process ended, and its output.
pub(super) struct Output {
    pub(super) end: Result<ExitStatus, Stop>,
    pub(super) printed: Vec<u8>,
    /// The end of its standard error.
    pub(super) said: Vec<u8>,
}

/// Why a process has no exit status of its own.
pub(super) enum Stop {
    NotStarted(io::Error),
    TooLate,
    TooMuch,
    Lost(io::Error),
}

/// How long to wait for the pipes to close after the process has ended. A process that left the group can keep them open.
const GRACE: Duration = Duration::from_millis(500);

/// Runs a program with one more argument. Blocks, so it must not be called from asynchronous code.
pub(super) fn run(words: &[String], last: &str, limit: Duration) -> Output {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).arg(last).process_group(0);
    // Foreign programs must not see the operator's secret.
    command.env_remove("HOLDFAST_ADMIN_TOKEN");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut printed, mut said) = (Pipe::new(Keep::First(PRINTED)), Pipe::new(Keep::Last(SAID)));
    let end = match runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(wait(&mut command, limit, &mut printed, &mut said)),
        Err(cause) => Err(Stop::Lost(cause)),
    };
    Output { end, printed: printed.kept, said: said.kept }
}

/// Starts a process and waits until it ends, its time is over, or it has printed too much.
async fn wait(command: &mut Command, limit: Duration, printed: &mut Pipe, said: &mut Pipe) -> Result<ExitStatus, Stop> {
    let too_late = sleep(limit);
    tokio::pin!(too_late);
    // Registered before the start, so that no exit is missed. The signal arrives when any child of this process exits.
    let mut child_ended = signal(SignalKind::child()).map_err(Stop::Lost)?;
    let mut group = Group::new(command.spawn().map_err(Stop::NotStarted)?);
    printed.open(group.stdout()).map_err(Stop::Lost)?;
    said.open(group.stderr()).map_err(Stop::Lost)?;
    let end = loop {
        tokio::select! {
            () = printed.read() => if printed.is_too_much() {
                break Err(Stop::TooMuch);
            },
            () = said.read() => {}
            _ = child_ended.recv() => if let Some(status) = group.end().map_err(Stop::Lost)? {
                break Ok(status);
            },
            () = &mut too_late => break Err(Stop::TooLate),
        }
    };
    drop(group);
    let _some_stay_open = timeout(GRACE, async { tokio::join!(printed.read_to_end(), said.read_to_end()) }).await;
    if end.is_ok() && printed.is_too_much() { Err(Stop::TooMuch) } else { end }
}

/// Which part of a pipe's content is kept.
#[derive(Clone, Copy)]
enum Keep {
    /// The first bytes, and one more byte, which shows that the limit was exceeded. Then the pipe is closed.
    First(usize),
    /// The last bytes.
    Last(usize),
}

/// The reading end of a pipe, and the kept part of its content.
struct Pipe {
    /// `None` before the pipe is opened and after it is closed.
    receiver: Option<Receiver>,
    keep: Keep,
    kept: Vec<u8>,
}

impl Pipe {
    fn new(keep: Keep) -> Self {
        Self { receiver: None, keep, kept: Vec::new() }
    }

    fn open(&mut self, pipe: Option<impl Into<OwnedFd>>) -> io::Result<()> {
        self.receiver = pipe.map(|pipe| Receiver::from_owned_fd(pipe.into())).transpose()?;
        Ok(())
    }

    /// Reads the next part. Never returns if the pipe is closed.
    async fn read(&mut self) {
        let Some(receiver) = &mut self.receiver else { return pending().await };
        let mut part = [0; 4096];
        let count = receiver.read(&mut part).await.unwrap_or(0);
        if count == 0 || !self.add(&part[..count]) {
            self.receiver = None;
        }
    }

    async fn read_to_end(&mut self) {
        while self.receiver.is_some() {
            self.read().await;
        }
    }

    /// Keeps a part of the content. Returns false if the rest of the pipe is not needed.
    fn add(&mut self, part: &[u8]) -> bool {
        match self.keep {
            Keep::First(most) => {
                let room = most + 1 - self.kept.len();
                self.kept.extend(&part[..room.min(part.len())]);
                !self.is_too_much()
            }
            Keep::Last(most) => {
                self.kept.extend(part);
                let old = self.kept.len().saturating_sub(most);
                self.kept.drain(..old);
                true
            }
        }
    }

    fn is_too_much(&self) -> bool {
        matches!(self.keep, Keep::First(most) if self.kept.len() > most)
    }
}
