//! A log is copied while it is written.

use std::{fs, path::Path, thread};

use rusqlite::Connection;
use server::log::{EventLog, backup, open_reader};

use crate::support::{Room, Scratch, verified, wait, with_suffix};

fn copy(from: &Path, to: &Path) -> Result<u64, String> {
    backup(from, to, |_, _| {}).map_err(|error| error.to_string().replace(&to.display().to_string(), "TO"))
}

/// Each copy is a whole log with everything that was durable before it began.
#[test]
fn beside_a_writer() {
    let (scratch, target) = (Scratch::new(), Scratch::new());
    let log = scratch.open();
    let mut room = Room::create(&log, "a");
    let from = scratch.log();
    for round in 1..=5_u64 {
        let to = with_suffix(&target.log(), &round.to_string());
        let copying = thread::spawn({
            let (from, to) = (from.clone(), to.clone());
            move || copy(&from, &to)
        });
        for _ in 0..200 {
            let row = room.row(2_000);
            log.append(room.key, row, Vec::new());
        }
        let bytes = copying.join().expect("no panic").expect("a copy");
        room.ear.wait_for(round * 200);
        assert_eq!(fs::metadata(&to).expect("a file").len(), bytes);
        let report = verified(&to).expect("a report");
        assert!(report.is_sound(), "{report}");
        assert!(((round - 1) * 200..=round * 200).contains(&report.entries), "{round}: {}", report.entries);
    }
}

/// Only its owner may read the copy. Nothing is overwritten, and nothing is left of a copy that failed.
#[test]
fn where_it_goes() {
    let (scratch, target) = (Scratch::new(), Scratch::new());
    let log = scratch.open();
    Room::create(&log, "a").ear.wait_for(0);
    let to = target.log();
    copy(&scratch.log(), &to).expect("a copy");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&to).expect("a file").permissions().mode() & 0o777, 0o600);
    }
    let before = fs::read(&to).expect("a file");
    assert_eq!(copy(&scratch.log(), &to), Err("TO: there is a file already, which stays as it is".into()));
    assert_eq!(copy(&scratch.log(), &scratch.log()).map_err(|error| error.starts_with("TO: ")), Err(true));
    assert_eq!(fs::read(&to).expect("a file"), before);

    let next = with_suffix(&to, "2");
    fs::write(with_suffix(&next, ".part"), "").expect("a file");
    let words = "TO.part: another copy is being made, or was interrupted; then remove this file";
    assert_eq!(copy(&scratch.log(), &next), Err(words.into()));
    let nowhere = target.log().join("below");
    assert!(copy(&scratch.log(), &nowhere).is_err());
    assert!(copy(Path::new("/nowhere/games.db"), &with_suffix(&to, "3")).is_err());
    let other = Scratch::new();
    Connection::open(other.log()).and_then(|file| file.execute_batch("CREATE TABLE a (b)")).expect("a file");
    assert!(copy(&other.log(), &with_suffix(&to, "3")).is_err_and(|error| error.contains("is no log")));
    let mut names: Vec<_> = fs::read_dir(to.parent().expect("a folder")).expect("a folder").collect();
    names.retain(|file| file.as_ref().is_ok_and(|file| file.file_name() != "games.db"));
    assert_eq!(names.len(), 1, "{names:?}");
}

/// A log of an older version is copied as it is.
#[test]
fn older_versions() {
    let (scratch, target) = (Scratch::new(), Scratch::new());
    let plain = Connection::open(scratch.log()).expect("a file");
    plain.execute_batch(include_str!("released/version-1.sql")).expect("SQL that runs");
    copy(&scratch.log(), &target.log()).expect("a copy");
    let copied = Connection::open(target.log()).expect("a file");
    let version = copied.pragma_query_value(None, "user_version", |row| row.get::<_, i32>(0));
    assert_eq!(version.expect("a version"), 1);
    let [one, other] = [scratch.log(), target.log()].map(|log| wait(open_reader(&log)).expect("a reader"));
    assert_eq!(wait(one.list()).expect("a list"), wait(other.list()).expect("a list"));
}
