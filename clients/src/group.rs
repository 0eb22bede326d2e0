//! Processes of others, which never outlive whoever started them.

use std::{
    fs, io,
    process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio},
};

/// A process and what it started. When this is dropped they are all gone, and the process has been waited for.
#[derive(Debug)]
pub struct Group {
    child: Child,
    is_over: bool,
}

impl Group {
    /// Of a process that was started with `process_group(0)`.
    pub fn new(child: Child) -> Self {
        Self { child, is_over: false }
    }

    /// The process's output, once, if it has a pipe.
    pub fn stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// The process's errors, once, if they have a pipe.
    pub fn stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// How the process ended, if it has. The others of its group end then too.
    pub fn end(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.has_ended() { self.finish().map(Some) } else { Ok(None) }
    }

    /// Its number is its own, and its group's, until it is waited for. So where the system tells, nobody waits for it to
    /// know that it has ended.
    fn has_ended(&mut self) -> bool {
        let Ok(stat) = fs::read(format!("/proc/{}/stat", self.child.id())) else {
            return !matches!(self.child.try_wait(), Ok(None));
        };
        // The state comes behind the name, which may hold anything, in parentheses.
        let state = stat.rsplit(|&byte| byte == b')').next().and_then(|rest| rest.get(1));
        matches!(state, Some(b'Z' | b'X'))
    }

    fn finish(&mut self) -> io::Result<ExitStatus> {
        self.is_over = true;
        let group = self.child.id().to_string();
        let kill = ["-c", "kill -s KILL -- \"-$1\"", "kill", &group];
        let silent = |command: &mut Command| command.stdin(Stdio::null()).stderr(Stdio::null()).status();
        let _nobody_is_left = silent(Command::new("/bin/sh").args(kill));
        // In case there is no shell.
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
