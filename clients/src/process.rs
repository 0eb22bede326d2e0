//! Runs a foreign program to its end, and ends everything that it started.

use std::{
    fmt,
    future::pending,
    io,
    os::{fd::OwnedFd, unix::process::CommandExt},
    process::{Command, ExitStatus, Stdio},
    time::Duration,
};

use tokio::{
    io::AsyncReadExt,
    net::unix::pipe::Receiver,
    signal::unix::{SignalKind, signal},
    time::{sleep, timeout},
};

use crate::group::Group;

/// Why a process has no exit status of its own.
#[derive(Debug)]
pub enum Stop {
    /// The program cannot be started.
    NotStarted(io::Error),
    /// Its time was over.
    TooLate,
    /// It printed too much.
    TooMuch,
    /// The system could not wait for it or read its output.
    Lost(io::Error),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(cause) => write!(f, "could not be started: {cause}"),
            Self::TooLate => f.write_str("its time was over"),
            Self::TooMuch => f.write_str("printed too much"),
            Self::Lost(cause) => write!(f, "could not be waited for: {cause}"),
        }
    }
}

impl std::error::Error for Stop {}

/// How long to wait for the pipes to close after the process has ended. A process that left the group can keep them open.
const GRACE: Duration = Duration::from_millis(500);

/// The command of a foreign program: without input, in a process group of its own.
pub fn foreign(words: &[String]) -> Command {
    let mut command = Command::new(words.first().map_or("", String::as_str));
    command.args(words.iter().skip(1)).process_group(0);
    // Foreign programs must not see the operator's secret.
    command.env_remove("HOLDFAST_ADMIN_TOKEN").stdin(Stdio::null());
    command
}

/// Starts a process and waits until it ends, its time is over, or it has printed too much. If the future is dropped, the
/// process and its children are killed.
///
/// # Errors
/// If the process does not end by itself.
pub async fn wait(
    command: &mut Command,
    limit: Option<Duration>,
    printed: &mut Pipe,
    said: &mut Pipe,
) -> Result<ExitStatus, Stop> {
    let too_late = async {
        match limit {
            Some(limit) => sleep(limit).await,
            None => pending().await,
        }
    };
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
#[derive(Clone, Copy, Debug)]
pub enum Keep {
    /// The first bytes, and one more byte, which shows that the limit was exceeded. Then the pipe is closed.
    First(usize),
    /// The last bytes.
    Last(usize),
}

/// The reading end of a pipe, and the kept part of its content.
#[derive(Debug)]
pub struct Pipe {
    /// `None` before the pipe is opened and after it is closed.
    receiver: Option<Receiver>,
    keep: Keep,
    kept: Vec<u8>,
}

impl Pipe {
    /// A pipe that is not opened yet.
    pub fn new(keep: Keep) -> Self {
        Self { receiver: None, keep, kept: Vec::new() }
    }

    /// The kept part of the content.
    pub fn kept(&self) -> &[u8] {
        &self.kept
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
