//! The text log of a player.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use crate::Journal;

/// A text log begins anew at this length, and the one before is kept: 10 MiB each.
const LONGEST: u64 = 10 << 20;
/// Lines that wait for a number.
const MOST_WAITING: usize = 1000;

/// Where a player writes what happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogFile {
    Off,
    At(PathBuf),
    /// `player-NUMBER.txt` in this folder; `player.txt` for one that was never given a number.
    In(PathBuf),
}

/// A text log whose name may come later than its first lines.
#[derive(Debug)]
pub(super) enum Record {
    Open(Journal),
    Nameless { folder: PathBuf, lines: Vec<String> },
}

impl Record {
    pub(super) fn new(file: LogFile) -> Result<Self, String> {
        Ok(match file {
            LogFile::Off => Self::Open(Journal::none()),
            LogFile::At(path) => Self::Open(open(&path)?),
            LogFile::In(folder) => Self::Nameless { folder, lines: Vec::new() },
        })
    }

    /// The player has a number.
    pub(super) fn number(&mut self, player: u32) -> Result<(), String> {
        self.name(&format!("player-{player}.txt"))
    }

    /// There will be no number any more.
    pub(super) fn end(mut self) -> Result<(), String> {
        self.name("player.txt")
    }

    pub(super) fn line(&mut self, text: fmt::Arguments<'_>) {
        match self {
            Self::Open(journal) => journal.line(text),
            Self::Nameless { lines, .. } if lines.len() < MOST_WAITING => lines.push(text.to_string()),
            Self::Nameless { .. } => {}
        }
    }

    fn name(&mut self, name: &str) -> Result<(), String> {
        if let Self::Nameless { folder, lines } = self {
            let journal = open(&folder.join(name))?;
            lines.iter().for_each(|line| journal.line(format_args!("{line}")));
            *self = Self::Open(journal);
        }
        Ok(())
    }
}

fn open(path: &Path) -> Result<Journal, String> {
    Journal::open(path, LONGEST).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
