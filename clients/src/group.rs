//! Child processes that never outlive their parent.

use std::{
    fs, io,
    process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio},
};

/// A process and its children. Dropping this kills all of them and waits for the process.
#[derive(Debug)]
pub struct Group {
    child: Child,
    is_over: bool,
}

impl Group {
    /// The group of a process that was started with `process_group(0)`.
    pub fn new(child: Child) -> Self {
        Self { child, is_over: false }
    }

    /// Takes the pipe of the process's standard output, if it has one.
    pub fn stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Takes the pipe of the process's standard error, if it has one.
    pub fn stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// The exit status of the process, if it has ended. The rest of its group is killed then.
    ///
    /// # Errors
    ///
    /// The system cannot wait for the process.
    pub fn end(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.has_ended() { self.finish().map(Some) } else { Ok(None) }
    }

    /// Whether the process has ended, read from /proc if that exists. Waiting for the process would free its number, which is
    /// also the number of the group that must be killed.
    fn has_ended(&mut self) -> bool {
        let Ok(stat) = fs::read(format!("/proc/{}/stat", self.child.id())) else {
            return !matches!(self.child.try_wait(), Ok(None));
        };
        // The state follows the name, which is in parentheses and may contain any character.
        let state = stat.rsplit(|&byte| byte == b')').next().and_then(|rest| rest.get(1));
        matches!(state, Some(b'Z' | b'X'))
    }

    fn finish(&mut self) -> io::Result<ExitStatus> {
        self.is_over = true;
        let group = self.child.id().to_string();
        let kill = ["-c", "kill -s KILL -- \"-$1\"", "kill", &group];
        let silent = |command: &mut Command| command.stdin(Stdio::null()).stderr(Stdio::null()).status();
        let _the_group_is_empty = silent(Command::new("/bin/sh").args(kill));
        // If the group could not be killed because there is no shell, this kills at least the process.
        let _has_ended = self.child.kill();
        self.child.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.is_over {
            let _status = self.finish();
        }
    }
}
