//! The guarantees of every store beside the log, as rows that run with each of them.

use std::{fs, os::unix::fs::PermissionsExt as _, sync::Arc};

use commlib::Channel::{self, Players, Spectators};
use rusqlite::Connection;
use server::host_store::{
    DocumentChange, HostStore, MemoryHostStore, NewChatLine, SqliteHostStore, beside_log, open_host_store,
};

use crate::support::{Scratch, wait};

fn line(channel: Channel, by: &str, text: &str) -> NewChatLine {
    let client = (channel == Players).then_some(u32::MAX);
    NewChatLine { channel, client, by: by.into(), text: text.into(), at: i64::MAX }
}

/// The lines of a game: `number channel text`.
async fn lines(store: &dyn HostStore, game: &str, channel: Option<Channel>, most: u32) -> String {
    let lines = store.chat(game, channel, most).await.expect("lines");
    let words = lines.iter().map(|line| {
        assert_eq!((line.at, line.client), (i64::MAX, (line.channel == Players).then_some(u32::MAX)));
        format!("{} {} {}", line.number, if line.channel == Players { 'p' } else { 's' }, line.text)
    });
    words.collect::<Vec<_>>().join("; ")
}

async fn check_chat(store: &dyn HostStore) {
    let add = async |game: &str, line, keep| store.add_chat(game, line, keep).await.expect("a number");
    assert_eq!(lines(store, "a", None, 9).await, "");
    assert_eq!(add("a", line(Players, "Ana", "x"), 4).await, 1);
    assert_eq!(add("a", line(Spectators, "Eve", "it's \"\u{1f9df}\""), 4).await, 2);
    assert_eq!(add("b", line(Players, "Bo", "other"), 4).await, 1, "each game has its numbers");
    assert_eq!(add("a", line(Players, "Ana", "y"), 4).await, 3);
    assert_eq!(lines(store, "a", None, 9).await, "1 p x; 2 s it's \"\u{1f9df}\"; 3 p y");
    assert_eq!(lines(store, "a", None, 2).await, "2 s it's \"\u{1f9df}\"; 3 p y", "the last ones");
    assert_eq!(lines(store, "a", Some(Players), 9).await, "1 p x; 3 p y");
    assert_eq!(lines(store, "a", Some(Spectators), 9).await, "2 s it's \"\u{1f9df}\"");
    for number in 4..=7 {
        assert_eq!(add("a", line(Players, "Ana", "z"), 2).await, number);
    }
    assert_eq!(lines(store, "a", None, 9).await, "6 p z; 7 p z", "old ones are deleted");
    assert_eq!(lines(store, "b", None, 9).await, "1 p other", "of that game only");
    assert_eq!(add("a", line(Players, "Ana", "all"), 0).await, 8);
    assert_eq!(lines(store, "a", None, 9).await, "8 p all", "the last line stays, so numbers rise");
}

/// The documents of a kind: `key text`.
async fn documents(store: &dyn HostStore, kind: &'static str, prefix: &str, after: &str, most: u32) -> String {
    let found = store.documents(kind, prefix, after, most).await.expect("documents");
    found.iter().map(|(key, text)| format!("{key} {text}")).collect::<Vec<_>>().join("; ")
}

/// A change: the kind, the key, what it must be, what it becomes.
fn change(kind: &'static str, key: &str, before: Option<&str>, after: Option<&str>) -> DocumentChange {
    DocumentChange { kind, key: key.into(), before: before.map(Into::into), after: after.map(Into::into) }
}

