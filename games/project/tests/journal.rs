//! Text files with lines.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
};

use project::Journal;

/// A folder of a test's own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("holdfast-journal-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The lines of a file without their times.
fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a file");
    assert!(text.ends_with('\n'), "{text:?}");
    let line = |line: &str| {
        let (time, rest) = line.split_at("2026-11-16 10:09:06.123 ".len());
        assert!(time.starts_with("20") && time.ends_with(' ') && time.as_bytes()[19] == b'.', "{time:?}");
        rest.to_owned()
    };
    text.lines().map(line).collect()
}

#[test]
fn lines_are_kept() {
    let folder = Folder::new("kept");
    let path = folder.0.join("cs.txt");
    let journal = Journal::open(&path, 1 << 20).expect("a journal");
    journal.line(format_args!("one {}", 1));
    journal.line(format_args!("two\nlines {} {:?}", "a\u{7}b\rü", "c\nd"));
    journal.line(format_args!("{}", "x".repeat(5000)));
    drop(journal);
    let found = lines(&path);
    assert_eq!(found[..2], ["one 1", "two\\nlines a\\u{7}b\\rü \"c\\nd\""]);
    assert_eq!((found.len(), found[2].len()), (3, 4096));

    let again = Journal::open(&path, 1 << 20).expect("the same");
    again.line(format_args!("later"));
    drop(again);
    assert_eq!(lines(&path).last().map(String::as_str), Some("later"));
}

#[test]
fn files_stay_small() {
    let folder = Folder::new("small");
    let path = folder.0.join("cs.txt");
    let journal = Journal::open(&path, 1000).expect("a journal");
    for number in 0..100 {
        journal.line(format_args!("line {number:03}"));
    }
    drop(journal);
    let (new, old) = (lines(&path), lines(&folder.0.join("cs.txt.1")));
    let both: Vec<String> = old.iter().chain(&new).cloned().collect();
    let expected: Vec<String> = (100 - both.len()..100).map(|number| format!("line {number:03}")).collect();
    assert_eq!(both, expected);
    // A line has 33 bytes.
    assert_eq!((old.len(), new.len()), (30, 10));
    assert_eq!(fs::read_dir(&folder.0).expect("a folder").count(), 2);
}

/// Whoever writes does not wait; what is too much is counted.
#[test]
fn from_many_threads() {
    let folder = Folder::new("threads");
    let path = folder.0.join("cs.txt");
    let journal = Journal::open(&path, 1 << 30).expect("a journal");
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let journal = journal.clone();
            thread::spawn(move || (0..50_000).for_each(|number| journal.line(format_args!("line {number}"))))
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    drop(journal);
    let found = lines(&path);
    let left_out =
        |line: &String| line.strip_suffix(" lines were left out: the disk is too slow")?.parse::<usize>().ok();
    let missing: usize = found.iter().filter_map(left_out).sum();
    let written = found.iter().filter(|line| left_out(line).is_none()).count();
    assert!(written <= 200_000 && written + missing <= 200_000, "{written} + {missing}");
    assert!(written > 10_000, "{written}");
}

#[test]
fn nothing_is_kept() {
    let journal = Journal::none();
    assert!(!journal.is_kept());
    journal.line(format_args!("nobody reads this"));
    assert!(Journal::open(Path::new("/nowhere/at/all.txt"), 1).is_err());
}
