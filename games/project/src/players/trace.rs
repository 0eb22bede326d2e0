//! The trace of a player.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use server::World;

use crate::{TraceError, TraceFile};

/// The maximum number of lines that wait until the name of the file is known.
const MAX_WAITING_LINES: usize = 1000;

/// Where a player writes its trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceTarget {
    /// The player writes no trace.
    Off,
    /// To this file.
    File(PathBuf),
    /// To `player-NUMBER.txt` in this folder, or to `player.txt` if the player never gets a number.
    Folder(PathBuf),
}

/// A trace that can hold lines before the name of its file is known.
#[derive(Debug)]
pub(super) enum PlayerTrace {
    Open(TraceFile),
    Unnamed { world: Arc<dyn World>, folder: PathBuf, lines: Vec<String> },
}

impl PlayerTrace {
    /// Opens the file, if its name is known already.
    pub(super) fn new(world: Arc<dyn World>, target: &TraceTarget) -> Result<Self, TraceError> {
        Ok(match target {
            TraceTarget::Off => Self::Open(TraceFile::off()),
            TraceTarget::File(path) => Self::Open(open(world, path)?),
            TraceTarget::Folder(folder) => Self::Unnamed { world, folder: folder.clone(), lines: Vec::new() },
        })
    }

    /// Names the file after the player's number; without a number, the file is `player.txt`. Returns the path if the file is
    /// new.
    pub(super) fn name(&mut self, player: Option<u32>) -> Result<Option<PathBuf>, TraceError> {
        let Self::Unnamed { world, folder, lines } = self else { return Ok(None) };
        let name = player.map_or_else(|| "player.txt".to_owned(), |player| format!("player-{player}.txt"));
        let path = folder.join(name);
        let trace = open(world.clone(), &path)?;
        lines.iter().for_each(|line| trace.line(format_args!("{line}")));
        *self = Self::Open(trace);
        Ok(Some(path))
    }

    pub(super) fn line(&mut self, text: fmt::Arguments<'_>) {
        match self {
            Self::Open(trace) => trace.line(text),
            Self::Unnamed { lines, .. } if lines.len() < MAX_WAITING_LINES => lines.push(text.to_string()),
            Self::Unnamed { .. } => {}
        }
    }

    /// Waits until all lines are written.
    pub(super) async fn flush(&self) {
        match self {
            Self::Open(trace) => trace.flush().await,
            Self::Unnamed { .. } => {}
        }
    }
}

fn open(world: Arc<dyn World>, path: &Path) -> Result<TraceFile, TraceError> {
    TraceFile::open(world, path, TraceFile::MAX_BYTES)
}