async fn check_documents(store: &dyn HostStore) {
    let read = async |kind, key: &str| store.document(kind, key).await.expect("an answer");
    let make = async |changes: Vec<DocumentChange>| store.change_documents(changes).await.expect("an answer");
    assert_eq!(read("a", "x").await, None);
    assert_eq!(documents(store, "a", "", "", 9).await, "");
    let strange = "it's \"\u{1f9df}\" %_";
    assert!(make(vec![change("a", "x", None, Some(strange)), change("b", "x", None, Some("other"))]).await);
    assert_eq!((read("a", "x").await.as_deref(), read("b", "x").await.as_deref()), (Some(strange), Some("other")));
    // All changes are made, or none.
    for wrong in [
        change("a", "x", None, Some("again")),
        change("a", "x", Some("not this"), Some("2")),
        change("a", "x", Some("not this"), None),
        change("a", "y", Some("nothing"), Some("2")),
        change("a", "y", Some("nothing"), None),
        change("a", "x", None, None),
    ] {
        for changes in [
            vec![change("b", "x", Some("other"), Some("new")), wrong.clone()],
            vec![wrong.clone(), change("c", "z", None, Some("new"))],
        ] {
            assert!(!make(changes).await, "{wrong:?}");
        }
    }
    assert_eq!((read("a", "x").await.as_deref(), read("b", "x").await.as_deref()), (Some(strange), Some("other")));
    assert_eq!(read("c", "z").await, None);
    assert!(make(vec![change("a", "x", Some(strange), Some("2")), change("a", "y", None, None)]).await);
    assert!(make(vec![change("b", "x", Some("other"), None)]).await);
    assert_eq!((read("a", "x").await.as_deref(), read("b", "x").await), (Some("2"), None));
    for key in ["p/b", "p/a", "p", "p%", "P/a", "p/\u{e4}", "q/a", "p0"] {
        assert!(make(vec![change("d", key, None, Some("."))]).await, "{key}");
    }
    assert_eq!(documents(store, "d", "p/", "", 9).await, "p/a .; p/b .; p/\u{e4} .", "in the order of bytes");
    assert_eq!(documents(store, "d", "p/", "p/a", 9).await, "p/b .; p/\u{e4} .");
    assert_eq!(documents(store, "d", "p/", "p/a", 1).await, "p/b .");
    assert_eq!(documents(store, "d", "", "p", 3).await, "p% .; p/a .; p/b .");
    assert_eq!(documents(store, "d", "p%", "", 9).await, "p% .", "no pattern");
    assert_eq!(documents(store, "e", "", "", 9).await, "");
}

async fn check_replacing(store: &dyn HostStore) {
    let replace = async |game: &str, number| store.replace_line(game, number, "gone").await.expect("an answer");
    for text in ["x", "y"] {
        store.add_chat("r", line(Players, "Ana", text), 9).await.expect("a number");
    }
    assert_eq!([replace("r", 1).await, replace("r", 3).await, replace("s", 1).await], [true, false, false]);
    assert_eq!(lines(store, "r", None, 9).await, "1 p gone; 2 p y");
}

/// The rules are text to a store.
async fn check_access(store: &dyn HostStore) {
    let set =
        async |game: &str, hidden, rules: &str| store.set_access(game, hidden, rules.into()).await.expect("stored");
    assert_eq!(store.access("a").await.expect("an answer"), None);
    assert_eq!(store.hidden().await.expect("games"), [""; 0]);
    set("a", true, "{\"it's\": \"\u{1f9df}\"}").await;
    set("b", false, "{}").await;
    set("c", true, "{}").await;
    assert_eq!(store.access("a").await.expect("an answer").as_deref(), Some("{\"it's\": \"\u{1f9df}\"}"));
    assert_eq!(store.hidden().await.expect("games"), ["a", "c"]);
    set("a", false, "{\"open\":1}").await;
    assert_eq!(store.access("a").await.expect("an answer").as_deref(), Some("{\"open\":1}"), "the last one counts");
    assert_eq!(store.hidden().await.expect("games"), ["c"]);
    assert_eq!(store.access("d").await.expect("an answer"), None);
}

