//! `holdfast log prune`, `archive`, `delete` and `redact`: what they remove and replace, and what `verify --heads` says of it.

use std::fs;

use serde_json::{Value, json};

use super::{
    all_kinds, check,
    file::{FIRST_NIGHT, Played, Scratch},
    finds, lines, log,
};
use crate::{holdfast, host::HostProcess};

/// A log of finished and unfinished games, and the file with its heads.
fn kept(scratch: &Scratch) -> (String, String) {
    let file = scratch.log("games.log", &all_kinds());
    let heads = scratch.path("heads.txt");
    fs::write(&heads, log(&["heads", &file])).expect("the folder takes files");
    (file, heads)
}

fn games(file: &str) -> Vec<String> {
    let games = lines(&log(&["list", file, "--json"]));
    games.iter().filter_map(|game| game["name"].as_str().map(str::to_owned)).collect()
}

/// The removed games that `verify --heads` names, and that it finds nothing else.
fn gone(file: &str, heads: &str) -> Vec<(String, String)> {
    let json: Value = serde_json::from_str(&log(&["verify", file, "--heads", heads, "--json"])).expect("JSON");
    assert_eq!((&json["ok"], &json["damage"]), (&json!(true), &json!([])), "{json}");
    let word = |value: &Value| value.as_str().expect("a text").to_owned();
    json["gone"].as_array().expect("a list").iter().map(|game| (word(&game["game"]), word(&game["why"]))).collect()
}

#[test]
fn pruning() {
    let scratch = Scratch::new("prune");
    let (file, heads) = kept(&scratch);
    let all = games(&file);
    // The games ended within an hour after they were created, at 10:09:06.
    assert_eq!(
        log(&["prune", &file, "--before", "2026-11-16T10:09", "--yes"]),
        format!("{file}: 0 games with 0 entries deleted\n")
    );
    let prune = ["prune", &file, "--before", "2026-11-17", "--rulebook", "colony"];
    let complaint = "this would delete 4 games with ";
    check(&prune, complaint);
    let dry = log(&[&prune[..], &["--dry-run"]].concat());
    assert!(dry.starts_with("ab3dk29xyz\ncd5mn83uvw\nbroken5678\nolder56789\n"), "{dry}");
    assert!(dry.ends_with(" would be deleted\n"), "{dry}");
    assert_eq!((games(&file), gone(&file, &heads)), (all, Vec::new()), "nothing was changed");

    let done = log(&[&prune[..], &["--yes"]].concat());
    assert!(done.starts_with(&format!("{file}: 4 games with ")) && done.ends_with(" deleted\n"), "{done}");
    assert_eq!(games(&file), ["running234", "foreign234"]);
    let removed = ["ab3dk29xyz", "cd5mn83uvw", "broken5678", "older56789"];
    let expired: Vec<_> = removed.iter().map(|name| ((*name).to_owned(), "expired".to_owned())).collect();
    assert_eq!(gone(&file, &heads), expired);
    let text = log(&["verify", &file, "--heads", &heads]);
    assert!(text.contains(" 4 games removed)\ngame ab3dk29xyz: removed on "), "{text}");
    // The heads of now have the tombstones.
    let now = log(&["heads", &file]);
    assert_eq!(now.lines().filter(|line| line.starts_with("removed ")).count(), 4, "{now}");
    fs::write(&heads, now).expect("the folder takes files");
    assert_eq!(gone(&file, &heads), []);
    check(&["show", &file, "ab3dk29xyz"], "there is no game ab3dk29xyz");
    check(&["prune", &file, "--before", "soon"], "`soon` is not a date");
}

