//! `holdfast log` with a PostgreSQL database in place of a file.

use std::{fs, path::Path};

use testkit::Postgres;

use super::file::{FIRST_NIGHT, Played, Scratch};
use crate::{holdfast, host::HostProcess};

/// The output of a command that succeeds.
fn run(arguments: &[&str]) -> String {
    let output = holdfast(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("text")
}

/// The lines of `log heads` without the keys, which each store gives by itself.
fn heads(store: &str) -> Vec<String> {
    let line = |line: &str| line.split(' ').enumerate().filter(|(at, _)| *at != 1).map(|(_, word)| word).collect();
    run(&["log", "heads", store]).lines().skip(1).map(line).collect()
}

#[test]
fn games_move_between_stores() {
    let Some(server) = Postgres::shared() else { return };
    let scratch = Scratch::new("database");
    let running = Played { name: "running", until: Some(9), ..FIRST_NIGHT };
    let file = scratch.log("games.log", &[FIRST_NIGHT, running]);
    let address = server.store();
    assert!(run(&["log", "import", &file, &address]).contains(": 2 games with "));
    assert!(
        run(&["log", "import", &file, &address]).ends_with(": 0 games with 0 entries copied, 2 were there already\n")
    );
    assert_eq!(heads(&address), heads(&file));

    // Every task that reads gives the same answer.
    for task in [
        &["show", "STORE", FIRST_NIGHT.name][..],
        &["export", "STORE", FIRST_NIGHT.name, "--format", "csv"],
        &["replay", "STORE", FIRST_NIGHT.name],
        &["stats", "STORE"],
        &["list", "STORE"],
    ] {
        let of = |store: &str| {
            let words: Vec<&str> = task.iter().map(|word| if *word == "STORE" { store } else { word }).collect();
            run(&[&["log"], &words[..]].concat()).replace(store, "STORE")
        };
        assert_eq!(of(&address), of(&file), "{task:?}");
    }
    let kept = scratch.path("heads.txt");
    fs::write(&kept, run(&["log", "heads", &file])).expect("a file");
    assert!(run(&["log", "verify", &address, "--heads", &kept]).contains(": ok (2 games, "));

    // A host goes on with the unfinished game, and what it has then goes back into a file.
    let host = HostProcess::start(&["--store", &address]);
    assert!(run(&["log", "list", &address]).contains("running"));
    host.stop();
    let back = scratch.path("back.log");
    run(&["log", "import", &address, &back, FIRST_NIGHT.name]);
    assert_eq!(heads(&back), heads(&file)[..1]);
    assert!(Path::new(&back).exists());
}

#[test]
fn what_a_database_cannot_do() {
    let Some(server) = Postgres::shared() else { return };
    let address = server.store().replace("user=postgres", "user=postgres&password=secret");
    let check = |arguments: &[&str], expected: &str| {
        let output = holdfast(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
        assert!(!said.contains("secret"), "{arguments:?}: {said}");
    };
    check(&["log", "list", &address], " is empty: nothing was stored in it");
    check(&["log", "backup", &address, "/nowhere/copy"], "is a database; PostgreSQL has its own backups");
    check(&["log", "salvage", &address, "/nowhere/copy"], "is a database");
    check(&["log", "import", &address, &address], "is the log itself");
    check(&["host", "--store", "postgres://localhost/x?sslmode=maybe"], "sslmode maybe is none of");
    check(&["host", "--store", "postgres:///x?host=/nowhere&user=a"], "connecting to the store");
}
