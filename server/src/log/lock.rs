//! One writer for a log file.

use std::{
    fs::{File, TryLockError},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use crate::log::{StoreError, owner};

/// The right to write a log. It is a lock of the operating system on a file beside the log, so a killed process loses it.
/// SQLite's own exclusive lock would also block readers.
#[derive(Debug)]
pub(super) struct WriterLock {
    file: File,
}

impl WriterLock {
    /// Takes the lock, or returns the process that holds it. The lock file is never removed: otherwise two writers could lock
    /// two different files.
    pub(super) fn take(log: &Path) -> Result<Self, StoreError> {
        let path = beside(log, ".lock");
        let fault = |source| StoreError::Io { path: path.clone(), source };
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = owner::only(&mut options).open(&path).map_err(fault)?;
        // A process that can read a file can lock it.
        owner::narrow(&path).map_err(fault)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Locked { path: log.into(), holder: holder(file) });
            }
            Err(TryLockError::Error(source)) => return Err(fault(source)),
        }
        sign(&mut file).map_err(fault)?;
        Ok(Self { file })
    }
}

impl Drop for WriterLock {
    /// Unlocks the file explicitly, because closing it is not always enough. The lock belongs to the open file description. If
    /// another thread is starting a process, the child has a duplicate of it until it executes its program, and would keep the
    /// lock that long.
    fn drop(&mut self) {
        // If this fails, closing the file is the only option left.
        let _ = self.file.unlock();
    }
}

/// The path with a suffix added to the file name.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn sign(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    write!(file, "process {}", std::process::id())
}

/// The process that wrote its id into the lock file, if that can be read.
fn holder(file: File) -> String {
    let mut text = String::new();
    match file.take(100).read_to_string(&mut text) {
        Ok(read) if read > 0 => text,
        Ok(_) | Err(_) => "another process".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_lock_is_free_even_while_a_duplicate_of_the_file_is_open() {
        let log = std::env::temp_dir().join(format!("holdfast-lock-{}", std::process::id()));
        let first = WriterLock::take(&log).expect("a free lock");
        assert!(matches!(WriterLock::take(&log), Err(StoreError::Locked { .. })));
        // The duplicate that a child process has between fork and exec.
        let inherited = first.file.try_clone().expect("a duplicate");
        drop(first);
        let second = WriterLock::take(&log);
        drop(inherited);
        std::fs::remove_file(beside(&log, ".lock")).expect("the file of this test");
        assert!(second.is_ok(), "{second:?}");
    }
}