#[test]
fn archiving() {
    let scratch = Scratch::new("archive");
    let (file, heads) = kept(&scratch);
    let (archive, again) = (scratch.path("archive.log"), scratch.path("other.log"));
    let before = log(&["export", &file, "cd5mn83uvw", "--format", "jsonl"]);
    check(&["archive", &file, &file, "--before", "2026-11-17", "--yes"], "is the log itself");
    check(&["archive", &file, &archive, "running234", "--yes"], "game running234: it is not over");
    check(&["archive", &file, &archive, "cd5mn83uvw"], "this would move 1 game with ");
    let done = log(&["archive", &file, &archive, "cd5mn83uvw", "--yes"]);
    assert!(done.ends_with(&format!(" moved into {archive}\n")), "{done}");
    let json: Value =
        serde_json::from_str(&log(&["archive", &file, &archive, "--before", "2026-11-17", "--yes", "--json"]))
            .expect("JSON");
    assert_eq!(json["games"].as_array().map(Vec::len), Some(4), "{json}");
    assert_eq!((games(&file), games(&archive).len()), (vec!["running234".to_owned()], 5));
    assert_eq!(gone(&file, &heads).len(), 5);
    assert!(gone(&file, &heads).iter().all(|(_, why)| why == "archived"));
    // All tools read the archive, and its digests are those of the log.
    assert_eq!(log(&["export", &archive, "cd5mn83uvw", "--format", "jsonl"]), before);
    assert!(log(&["verify", &archive]).contains(": ok (5 games, "));
    let digests = |text: &str| -> Vec<String> {
        let of_line = |line: &str| line.split(' ').skip(2).collect::<Vec<_>>().join(" ");
        let mut lines: Vec<String> = text.lines().skip(1).map(of_line).collect();
        lines.sort_unstable();
        lines
    };
    let kept = fs::read_to_string(&heads).expect("the heads");
    let kept: String =
        kept.lines().filter(|line| !line.contains("running234")).map(|line| format!("{line}\n")).collect();
    assert_eq!(digests(&log(&["heads", &archive])), digests(&kept));
    assert!(log(&["replay", &archive, "cd5mn83uvw"]).contains(": ok (1 game, "));
    // A backup and a salvaged log have the tombstones, too.
    log(&["backup", &file, &again]);
    assert_eq!(gone(&again, &heads).len(), 5);
    let salvaged = scratch.path("salvaged.log");
    log(&["salvage", &file, &salvaged]);
    assert_eq!(gone(&salvaged, &heads).len(), 5);
}

#[test]
fn deleting() {
    let scratch = Scratch::new("delete");
    let (file, heads) = kept(&scratch);
    check(&["delete", &file, "ab3dk29xyz"], "this would delete 1 game with ");
    check(&["delete", &file, "running234", "--yes"], "game running234: it is not over");
    check(&["delete", &file, "ab3dk29xyz", "nowhere", "--yes"], "there is no game nowhere");
    assert_eq!(games(&file).len(), 6, "all or none");
    log(&["delete", &file, "ab3dk29xyz", "ab3dk29xyz", "--yes"]);
    assert_eq!(gone(&file, &heads), [("ab3dk29xyz".to_owned(), "deleted".to_owned())]);

    // The log of a running host is refused; a dry run only reads.
    let host = HostProcess::start(&["--log", &file]);
    let live = holdfast(&["log", "delete", &file, "cd5mn83uvw", "--yes"]);
    let said = String::from_utf8_lossy(&live.stderr).into_owned();
    assert!(!live.status.success() && said.contains("stop that host, or ask it (host --keep, and the API"), "{said}");
    log(&["delete", &file, "cd5mn83uvw", "--dry-run"]);
    host.stop();
    assert_eq!(games(&file).len(), 5);
}

