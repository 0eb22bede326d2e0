//! The guarantees of every store beside the log, as rows that run with each of them.

use std::{fs, os::unix::fs::PermissionsExt as _, sync::Arc};

use commlib::Channel::{self, Players, Spectators};
use rusqlite::Connection;
use server::host_store::{HostStore, MemoryHostStore, NewChatLine, SqliteHostStore, beside_log, open_host_store};

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
            "PRAGMA application_id = 0x486f4873; PRAGMA user_version = 3",
            "FILE has version 3 of the schema; this program knows the versions up to 2",
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
        assert_eq!(other.hidden().await.expect("games"), ["c"]);
        assert_eq!(lines(&*other, "a", None, 9).await, "8 p all");
        open_host_store(path).await.expect("tables that are there already");
    });
    log.close().expect("the log is not affected");
    PostgresLog::open_alone(&PostgresAddress::parse(&address).expect("an address"), "test")
        .expect("nor is its version");
}
