//! What may be left of a file.

use std::collections::BTreeSet;

use super::*;

const OLD: Range<usize> = 0..2048;
const NEW: Range<usize> = 2048..4096;

/// All disks that may be left after these steps. Writes take their bytes from 2048 `o` and 2048 `n`.
fn images(steps: Vec<Step>) -> BTreeSet<BTreeMap<String, Vec<u8>>> {
    let recording = Recording::new([[b'o'; 2048], [b'n'; 2048]].concat(), steps);
    let mut disk = Disk::new(&recording);
    disk.advance(recording.steps.len());
    (0..3000).map(|seed| disk.lose_power(&mut JavaRandom::new(seed))).collect()
}

fn created() -> Vec<Step> {
    let opened = Step::Opened { file: 7, cut: false, name: "log".into() };
    vec![opened, Step::Written { file: 7, at: 0, bytes: OLD }]
}

fn synced(of: Synced, number: u64) -> [Step; 2] {
    [Step::SyncBegan { of, number }, Step::SyncEnded { of, number }]
}

/// A file of old bytes that is sure, with its name.
fn sure() -> Vec<Step> {
    [created(), synced(Synced::File(7), 1).into(), synced(Synced::Folder, 2).into()].concat()
}

fn only_file(image: &BTreeMap<String, Vec<u8>>) -> &[u8] {
    assert_eq!(image.len(), 1, "{:?}", image.keys());
    &image["log"]
}

#[test]
fn synced_is_kept() {
    let images = images(sure());
    assert_eq!(images.len(), 1);
    assert_eq!(images.iter().map(only_file).collect::<Vec<_>>(), [[b'o'; 2048]]);
}

#[test]
fn a_file_without_a_synced_name_may_be_missing() {
    let images = images([created(), synced(Synced::File(7), 1).into()].concat());
    assert_eq!(images.len(), 2, "there with all bytes, or not there");
    assert!(images.contains(&BTreeMap::new()));
}

#[test]
fn a_write_that_is_not_synced_is_kept_in_any_part() {
    // The second sync has not ended.
    let write = vec![
        Step::Written { file: 7, at: 512, bytes: NEW.start..NEW.start + 1024 },
        Step::SyncBegan { of: Synced::File(7), number: 3 },
    ];
    let images = images([sure(), write].concat());
    let mut sectors = BTreeSet::new();
    for content in images.iter().map(only_file) {
        assert!(content[..512].iter().chain(&content[1536..]).all(|byte| *byte == b'o'), "nothing else changes");
        let part = |at: usize| match content[at..at + 512].iter().filter(|byte| **byte == b'n').count() {
            0 => "old",
            512 => "new",
            _ => "torn",
        };
        sectors.insert((part(512), part(1024)));
    }
    let all = ["old", "new", "torn"].map(|first| ["old", "new", "torn"].map(|second| (first, second)));
    assert_eq!(sectors, all.concat().into_iter().collect());
}

#[test]
fn a_length_is_kept_without_the_bytes() {
    let images = images([sure(), vec![Step::Written { file: 7, at: 2048, bytes: NEW }]].concat());
    let contents: BTreeSet<&[u8]> = images.iter().map(only_file).collect();
    let of = |after: &[u8]| [&[b'o'; 2048], after].concat();
    for expected in [of(&[]), of(&[b'n'; 2048]), of(&[0; 2048])] {
        assert!(contents.contains(&expected[..]), "old, new, and zeros");
    }
}

#[test]
fn removed_and_cut_files_may_still_be_there() {
    let removed = images([sure(), vec![Step::Removed { name: "log".into() }]].concat());
    assert_eq!(removed.iter().map(BTreeMap::len).collect::<Vec<_>>(), [0, 1]);
    let cut = images([sure(), vec![Step::LengthSet { file: 7, length: 0 }]].concat());
    assert_eq!(cut.iter().map(|image| only_file(image).len()).collect::<Vec<_>>(), [0, 2048]);
}
