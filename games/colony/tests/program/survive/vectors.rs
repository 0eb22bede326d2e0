//! The recorded games of `../shared/vectors` and the project's own scripts, played on a host whose store is PostgreSQL.

use std::{path::Path, time::Duration};

use server::log::{open_reader, verify};
use systemtests::{batch::play_all, files, games, remote::RunningHost, target::Outcome};

use super::scripts_for_hosts;
use crate::{process::HostProcess, show};

/// The scripts that are played at the same time. The commits of all games are shared.
const AT_ONCE: usize = 16;

#[test]
fn vectors_on_postgresql() {
    let Some(server) = testkit::Postgres::shared() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (own, recorded) = (root.join("games/colony/scripts"), root.join("../shared/vectors/colony"));
    let mut found = scripts_for_hosts(&own);
    let of_others = if recorded.is_dir() { files::find(&recorded, &games()) } else { Vec::new() };
    if of_others.is_empty() {
        show("skipped: ../shared is missing, so only the project's own scripts are played on PostgreSQL");
    }
    assert!(of_others.is_empty() || of_others.len() > 500, "{}", of_others.len());
    found.extend(of_others);

    let store = server.store();
    let host = HostProcess::start_with(Path::new(&store), &["--connections-per-address", "1000"]);
    let target = RunningHost { address: host.address(), games_on: None, patience: Duration::from_secs(300) };
    let verdicts = play_all(&found.iter().collect::<Vec<_>>(), &target, AT_ONCE, None, &|_| {});
    let failed: Vec<String> = verdicts
        .iter()
        .filter(|verdict| verdict.outcome != Outcome::Ok)
        .map(|verdict| format!("{}: {}", verdict.name, verdict.message))
        .collect();
    assert!(failed.is_empty() && verdicts.len() == found.len(), "{} of {}: {failed:#?}", failed.len(), found.len());
    host.stop();

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let report = runtime.block_on(async {
        let reader = open_reader(Path::new(&store)).await.expect("the store");
        verify(&*reader, |_| {}).await.expect("it can be read")
    });
    assert!(report.is_sound(), "{report:?}");
    show(&format!("{} scripts pass on PostgreSQL", found.len()));
}
