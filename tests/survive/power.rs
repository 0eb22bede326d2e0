//! A disk that loses its power: what it may have kept at any moment of a [`Recording`].
//!
//! The model is at least as bad as a disk with a cache that is not protected, below a file system that keeps its promises and no
//! more:
//!
//! - **Synced is kept.** After a sync of a file has returned, everything that was written to the file before the sync began is
//!   there, and so is its length. While a sync runs, it promises nothing.
//! - **Written and not synced** may be there or not, sector by sector (512 or 4096 bytes), in any order. A sector that was
//!   written several times has any of its contents. A sector may be torn: a part of it is new, the rest is old.
//! - **Bytes outside a write stay as they are**, also those in the same sector. SQLite relies on that (`SQLITE_POWERSAFE_OVERWRITE`).
//! - **The length** of a file changes with writes past its end and with truncations. The changes since the last sync are kept in
//!   order up to any of them, and independently of the bytes: a part that was never written is zeros.
//! - **Names**: creations, removals and renames are kept in order up to any of them. Only a sync of the folder makes them sure; a
//!   sync of the file does not.
//! - **Shared memory** (`-shm`) is lost.

mod luck;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    ops::Range,
    path::Path,
};

use engine::JavaRandom;

use self::luck::{Luck, sectors};
use crate::recording::{Recording, Step, Synced};

/// A disk at a moment of a recording.
pub(crate) struct Disk<'r> {
    recording: &'r Recording,
    /// The number of steps so far.
    done: usize,
    files: Vec<File>,
    /// The files by their inodes. An inode may be used again after its file was removed.
    by_inode: HashMap<u64, usize>,
    /// The names as the host sees them, and as they are sure.
    names: BTreeMap<String, usize>,
    synced_names: BTreeMap<String, usize>,
    renaming: Vec<(usize, NameChange)>,
    /// The steps in which syncs began, by their numbers.
    began: HashMap<u64, usize>,
}

#[derive(Default)]
struct File {
    /// What is sure.
    synced: Vec<u8>,
    /// What is not, with the step of each change.
    changes: Vec<(usize, Change)>,
}

#[derive(Clone)]
enum Change {
    Write { at: usize, bytes: Range<usize> },
    Length(usize),
}

#[derive(Clone)]
enum NameChange {
    Created(String, usize),
    Removed(String),
    Renamed(String, String),
}

impl<'r> Disk<'r> {
    /// An empty disk before the first step.
    pub(crate) fn new(recording: &'r Recording) -> Self {
        Self {
            recording,
            done: 0,
            files: Vec::new(),
            by_inode: HashMap::new(),
            names: BTreeMap::new(),
            synced_names: BTreeMap::new(),
            renaming: Vec::new(),
            began: HashMap::new(),
        }
    }

    /// Goes on until this many steps are done.
    pub(crate) fn advance(&mut self, to: usize) {
        for step in &self.recording.steps[self.done..to] {
            self.step(step);
            self.done += 1;
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Opened { file, cut, name } => {
                if !self.names.contains_key(name) {
                    self.by_inode.insert(*file, self.files.len());
                    self.rename(NameChange::Created(name.clone(), self.files.len()));
                    self.files.push(File::default());
                }
                if *cut {
                    self.change(*file, Change::Length(0));
                }
            }
            Step::Written { file, at, bytes } => {
                self.change(*file, Change::Write { at: *at as usize, bytes: bytes.clone() });
            }
            Step::LengthSet { file, length } => self.change(*file, Change::Length(*length as usize)),
            Step::SyncBegan { number, .. } => {
                self.began.insert(*number, self.done);
            }
            Step::SyncEnded { of, number } => self.sync(*of, self.began[number]),
            Step::Removed { name } => self.rename(NameChange::Removed(name.clone())),
            Step::Renamed { from, to } => self.rename(NameChange::Renamed(from.clone(), to.clone())),
            Step::Sent { .. } => {}
        }
    }

    fn change(&mut self, inode: u64, change: Change) {
        self.files[self.by_inode[&inode]].changes.push((self.done, change));
    }

    fn rename(&mut self, change: NameChange) {
        change.apply(&mut self.names);
        self.renaming.push((self.done, change));
    }

