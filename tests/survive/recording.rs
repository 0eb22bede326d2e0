//! What a host did to its log, and what it sent: the records of `recorder.c`.

use std::{fs, ops::Range, path::Path};

/// The records in the order of the calls.
#[derive(Debug)]
pub(crate) struct Recording {
    bytes: Vec<u8>,
    pub(crate) steps: Vec<Step>,
}

/// One call. Files and sockets are named by their inodes, and bytes by their place in the recording.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Opened { file: u64, cut: bool, name: String },
    Written { file: u64, at: u64, bytes: Range<usize> },
    LengthSet { file: u64, length: u64 },
    SyncBegan { of: Synced, number: u64 },
    SyncEnded { of: Synced, number: u64 },
    Removed { name: String },
    Renamed { from: String, to: String },
    Sent { socket: u64, bytes: Range<usize> },
}

/// What is synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Synced {
    File(u64),
    Folder,
}

/// A kind and three numbers.
const HEAD: usize = 25;

impl Recording {
    /// A recording whose steps take their bytes from these.
    pub(crate) const fn new(bytes: Vec<u8>, steps: Vec<Step>) -> Self {
        Self { bytes, steps }
    }

    pub(crate) fn read(path: &Path) -> Self {
        let bytes = fs::read(path).expect("a recording");
        let (mut steps, mut at) = (Vec::new(), 0);
        while at < bytes.len() {
            let number = |index: usize| {
                let start = at + 1 + 8 * index;
                u64::from_le_bytes(bytes[start..start + 8].try_into().expect("eight bytes"))
            };
            let (file, position) = (number(0), number(1));
            let range = at + HEAD..at + HEAD + number(2) as usize;
            steps.push(step(bytes[at], file, position, &bytes, range.clone()));
            at = range.end;
        }
        Self { bytes, steps }
    }

    pub(crate) fn bytes(&self, range: &Range<usize>) -> &[u8] {
        &self.bytes[range.clone()]
    }
}

fn step(kind: u8, file: u64, position: u64, recording: &[u8], bytes: Range<usize>) -> Step {
    let of = if file == 0 { Synced::Folder } else { Synced::File(file) };
    match kind {
        b'o' => Step::Opened { file, cut: position != 0, name: name(&recording[bytes]) },
        b'w' => Step::Written { file, at: position, bytes },
        b't' => Step::LengthSet { file, length: position },
        b'b' => Step::SyncBegan { of, number: position },
        b'e' => Step::SyncEnded { of, number: position },
        b'u' => Step::Removed { name: name(&recording[bytes]) },
        b'r' => {
            let mut paths = recording[bytes].splitn(2, |byte| *byte == 0);
            let [from, to] = [(); 2].map(|()| name(paths.next().expect("two paths")));
            Step::Renamed { from, to }
        }
        b's' => Step::Sent { socket: file, bytes },
        other => panic!("a record of the kind {other}"),
    }
}

/// The name of a file without its folder.
fn name(path: &[u8]) -> String {
    let path = str::from_utf8(path).expect("a path of a test is text");
    path.rsplit('/').next().unwrap_or_default().to_owned()
}
