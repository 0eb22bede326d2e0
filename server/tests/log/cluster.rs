//! Stores that several hosts share keep the promises of membership.

use std::sync::Arc;

use server::{
    cluster::{Membership, MemoryCluster},
    log::EventLog,
};

use crate::{
    membership::{self, SharedStore},
    support::wait,
};

impl SharedStore for Arc<MemoryCluster> {
    fn open(&self) -> (Arc<dyn Membership>, Arc<dyn EventLog>) {
        let member = MemoryCluster::open(self);
        (member.clone(), member)
    }
}

#[cfg(feature = "postgres")]
impl SharedStore for server::log::PostgresAddress {
    fn open(&self) -> (Arc<dyn Membership>, Arc<dyn EventLog>) {
        let log = Arc::new(server::log::PostgresLog::open(self).expect("a store"));
        (log.clone(), log)
    }
}

#[cfg(feature = "postgres")]
#[test]
fn in_postgres() {
    let Some(shared) = testkit::Postgres::shared() else { return };
    let store = async || {
        let address = server::log::PostgresAddress::parse(&shared.store()).expect("an address");
        Box::new(address) as Box<dyn SharedStore>
    };
    wait(membership::check_all(store));
}

#[test]
fn in_memory() {
    wait(membership::check_all(async || Box::new(MemoryCluster::new()) as Box<dyn SharedStore>));
}

/// Hosts that start at the same moment on an empty database do not disturb each other.
#[cfg(feature = "postgres")]
#[test]
fn starting_together() {
    use server::log::{PostgresAddress, PostgresLog};

    let Some(shared) = testkit::Postgres::shared() else { return };
    for _ in 0..4 {
        let address = PostgresAddress::parse(&shared.store()).expect("an address");
        std::thread::scope(|scope| {
            let hosts: Vec<_> = (0..4).map(|_| scope.spawn(|| PostgresLog::open(&address).map(drop))).collect();
            for host in hosts {
                host.join().expect("no panic").expect("a store");
            }
        });
    }
}

/// Programs of two versions use one database while hosts are replaced one by one.
#[cfg(feature = "postgres")]
#[test]
fn databases_of_other_versions() {
    use server::log::{PostgresAddress, PostgresLog, StoreError};

    let Some(shared) = testkit::Postgres::shared() else { return };
    let text = shared.store();
    let (_, schema) = text.rsplit_once("%3D").expect("an address with a schema");
    let address = PostgresAddress::parse(&text).expect("an address");
    let open = || PostgresLog::open(&address).map(drop);
    let run = |sql: &str| shared.sql(&format!("SET search_path = {schema}; {sql}"));
    let versions = || run("SELECT version, migrations FROM holdfast");

    open().expect("a new database");
    assert_eq!(versions(), "1|3", "programs of version 1 may use a database that has version 3");
    run("ALTER TABLE holdfast DROP COLUMN migrations; DROP TABLE texts, tombstones, redactions");
    let reader =
        wait(server::log::open_reader(std::path::Path::new(&text))).expect("a database of version 1 can be read");
    assert_eq!(wait(server::log::verify(&*reader, |_| {})).map(|report| report.is_sound()).ok(), Some(true));
    open().expect("a database of version 1");
    assert_eq!(versions(), "1|3", "it has the tables of version 3 now");
    assert_eq!(run("SELECT COUNT(*) FROM texts"), "0");
    run("UPDATE holdfast SET version = 3, migrations = 4");
    open().expect("a database of the next version, which only adds");
    assert_eq!(versions(), "3|4", "it stays as it is");
    run("UPDATE holdfast SET version = 4");
    let refused = open().expect_err("a database that this program does not understand");
    assert!(matches!(refused, StoreError::Newer { found: 4, known: 3, .. }), "{refused}");
}