#[test]
fn every_store_keeps_chat_and_access() {
    let scratch = Scratch::new();
    wait(async {
        check_chat(&MemoryHostStore::default()).await;
        check_access(&MemoryHostStore::default()).await;
        check_documents(&MemoryHostStore::default()).await;
        check_replacing(&MemoryHostStore::default()).await;
        let other = Scratch::new();
        check_documents(&*open_host_store(&other.log()).await.expect("a store")).await;
        check_replacing(&*open_host_store(&other.log()).await.expect("a store")).await;
        check_access(&*open_host_store(&Scratch::new().log()).await.expect("a store")).await;
        check_chat(&*open_host_store(&scratch.log()).await.expect("a store")).await;
    });
}

#[test]
fn a_file_of_its_own_that_only_its_owner_reads() {
    let scratch = Scratch::new();
    let path = beside_log(&scratch.log());
    assert_eq!(path.file_name().and_then(|name| name.to_str()), Some("games.db.host"));
    let store = SqliteHostStore::open(&path).expect("a store");
    wait(store.add_chat("a", line(Players, "Ana", "x"), 9)).expect("stored");
    for file in fs::read_dir(path.parent().expect("a folder")).expect("files") {
        let file = file.expect("a file");
        assert_eq!(file.metadata().expect("its rights").permissions().mode() & 0o077, 0, "{file:?}");
    }
    drop(store);
    let again = SqliteHostStore::open(&path).expect("a store");
    assert_eq!(wait(lines(&again, "a", None, 9)), "1 p x");
}

#[test]
fn files_of_others_stay_as_they_are() {
    for (sql, expected) in [
        ("CREATE TABLE a (b)", "FILE is no log: its application id is 0x0"),
        ("PRAGMA application_id = 291", "FILE is no log: its application id is 0x123"),
        (
            "PRAGMA application_id = 0x486f4873; PRAGMA user_version = 4",
            "FILE has version 4 of the schema; this program knows the versions up to 3",
        ),
    ] {
        let scratch = Scratch::new();
        let path = beside_log(&scratch.log());
        Connection::open(&path).and_then(|file| file.execute_batch(sql)).expect("a file");
        let before = fs::read(&path).expect("its bytes");
        let error = SqliteHostStore::open(&path).expect_err("a file of others").to_string();
        assert_eq!(error.replace(&path.display().to_string(), "FILE"), expected);
        assert_eq!(fs::read(&path).expect("its bytes"), before);
    }
}

/// The tables beside the log have a version of their own, so that hosts which do not know them go on.
#[cfg(feature = "postgres")]
#[test]
fn hosts_share_a_database() {
    use server::log::{EventLog, PostgresAddress, PostgresLog};
    let Some(postgres) = testkit::Postgres::shared() else { return };
    let address = postgres.store();
    let log = PostgresLog::open_alone(&PostgresAddress::parse(&address).expect("an address"), "test").expect("a log");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads");
    runtime.block_on(async {
        let path = std::path::Path::new(&address);
        // Two hosts that begin at the same moment.
        let (one, other) = tokio::join!(open_host_store(path), open_host_store(path));
        let (one, other): (Arc<dyn HostStore>, _) = (one.expect("a store"), other.expect("a store"));
        check_chat(&*one).await;
        check_access(&*one).await;
        check_documents(&*one).await;
        check_replacing(&*one).await;
        // Two hosts that change the same documents at once: one of them changes both.
        let changes = |text: &str| vec![change("z", "b", None, Some(text)), change("z", "a", None, Some(text))];
        let (first, second) =
            tokio::join!(one.change_documents(changes("one")), other.change_documents(changes("other")));
        let winner = match (first.expect("an answer"), second.expect("an answer")) {
            (true, false) => "one",
            (false, true) => "other",
            both => panic!("{both:?}"),
        };
        assert_eq!(documents(&*one, "z", "", "", 9).await, format!("a {winner}; b {winner}"));
        assert_eq!(other.hidden().await.expect("games"), ["c"]);
        assert_eq!(lines(&*other, "a", None, 9).await, "8 p all");
        open_host_store(path).await.expect("tables that are there already");
    });
    log.close().expect("the log is not affected");
    PostgresLog::open_alone(&PostgresAddress::parse(&address).expect("an address"), "test")
        .expect("nor is its version");
}
