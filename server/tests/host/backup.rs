//! Backs up the log while the host writes to it.

use std::sync::Arc;

use commlib::Form;
use server::{Limits, log::SqliteLog};

use crate::support::{Scratch, Served, options, resume, verified};

/// Follows docs/operations.md: a copy that SQLite makes while the host writes is a complete log.
#[tokio::test]
async fn a_backup_of_a_running_host_goes_on() {
    let scratch = Scratch::new();
    let limits = Limits { messages_per_second: 10_000, ..Limits::default() };
    let served = Served::open(options(scratch.log(), limits)).await;
    let mut ana = served.creator("100000").await;
    let token = ana.token();
    let game = ana.game().to_owned();
    for _ in 0..200 {
        ana.add(1).await;
    }
    ana.hears().await;
    let (from, copy) = (scratch.path("games.db"), scratch.path("copy.db"));
    let backup = tokio::task::spawn_blocking({
        let copy = copy.clone();
        move || {
            let log = rusqlite::Connection::open(from).expect("the log opens");
            log.execute("VACUUM INTO ?1", [copy.to_str().expect("a path")]).expect("a copy")
        }
    });
    for _ in 0..200 {
        ana.add(1).await;
    }
    backup.await.expect("it is made");
    ana.hears().await;
    served.stop().await;

    let report = verified(&copy).await.expect("the copy can be read");
    assert!(report.is_sound(), "{report}");
    let log = SqliteLog::open(&copy, server::log::Options::default()).expect("the copy is a log");
    let served = Served::on(Arc::new(log)).await;
    let mut again = served.enter(Form::Binary, resume(&game, token, 0)).await.expect("the place");
    let heard = again.hears().await;
    let counted = heard.matches("Counted").count();
    assert!((200..=400).contains(&counted), "at least what was told before the backup: {counted}");
    again.add(1).await;
    assert!(again.hears().await.ends_with(&format!("Counted {}", counted + 1)));
}
