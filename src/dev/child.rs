//! A program that this process has started: its output comes as news.

use std::{
    io::{BufRead, BufReader},
    process::{Command, ExitStatus, Stdio},
    sync::mpsc::Sender,
    thread,
};

use super::{DevError, News};

/// A running program. It is killed with this value, if it has not ended.
pub(super) struct Child {
    pub(super) id: u32,
    process: std::process::Child,
}

impl Child {
    /// Starts a program. A thread reports its lines, and its end.
    pub(super) fn start(name: &str, mut command: Command, send: &Sender<News>) -> Result<Self, DevError> {
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let failed = |cause| DevError::Start { program: name.into(), cause };
        let mut process = command.spawn().map_err(failed)?;
        let id = process.id();
        let (output, send) = (process.stdout.take(), send.clone());
        thread::spawn(move || {
            for line in output.into_iter().flat_map(|output| BufReader::new(output).lines()).map_while(Result::ok) {
                if send.send(News::Said { child: id, line }).is_err() {
                    return;
                }
            }
            let _over = send.send(News::Ended { child: id });
        });
        Ok(Self { id, process })
    }

    /// Asks the program to end. A host writes its log first.
    pub(super) fn terminate(&mut self) {
        // The standard library can only kill.
        let asked = Command::new("kill").args(["-TERM", &self.id.to_string()]).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _ended_already = self.process.kill();
        }
    }

    /// Waits for the end, and describes it.
    pub(super) fn wait(&mut self) -> String {
        self.process.wait().map_or_else(|error| error.to_string(), |status| status.to_string())
    }

    /// Whether the program has ended well.
    pub(super) fn succeeded(&mut self) -> bool {
        self.process.wait().is_ok_and(|status: ExitStatus| status.success())
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended_already = self.process.wait();
    }
}