/// The bots are called `bot 1`, `bot 2`, ..
#[test]
fn redacting() {
    let scratch = Scratch::new("redact");
    let other = Played { name: "other23456", seed: 7, ..FIRST_NIGHT };
    let running = Played { name: "running234", until: Some(12), ..FIRST_NIGHT };
    let file = scratch.log("games.log", &[FIRST_NIGHT, other, running]);
    let heads = scratch.path("heads.txt");
    let kept = log(&["heads", &file]);
    fs::write(&heads, &kept).expect("the folder takes files");
    let export = |game: &str| log(&["export", &file, game, "--format", "jsonl"]);
    let (first, second) = (export("ab3dk29xyz"), export("other23456"));
    assert!(first.contains("bot 1"), "{first}");

    check(&["redact", &file, "bot 1", "--game", "running234", "--yes"], "game running234: it is not over");
    check(&["redact", &file, "bot 1"], "this would replace names in 2 games with ");
    let dry = log(&["redact", &file, "bot 1", "--dry-run"]);
    assert!(dry.ends_with(" in 2 games would be redacted\n"), "{dry}");
    assert_eq!(export("ab3dk29xyz"), first, "nothing was changed");

    let json: Value =
        serde_json::from_str(&log(&["redact", &file, "bot 1", "--game", "ab3dk29xyz", "--yes", "--json"]))
            .expect("JSON");
    let entries = json["games"][0]["entries"].as_u64().expect("a number");
    assert!(entries > 0, "{json}");
    let redacted = export("ab3dk29xyz");
    assert!(!redacted.contains("bot 1") && redacted.contains("bot 2"), "{redacted}");
    assert_eq!(redacted, first.replace("bot 1", "anon-1"), "nothing else was changed");
    assert_eq!(export("other23456"), second);

    assert_eq!(log(&["heads", &file]), kept, "heads stay");
    assert_eq!(gone(&file, &heads), []);
    let noun = if entries == 1 { "entry" } else { "entries" };
    let verified = log(&["verify", &file, "--heads", &heads]);
    assert!(verified.contains(&format!(", {entries} {noun} redacted)\n")), "{verified}");
    assert!(log(&["replay", &file]).contains(": ok (3 games, "), "the rules give the same with the new name");
    let listed = log(&["list", &file]);
    assert!(listed.contains("anon-1"), "{listed}");

    // A word of the operator's own choice, in all games of that player.
    log(&["redact", &file, "bot 2", "--as", "visitor", "--yes"]);
    assert!(!export("other23456").contains("bot 2") && export("ab3dk29xyz").contains("visitor"));
    assert_eq!(log(&["heads", &file]), kept);
    // Every other link is still verified.
    let store = rusqlite::Connection::open(&file).expect("a file of SQLite");
    let sql =
        "UPDATE entries SET bytes = x'00' WHERE game = 1 AND sequence = (SELECT entries FROM tails WHERE game = 1)";
    store.execute(sql, []).expect("it is changed");
    drop(store);
    let found = finds(&["verify", &file]);
    assert!(found.starts_with("game ab3dk29xyz: the digest of entry "), "{found}");
}

/// A host moves finished games of a log that it opens; the unfinished one and that of a rulebook without a rule stay.
#[test]
fn a_host_keeps_what_it_is_told() {
    let scratch = Scratch::new("keep");
    let (file, heads) = kept(&scratch);
    let archive = scratch.path("archive.log");
    let host = HostProcess::start(&["--log", &file, "--keep", "colony=1", "--archive", &archive]);
    crate::wait_until("old games are moved", || games(&file).len() == 3);
    let health = testkit::Request::get("/health").send_blocking(host.http).json();
    assert_eq!((&health["removed_games"], &health["status"]), (&json!(3), &json!("ok")));
    host.stop();
    let gone = gone(&file, &heads);
    assert_eq!(gone.len(), 3);
    assert!(gone.iter().all(|(_, why)| why == "archived"), "{gone:?}");
    let mut archived = games(&archive);
    archived.sort_unstable();
    let mut removed: Vec<String> = gone.into_iter().map(|(game, _)| game).collect();
    removed.sort_unstable();
    assert_eq!(archived, removed);
    assert!(games(&file).contains(&"running234".to_owned()));
    let wrong = holdfast(&["host", "--listen", "127.0.0.1:0", "--http", "off", "--keep", "chess=30d"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("--keep: no rulebook chess; there are "), "{wrong:?}");
}