    /// Makes everything sure that happened before this step.
    fn sync(&mut self, of: Synced, before: usize) {
        match of {
            Synced::File(inode) => {
                let file = &mut self.files[self.by_inode[&inode]];
                let sure = file.changes.partition_point(|(at, _)| *at < before);
                for (_, change) in file.changes.drain(..sure) {
                    change.apply(self.recording, &mut file.synced);
                }
            }
            Synced::Folder => {
                let sure = self.renaming.partition_point(|(at, _)| *at < before);
                for (_, change) in self.renaming.drain(..sure) {
                    change.apply(&mut self.synced_names);
                }
            }
        }
    }

    /// The files as the host sees them.
    pub(crate) fn seen(&self) -> BTreeMap<String, Vec<u8>> {
        let content = |file: &File| {
            let mut bytes = file.synced.clone();
            file.changes.iter().for_each(|(_, change)| change.apply(self.recording, &mut bytes));
            bytes
        };
        self.names.iter().map(|(name, file)| (name.clone(), content(&self.files[*file]))).collect()
    }

    /// The files that are left if the power is lost now, as one of many possible disks.
    pub(crate) fn lose_power(&self, random: &mut JavaRandom) -> BTreeMap<String, Vec<u8>> {
        let mut names = self.synced_names.clone();
        let kept = Luck::draw(random).up_to(self.renaming.len(), random);
        self.renaming[..kept].iter().for_each(|(_, change)| change.apply(&mut names));
        names.into_iter().map(|(name, file)| (name, self.files[file].lose_power(self.recording, random))).collect()
    }
}

impl Change {
    fn apply(&self, recording: &Recording, content: &mut Vec<u8>) {
        match self {
            Self::Write { at, bytes } => place(content, *at, recording.bytes(bytes)),
            Self::Length(length) => content.resize(*length, 0),
        }
    }
}

impl NameChange {
    fn apply(&self, names: &mut BTreeMap<String, usize>) {
        match self {
            Self::Created(name, file) => {
                names.insert(name.clone(), *file);
            }
            Self::Removed(name) => {
                names.remove(name);
            }
            Self::Renamed(from, to) => {
                let file = names.remove(from).expect("a file that is renamed is there");
                names.insert(to.clone(), file);
            }
        }
    }
}

impl File {
    fn lose_power(&self, recording: &Recording, random: &mut JavaRandom) -> Vec<u8> {
        let sector = if random.next_below(2) == 0 { 512 } else { 4096 };
        let luck = Luck::draw(random);
        let first_lost = luck.up_to(self.changes.len(), random);
        let mut content = self.synced.clone();
        // The length after each change of it; the last one that is kept counts.
        let lengths = self.lengths(recording);
        let kept_lengths = Luck::draw(random).up_to(lengths.len(), random);
        let length = lengths[..kept_lengths].last().map_or(self.synced.len(), |(_, length)| *length);
        let last_length = lengths[..kept_lengths].last().map(|(index, _)| *index);
        for (index, (_, change)) in self.changes.iter().enumerate() {
            match change {
                Change::Write { at, bytes } => {
                    for piece in sectors(*at, recording.bytes(bytes), sector) {
                        if let Some((at, kept)) = luck.keep(piece, index.cmp(&first_lost), random) {
                            place(&mut content, at, kept);
                        }
                    }
                }
                Change::Length(length) if last_length.is_some_and(|last| index <= last) => content.resize(*length, 0),
                Change::Length(_) => {}
            }
        }
        content.resize(length, 0);
        content
    }

    /// The changes of the length: the index of the change and the length after it.
    fn lengths(&self, recording: &Recording) -> Vec<(usize, usize)> {
        let (mut length, mut lengths) = (self.synced.len(), Vec::new());
        for (index, (_, change)) in self.changes.iter().enumerate() {
            let after = match change {
                Change::Write { at, bytes } => length.max(at + recording.bytes(bytes).len()),
                Change::Length(length) => *length,
            };
            if after != length {
                lengths.push((index, after));
                length = after;
            }
        }
        lengths
    }
}

/// Writes bytes at a position, after zeros if the content is shorter.
fn place(content: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    let end = at + bytes.len();
    if content.len() < end {
        content.resize(end, 0);
    }
    content[at..end].copy_from_slice(bytes);
}

/// Writes the files of a disk into a folder.
pub(crate) fn write_files(files: &BTreeMap<String, Vec<u8>>, folder: &Path) {
    fs::create_dir_all(folder).expect("a folder");
    for (name, content) in files {
        fs::write(folder.join(name), content).expect("a file of an image");
    }
}
