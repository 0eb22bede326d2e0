//! A copy of a log that a host may be writing.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
    time::Duration,
};

use rusqlite::Connection;

use super::schema;
use crate::log::{StoreError, lock::beside, owner};

/// The time between two calls of the progress function.
const STEP: Duration = Duration::from_millis(100);

/// Copies a log of any version to a new file, as it is at one moment. The host that writes it is not held up: only its
/// checkpoints wait. The copy has no unused pages. `progress` is called with the bytes that are written, and those of the log.
///
/// # Errors
///
/// If the log cannot be read, or the new file exists or cannot be written.
pub fn backup(from: &Path, to: &Path, mut progress: impl FnMut(u64, u64)) -> Result<u64, StoreError> {
    let log = schema::open_for_reading(from)?;
    schema::version_for_reading(&log, from)?;
    let size = |name| log.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let total = size("page_count").and_then(|pages| Ok(pages * size("page_size")?));
    let total = total.map_err(StoreError::sqlite("reading the size of the log"))?.cast_unsigned();
    refuse_existing(to)?;
    // Another file first: a backup that was interrupted never looks like a whole one.
    let part = NewFile::create(to)?;

    let (done, copied) = mpsc::channel();
    let path = part.path.clone();
    let copying = thread::Builder::new().name("log backup".into()).spawn(move || {
        let _nobody_waits = done.send(vacuum(&log, &path));
    });
    copying.map_err(|source| StoreError::Io { path: part.path.clone(), source })?;
    let copied = loop {
        match copied.recv_timeout(STEP) {
            Ok(copied) => break copied,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                progress(fs::metadata(&part.path).map_or(0, |about| about.len()), total);
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break Err(StoreError::Closed),
        }
    };
    copied?;
    part.finish(to)
}

/// Reads everything within one transaction, in the order of the tables.
fn vacuum(log: &Connection, path: &Path) -> Result<(), StoreError> {
    // An absolute path cannot be taken for a URI.
    let absolute = std::path::absolute(path).map_err(|source| StoreError::Io { path: path.into(), source })?;
    let Some(text) = absolute.to_str() else {
        let source = io::Error::new(io::ErrorKind::InvalidInput, "the path is no text");
        return Err(StoreError::Io { path: path.into(), source });
    };
    log.execute("VACUUM INTO ?1", [text]).map(drop).map_err(StoreError::sqlite("copying the log"))
}

/// A file that gets its name when it is complete. Until then it is removed if something fails.
pub(super) struct NewFile {
    pub(super) path: PathBuf,
    is_complete: bool,
}

impl NewFile {
    pub(super) fn create(to: &Path) -> Result<Self, StoreError> {
        let path = beside(to, ".part");
        let mut options = File::options();
        options.write(true).create_new(true);
        match owner::only(&mut options).open(&path) {
            Ok(_) => Ok(Self { path, is_complete: false }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let words = "another copy is being made, or was interrupted; then remove this file";
                Err(StoreError::Io { path, source: io::Error::new(error.kind(), words) })
            }
            Err(source) => Err(StoreError::Io { path, source }),
        }
    }

    /// Makes the file durable and gives it its name. Returns its size.
    pub(super) fn finish(mut self, to: &Path) -> Result<u64, StoreError> {
        let fault = |path: &Path| {
            let path = path.to_owned();
            move |source| StoreError::Io { path, source }
        };
        let file = File::open(&self.path).map_err(fault(&self.path))?;
        file.sync_all().map_err(fault(&self.path))?;
        let size = file.metadata().map_err(fault(&self.path))?.len();
        refuse_existing(to)?;
        fs::rename(&self.path, to).map_err(fault(to))?;
        self.is_complete = true;
        let folder = match to.parent() {
            Some(folder) if folder != Path::new("") => folder,
            Some(_) | None => Path::new("."),
        };
        // The new name is durable with its folder.
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(fault(folder))?;
        Ok(size)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_complete {
            for suffix in ["", "-journal", "-wal", "-shm", ".lock"] {
                let _not_there = fs::remove_file(beside(&self.path, suffix));
            }
        }
    }
}

pub(super) fn refuse_existing(path: &Path) -> Result<(), StoreError> {
    match fs::symlink_metadata(path) {
        Ok(_) => {
            let source = io::Error::new(io::ErrorKind::AlreadyExists, "there is a file already, which stays as it is");
            Err(StoreError::Io { path: path.into(), source })
        }
        Err(_) => Ok(()),
    }
}
